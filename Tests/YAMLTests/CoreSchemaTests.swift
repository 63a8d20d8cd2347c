internal import Testing

@testable import YAML

@Suite struct CoreSchemaTests {
    /// YAML 1.2.2, section 10.3.2: the regular expressions' alternatives, and example 10.9.
    @Test(
        arguments: [
            ("null", .null), ("Null", .null), ("NULL", .null), ("~", .null), ("", .null),
            ("true", .bool(true)), ("True", .bool(true)), ("TRUE", .bool(true)),
            ("false", .bool(false)), ("False", .bool(false)), ("FALSE", .bool(false)),
            ("0", .integer(0)), ("0o7", .integer(7)), ("0x3A", .integer(58)), ("-19", .integer(-19)),
            ("0.", .double(0)), ("-0.0", .double(-0.0)), (".5", .double(0.5)), ("+12e03", .double(12000)),
            ("-2E+05", .double(-200_000)), (".inf", .double(.infinity)), ("-.Inf", .double(-.infinity)),
            ("+.INF", .double(.infinity)),
            ("017", .integer(17)), ("0o17", .integer(15)), ("0x1f", .integer(31)), ("+7", .integer(7)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("0x7FFFFFFFFFFFFFFF", .integer(.max)), ("1e3", .double(1000)), ("1.", .double(1)),
        ] as [(String, YAMLScalar.Value)])
    func resolvesPlainText(text: String, value: YAMLScalar.Value) throws {
        #expect(try CoreSchema.resolve(text) == value)
    }

    @Test func knowsNotANumber() throws {
        for text in [".nan", ".NaN", ".NAN"] {
            guard case .double(let value) = try CoreSchema.resolve(text) else { Issue.record("\(text)"); continue }
            #expect(value.isNaN)
        }
    }

    /// What YAML 1.1, or a lenient reader, would take for something else.
    @Test(arguments: [
        "yes", "no", "on", "off", "y", "n", "Yes", "OFF", "tRUE", "nULL", "0b11", "1_000", "0o8", "0o", "0x", "0xG",
        "-0x1",
        "+0o7", "12:30:45", "2001-12-14", ".", "-", "+", "e3", "1e", "1e+", "1.5.2", ".e3", "+.nan", "-.nan", "inf",
        "nan", "Infinity", "1,5", "0x1.8p1", "१२", " 1",
    ])
    func leavesTheRestAsText(text: String) throws {
        #expect(try CoreSchema.resolve(text) == .string(text))
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "0x8000000000000000", "0o1000000000000000000000",
        "99999999999999999999999999",
    ])
    func refusesIntegersBeyond64Bits(text: String) {
        #expect(throws: CoreSchema.Fault.integerTooLarge) { try CoreSchema.resolve(text) }
    }

    @Test(
        arguments: [
            ("!!str 12", .string("12")), ("!!str", .string("")), ("!!int \"12\"", .integer(12)),
            ("!!float 1", .double(1)),
            ("!!bool 'true'", .bool(true)), ("!!null ''", .null), ("! 12", .string("12")), ("'12'", .string("12")),
            ("\"true\"", .string("true")), ("!<tag:yaml.org,2002:str> 1", .string("1")), ("|\n  12\n", .string("12\n")),
        ] as [(String, YAMLScalar.Value)])
    func tagsAndQuotesDecide(text: String, value: YAMLScalar.Value) throws {
        #expect(try load("a: \(text)").root["a"]?.scalar?.value == value)
    }
}
