internal import Diagnostics
internal import Testing

@testable import YAML

@Suite struct YAMLNodeTests {
    private func place(_ node: YAMLNode?) -> [Int]? {
        node.map { [$0.range.start.line, $0.range.start.column, $0.range.length] }
    }

    @Test func accessorsGiveOnlyTheirOwnType() throws {
        let root = try load("{ t: text, b: true, i: 7, d: 1.5, n: ~, l: [1], m: { k: v } }").root
        #expect(root["t"]?.string == "text")
        #expect(root["b"]?.bool == true)
        #expect(root["i"]?.integer == 7)
        #expect(root["i"]?.double == 7)
        #expect(root["i"]?.string == nil)
        #expect(root["i"]?.scalar?.text == "7")
        #expect(root["d"]?.double == 1.5)
        #expect(root["d"]?.integer == nil)
        #expect(root["n"]?.isNull == true)
        #expect(root["l"]?.sequence?.map(\.integer) == [1])
        #expect(root["m"]?["k"]?.string == "v")
        #expect(root["t"]?["k"] == nil)
        #expect(root.mapping?.keys == ["t", "b", "i", "d", "n", "l", "m"])
        #expect(
            root.mapping?.pairs.map(\.value.typeName) == [
                "text", "a boolean", "an integer", "a number", "null", "a list", "a mapping",
            ])
    }

    /// Line, column and length of values, counted by hand.
    @Test func everyNodeKnowsItsPlace() throws {
        let root = try load(
            """
            имя: "👋🏽 hi"   # comment
            list:
              - one two
              - [a,
                 b]
            block: |
              text
            empty:
            map:
              key: v
            """
        ).root
        #expect(place(root) == [1, 1, 1])
        #expect(place(root["имя"]) == [1, 6, 7])
        #expect(place(root["list"]) == [3, 3, 1])
        #expect(place(root["list"]?.sequence?[0]) == [3, 5, 7])
        #expect(place(root["list"]?.sequence?[1]) == [4, 5, 3])
        #expect(place(root["list"]?.sequence?[1].sequence?[1]) == [5, 6, 1])
        #expect(place(root["block"]) == [6, 8, 1])
        #expect(place(root["empty"]) == [8, 7, 1])
        #expect(place(root["map"]) == [10, 3, 1])
        #expect(place(root.mapping?.pair("map")?.key) == [9, 1, 3])
    }

    @Test func lineBreaksAndByteOrderMarkDoNotMoveColumns() throws {
        let root = try load("\u{FEFF}a: 1\r\nb:\r\n  c: 2\rd: 3\n").root
        #expect(place(root["a"]) == [1, 4, 1])
        #expect(place(root["b"]?["c"]) == [3, 6, 1])
        #expect(place(root["d"]) == [4, 4, 1])
    }

    @Test func repeatedValuesKnowAnchorAndAlias() throws {
        let root = try load("a: &x [1]\nb: *x\n").root
        #expect(place(root["b"]) == [1, 4, 6])
        #expect(root["b"]?.useRange.start.line == 2)
        #expect(root["a"]?.useRange.start.line == 1)
    }

    @Test func mergeKeepsOrderAndExplicitKeysWin() throws {
        let root = try load(
            "base: &b { x: 1, y: 2 }\nother: &o { y: 3, z: 4 }\nm:\n  first: 0\n  <<: [*o, *b]\n  x: 9\n"
        ).root
        #expect(root["m"]?.mapping?.keys == ["first", "y", "z", "x"])
        #expect(root["m"]?["y"]?.integer == 3)
        #expect(root["m"]?["x"]?.integer == 9)
    }

    @Test func aQuotedMergeKeyIsText() throws {
        #expect(try load("\"<<\": 1").root["<<"]?.integer == 1)
    }

    @Test func keysAreTextWhateverTheyLookLike() throws {
        let root = try load("on: 1\n2: two\ntrue: yes\n99999999999999999999: big\n&k key: 1\nother:\n  *k : 2\n").root
        #expect(root.mapping?.keys == ["on", "2", "true", "99999999999999999999", "key", "other"])
        #expect(root["2"]?.string == "two")
        #expect(root["other"]?["key"]?.integer == 2)
    }

    /// "é" as one scalar and as two, which Swift's strings take for equal.
    @Test func keysAreComparedByTheirBytes() throws {
        let root = try load("\u{E9}: 1\ne\u{301}: 2\n").root
        #expect(root["\u{E9}"]?.integer == 1)
        #expect(root["e\u{301}"]?.integer == 2)
    }
}
