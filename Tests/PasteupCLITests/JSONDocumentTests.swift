import StepKit
import Testing
import Values

@testable import Engine
@testable import PasteupCLI

/// Documents that are written while they are made, and values that are in them once.
@Suite struct JSONDocumentTests {
    private static let text = String(repeating: "long ", count: 2000)
    private static let list = Value.array((0..<3000).map { .integer($0) })

    private func written(_ body: (inout JSONDocument) -> Void) -> (text: String, pieces: [String]) {
        nonisolated(unsafe) var pieces: [String] = []
        var document = JSONDocument { pieces.append($0) }
        body(&document)
        return (pieces.joined(), pieces)
    }

    /// The value as the only member of a document, as it is read back.
    private func read(_ members: [(String, Value)]) throws -> Value {
        let text = written { document in
            document.open(.object)
            for (name, value) in members { document.add(value, name) }
            document.close()
        }.text
        return try Value(json: text)
    }

    @Test func isJSONWithTwoBlanksALevel() {
        let text = written { document in
            document.open(.object)
            document.add("a\n", "first")
            document.open(.list, "second")
            document.add(1)
            document.add(["x": [], "y": [true, nil]])
            document.open(.object)
            document.close()
            document.close()
            document.close()
        }.text
        #expect(
            text == """
                {
                  "first": "a\\n",
                  "second": [
                    1,
                    {
                      "x": [],
                      "y": [
                        true,
                        null
                      ]
                    },
                    {}
                  ]
                }

                """)
    }

    @Test(
        arguments: [
            ("text", .string(text)), ("list", list), ("object", ["of": list, "and": .string(text)]),
        ] as [(String, Value)])
    func aLongValueThatComesAgainIsReferredTo(name: String, value: Value) throws {
        let read = try read([("a", [value]), ("b", ["c": value]), ("d", value)])
        #expect(read["a"]?[0] == value)
        #expect(read["b"]?["c"] == ["same-as": "/a/0"])
        #expect(read["d"] == ["same-as": "/a/0"])
    }

    @Test func aLongValueThatWasMadeAnewIsReferredTo() throws {
        let read = try read((0..<3).map { ("\($0)", ["rows": .array((0..<3000).map { .integer($0) })]) })
        #expect(read["0"]?["rows"] == Self.list)
        #expect(read["1"] == ["same-as": "/0"])
        #expect(read["2"] == ["same-as": "/0"])
    }

    @Test func whatHoldsALongValueAndSomethingOfItsOwnIsWritten() throws {
        let read = try read((0..<3).map { ("\($0)", ["rows": Self.list, "row": .integer($0)]) })
        #expect(read["1"] == ["rows": ["same-as": "/0/rows"], "row": 1])
        #expect(read["2"] == ["rows": ["same-as": "/0/rows"], "row": 2])
    }

    /// RFC 6901 §3.
    @Test func pointersEscapeTheirSigns() throws {
        let read = try read([("a/b~c", ["": Self.list]), ("again", Self.list)])
        #expect(read["again"] == ["same-as": "/a~1b~0c/"])
    }

    @Test func textsThatOnlyLookTheSameAreDifferent() throws {
        let (one, other) = (Self.text + "é", Self.text + "e\u{301}")
        let read = try read([("one", .string(one)), ("other", .string(other))])
        #expect(read["other"]?.string.map { Array($0.utf8) } == Array(other.utf8))
    }

    @Test func shortValuesComeAsOftenAsTheyAreThere() throws {
        let caption = Value.string(String(repeating: "Ы", count: 2200))
        #expect(try read([("a", caption), ("b", caption)]) == ["a": caption, "b": caption])
    }

    @Test func isHandedOverInPieces() {
        let pieces = written { document in
            document.open(.list)
            for number in 0..<100_000 { document.add(.integer(Int64(number))) }
            document.close()
        }.pieces
        #expect(pieces.count > 5)
        #expect(pieces.allSatisfy { $0.utf8.count < 70_000 })
        #expect(pieces.dropLast().allSatisfy { $0.last?.isNumber == true }, "none ends in the middle of an element")
    }

    @Test func aListThatEachOfItsRowsIsGivenIsInThePlanOnce() throws {
        let rows = Value.array((0..<10_000).map { ["number": .integer($0)] })
        let items = PlannedRows(count: 10_000) { row in
            PlannedStep(
                address: "post[\(row)]", title: "post", kind: "vk.wall.post", effect: .write, account: "vk",
                dependencies: [], once: nil, condition: nil,
                parameters: [PlannedMember("rows", .known(rows)), PlannedMember("row", .known(.integer(Int64(row))))],
                requests: [], state: nil, outputs: [:], remark: nil)
        }
        var step = items[0]
        step.list = "inputs.rows"
        step.items = .known(items)
        nonisolated(unsafe) var size = 0
        PlanJSONView(Plan(workflow: "w", steps: [step], outputs: []), file: "w.yaml").write { size += $0.utf8.count }
        // Some 400 bytes for each item, and 60 for each row of the one list; written out it would be 6 GB.
        #expect(size < 6_000_000, "\(size) bytes")
    }
}
