import StepKit
import Testing
import Values

@Suite struct ValueTypeTests {
    static let fitting: [(ValueType, Value, Value)] = [
        (.any, ["a": 1], ["a": 1]), (.string, "x", "x"), (.string, 12, "12"), (.string, 5.199, "5.199"),
        (.string, true, "true"), (.choice(["a", "b"]), "b", "b"), (.integer, 12, 12), (.integer, "-12", -12),
        (.integer, 12.0, 12), (.integer, "9071234567890123456", 9_071_234_567_890_123_456), (.number, 1, 1),
        (.number, 1.5, 1.5), (.number, "1.5", 1.5), (.number, "3", 3), (.boolean, true, true), (.boolean, 0, false),
        (.boolean, 1, true), (.boolean, "true", true), (.boolean, "false", false), (.file, "a/b.jpg", "a/b.jpg"),
        (.url, "https://example.org", "https://example.org"), (.size, "1080x1920", "1080x1920"),
        (.color, "#f80", "#f80"), (.color, "#FF9500", "#FF9500"), (.color, "#ff950080", "#ff950080"),
        (.duration, "30s", "30s"), (.time, 1_798_124_400, 1_798_124_400), (.time, "1798124400", 1_798_124_400),
        (.time, "2026-12-24T18:00:00+03:00", 1_798_124_400), (.time, "2026-12-24T15:00:00.900Z", 1_798_124_400),
        (.list(.integer), ["1", 2], [1, 2]), (.list(.string), [], []),
        (.list(.string), ["a", nil], ["a", nil]), (.map, ["x": [1]], ["x": [1]]),
        (.object([Parameter("a", .integer, "")]), ["a": "1"], ["a": 1]), (.integer, nil, nil), (.list(.any), nil, nil),
    ]

    @Test(arguments: fitting)
    func valueFits(type: ValueType, value: Value, fitted: Value) throws {
        #expect(try type.fit(value) == fitted)
    }

    static let misfits: [(ValueType, Value, String)] = [
        (.string, ["a"], "is a list, not text"), (.string, [:], "is a mapping, not text"),
        (.choice(["image", "video"]), "reel", "is 'reel', not one of image, video"),
        (.integer, "club12", "is 'club12', not an integer"), (.integer, 1.5, "is 1.5, not an integer"),
        (.integer, true, "is true, not an integer"),
        (.integer, "9223372036854775808", "is '9223372036854775808', not an integer"),
        (.number, "many", "is 'many', not a number"), (.number, "inf", "is 'inf', not a number"),
        (.boolean, "yes", "is 'yes', not true or false"), (.boolean, 2, "is 2, not true or false"),
        (.file, 12, "is 12, not a file's path"), (.file, "", "is empty, not a file's path"),
        (.url, "ftp://x", "is 'ftp://x', not an http or https address"),
        (.size, "1080x", "is '1080x', not a size as 1080x1920 or story"),
        (.size, "0x10", "is '0x10', not a size as 1080x1920 or story"),
        (.color, "rad", "is 'rad', not a colour as \"#FF9500\""),
        (.color, "#ff950", "is '#ff950', not a colour as \"#FF9500\""),
        (.length, "4o%", "is '4o%', not a number of pixels or a share as 12%"),
        (.duration, "30", "is '30', not a duration as 30s or 2m"),
        (.duration, "1 h", "is '1 h', not a duration as 30s or 2m"),
        (
            .time, "2026-12-24T18:00:00",
            "is '2026-12-24T18:00:00', not a time as 2026-12-24T18:00:00+03:00, or seconds since 1970"
        ), (.time, 1.5, "is 1.5, not a time as 2026-12-24T18:00:00+03:00, or seconds since 1970"),
        (.list(.string), "a", "is 'a', not a list, each element text"), (.map, [], "is an empty list, not a mapping"),
    ]

    @Test(arguments: misfits)
    func misfitSaysWhatIsAndWhatIsWanted(type: ValueType, value: Value, problem: String) {
        let error = #expect(throws: TypeMismatch.self) { try type.fit(value) }
        #expect(error?.problem == problem)
    }

    static let card: [Parameter] = [
        Parameter("size", .size, default: "1080x1920", ""),
        Parameter("background", .object([Parameter("top", .color, required: true, "")]), ""),
        Parameter(
            "texts", .list(.object([Parameter("text", .string, ""), Parameter("at", .choice(["top"]), "")])), ""),
    ]

    static let paths: [(ValueObject, String, String)] = [
        (["colour": "red"], "colour", "is not known here"),
        (["size": "big"], "size", "is 'big', not a size as 1080x1920 or story"),
        (["background": [:]], "background.top", "is missing"),
        (["background": ["top": nil]], "background.top", "is missing"),
        (["background": ["top": "#fff", "left": 1]], "background.left", "is not known here"),
        (["texts": [["text": "a"], ["at": "left"]]], "texts[1].at", "is 'left', not one of top"),
        (["texts": [["text": "a"], "b"]], "texts[1]", "is 'b', not a mapping"),
    ]

    @Test(arguments: paths)
    func misfitNamesItsPlace(object: ValueObject, path: String, problem: String) {
        let mismatch = #expect(throws: TypeMismatch.self) { try Self.card.fit(object) }
        #expect(mismatch?.pathText == path)
        #expect(mismatch?.problem == problem)
    }

    @Test func defaultsFillWhatIsNotGiven() throws {
        #expect(try Self.card.fit([:])["size"] == "1080x1920")
        #expect(try Self.card.fit(["size": nil])["size"] == "1080x1920")
        #expect(try Self.card.fit([:])["texts"] == nil)
    }

    @Test func longTextIsCutInMessages() {
        let long = String(repeating: "é", count: 61)
        #expect(Value.string(long).quoted == "'" + String(repeating: "é", count: 57) + "…'")
        #expect(Value.string(String(repeating: "é", count: 60)).quoted.count == 62)
    }

    @Test(arguments: [("1x1", 1, 1), ("99999x1", 99_999, 1)])
    func sizeIsRead(text: String, width: Int, height: Int) {
        #expect(PixelSize(text: text)?.width == width)
        #expect(PixelSize(text: text)?.height == height)
    }

    @Test(arguments: ["", "x", "1x", "x1", "1x2x3", "-1x2", "100000x1", "1X2", " 1x2", "1.5x2"])
    func otherTextIsNoSize(text: String) {
        #expect(PixelSize(text: text) == nil)
    }
}
