import Testing
import Values

@testable import Expressions

@Suite struct NumberTextTests {
    /// By .NET's documentation of the "G" format with precision 15: shortest of both notations, exponent from −5 down
    /// and from the precision up, at least two digits of it.
    @Test(
        arguments: [
            (0.1, "0.1"), (0.1 + 0.2, "0.3"), (1.0 / 3, "0.333333333333333"), (2.0 / 3, "0.666666666666667"),
            (-0.5, "-0.5"), (100, "100"), (1234.5, "1234.5"), (123_456_789_012_345, "123456789012345"),
            (1e14, "100000000000000"),
            (1e15, "1E+15"), (1.5e20, "1.5E+20"), (0.0001, "0.0001"), (0.00001, "1E-05"), (-1.25e-7, "-1.25E-07"),
            (1e100, "1E+100"), (1e-100, "1E-100"), (-0.0, "0"), (.infinity, "Infinity"), (-.infinity, "-Infinity"),
            (.nan, "NaN"), (999_999_999_999_999.9, "1E+15"), (12345.678901234567, "12345.6789012346"),
        ] as [(Double, String)])
    func doublesHave15Digits(value: Double, expected: String) { #expect(Value.double(value).text == expected) }

    @Test(
        arguments: [
            ("", 0), ("  12 ", 12), ("+7", 7), ("-0x1", nil), ("0x7fffffff", 2_147_483_647), ("0X1", nil), ("0o17", 15),
            ("0o8", nil), ("0x", nil), ("0x-1", nil), ("1.", 1.0), (".5", 0.5), (".", nil), ("1e", nil), ("1e+", nil),
            ("--1", nil), ("1 2", nil), ("1_000", nil), ("nan", nil), ("inf", nil), ("0x1p3", nil),
            ("1e400", .double(.infinity)),
            ("-Infinity", .double(-.infinity)), ("\u{00A0}5\u{3000}", 5), ("٣", nil),
            ("9223372036854775808", 9_223_372_036_854_775_808.0),
        ] as [(String, Value?)])
    func textsAreReadAsNumbers(text: String, expected: Value?) {
        let number = NumberText.number(from: text)
        #expect(expected == nil ? number.isNaN : number.value == expected)
    }
}
