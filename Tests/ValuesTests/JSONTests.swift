import TestSupport
import Testing
import Values

@Suite struct JSONReadingTests {
    @Test(
        arguments: [
            ("null", nil), (" true ", true), ("false\n", false), ("0", 0), ("-0", 0), ("12", 12),
            ("9071234567890123456", 9_071_234_567_890_123_456), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775807", .integer(.max)), ("9223372036854775808", 9_223_372_036_854_775_808.0),
            ("1.0", 1.0), ("-1.5e3", -1500.0), ("1E-2", 0.01), ("\"\"", ""),
            (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u00e9\u041F\ud83d\ude0a""#, "éП😊"), (#""\u0000""#, "\0"), ("\"😊é\"", "😊é"), ("[]", []), ("{}", [:]),
            ("[1,[2,{\"a\":null}]]", [1, [2, ["a": nil]]]), (#"{"":1,"a b":2}"#, ["": 1, "a b": 2]),
        ] as [(String, Value)])
    func readsWhatRFC8259Allows(text: String, expected: Value) throws {
        #expect(try Value(json: text) == expected)
        #expect(try Value(json: text).typeName == expected.typeName)
    }

    @Test func wholeNumbersBesideOneTooLargeStayNumbers() throws {
        #expect(try Value(json: "[18446744073709551616, 2]")[1]?.integer == 2)
    }

    @Test func membersKeepTheirOrder() throws {
        let value = try Value(json: #"{"z":1,"a":2,"é":3,"e\u0301":4,"m":{"b":1,"a":2}}"#)
        #expect(value.object?.keys.map { Array($0.utf8) } == ["z", "a", "é", "e\u{301}", "m"].map { Array($0.utf8) })
        #expect(value["m"]?.object?.keys == ["b", "a"])
        #expect(value.json() == "{\"z\":1,\"a\":2,\"é\":3,\"e\u{301}\":4,\"m\":{\"b\":1,\"a\":2}}")
    }

    @Test(arguments: [
        "", " ", "nul", "True", "01", "+1", "1.", ".5", "1e", "0x1", "NaN", "Infinity", "-", "'a'", "\"a", "\"\t\"",
        #""\x""#, #""\u12g4""#, #""\ud800""#, #""\udc00\ud800""#, "[1,]", "[1 2]", "[", "]", "{\"a\":1,}", "{\"a\"}",
        "{a:1}", "{\"a\":1", "1 2", "{} x", "// c\n1", "1e400", "\u{FEFF}1",
    ])
    func refusesWhatItDoesNot(text: String) { #expect(throws: JSONError.self) { try Value(json: text) } }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC3, 0x22],
    ])
    func refusesWhatIsNotUTF8(bytes: [UInt8]) { #expect(throws: JSONError.self) { try Value(json: bytes) } }

    @Test(arguments: [#"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"[{"b":{"c":1,"d":2,"c":3}}]"#])
    func refusesAKeyTwice(text: String) { #expect(throws: JSONError.self) { try Value(json: text) } }

    @Test func errorsNameThePlace() {
        let error = #expect(throws: JSONError.self) { try Value(json: "{\n  \"a\": 1,\n  \"b\": x\n}") }
        #expect(error?.line == 3)
        #expect(error?.column == 8)
        #expect(error?.message.isEmpty == false)
    }

    @Test func deepNestingIsRefusedBeforeItOverflowsASmallStack() {
        onSmallStack {
            func nested(_ levels: Int) -> String {
                String(repeating: "[{\"]\":", count: levels / 2) + "1" + String(repeating: "}]", count: levels / 2)
            }
            let deepest = try? Value(json: nested(256))
            #expect(deepest?.json().utf8.count == 128 * 8 + 1)
            #expect(deepest == deepest && deepest?.hashValue == deepest?.hashValue)
            let error = #expect(throws: JSONError.self) { try Value(json: nested(258)) }
            #expect(error?.message == "nested deeper than 256 levels")
            #expect(error?.line == 1)
            #expect(error?.column == 128 * 6 + 1)
            #expect(throws: JSONError.self) { try Value(json: nested(200_000)) }
        }
    }

    @Test func bracketsInTextsDoNotCountAsNesting() throws {
        let text = "\"" + String(repeating: #"[\"{\\"#, count: 1000) + "\""
        #expect(try Value(json: text).string?.utf8.count == 4000)
    }
}

@Suite struct JSONWritingTests {
    private let value: Value = [
        "z": [1, 2.5, 3.0, nil, true], "a": ["é\u{1}\u{7F}\n\"\\/": "😊"], "e": [], "o": [:],
    ]

    @Test func compactIsOneLine() {
        #expect(
            value.json()
                == #"{"z":[1,2.5,3,null,true],"a":{"é\u0001"# + "\u{7F}" + #"\n\"\\/":"😊"},"e":[],"o":{}}"#)
    }

    @Test func canonicalSortsByBytes() {
        let value: Value = ["b": 1, "a": ["é": 1, "z": 2, "Z": 3], "": 0]
        #expect(value.json(.canonical) == #"{"":0,"a":{"Z":3,"z":2,"é":1},"b":1}"#)
    }

    @Test func indentedHasTwoBlanksALevel() {
        let value: Value = ["a": [1, ["b": nil]], "e": [], "o": [:]]
        #expect(
            value.json(.indented) == """
                {
                  "a": [
                    1,
                    {
                      "b": null
                    }
                  ],
                  "e": [],
                  "o": {}
                }
                """)
    }

    @Test(
        arguments: [
            (.integer(.min), "-9223372036854775808"), (9_071_234_567_890_123_456, "9071234567890123456"), (0.1, "0.1"),
            (1e21, "1e+21"), (1e-7, "1e-07"), (-0.0, "-0"), (.double(.nan), "null"), (.double(.infinity), "null"),
            (12345678.0, "12345678"),
        ] as [(Value, String)])
    func numbersAreWrittenForReadingBack(value: Value, expected: String) throws {
        #expect(value.json() == expected)
        if let double = value.double, double.isFinite { #expect(try Value(json: value.json()).double == double) }
    }

    @Test func everyControlCharacterIsEscapedAndReadBack() throws {
        let text = String(String.UnicodeScalarView((0..<0x30).compactMap { Unicode.Scalar(UInt32($0)) }))
        let json = Value.string(text).json()
        #expect(json.utf8.allSatisfy { $0 >= 0x20 })
        #expect(try Value(json: json).string?.utf8.elementsEqual(text.utf8) == true)
    }
}
