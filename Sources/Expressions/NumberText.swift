internal import Glibc

/// Numbers as text, both ways, as the expression language has them.
enum NumberText {
    /// Reads a number: decimal with sign, fraction and exponent, `0x` and `0o`, `Infinity` with a sign; blanks around it
    /// do not count and nothing at all is 0. Whole numbers without fraction and exponent stay exact as far as 64 bits
    /// reach. NaN for any other text.
    static func number(from text: String) -> Number {
        let bytes = Array(trimmed(text).utf8)
        guard let first = bytes.first else { return .integer(0) }
        if isDecimal(bytes) {
            let digits = String(decoding: bytes, as: UTF8.self)
            if let whole = Int64(digits) { return .integer(whole) }
            return .double(Double(digits) ?? .nan)
        }
        let sign: Double = first == UInt8(ascii: "-") ? -1 : 1
        let unsigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
        if unsigned.elementsEqual("Infinity".utf8) { return .double(sign * .infinity) }
        guard first == UInt8(ascii: "0"), bytes.count > 2 else { return .double(.nan) }
        let radix = bytes[1] == UInt8(ascii: "x") ? 16 : bytes[1] == UInt8(ascii: "o") ? 8 : 0
        guard radix > 0, bytes[2] != UInt8(ascii: "+"), bytes[2] != UInt8(ascii: "-"),
            let whole = Int64(String(decoding: bytes[2...], as: UTF8.self), radix: radix)
        else { return .double(.nan) }
        return .integer(whole)
    }

    /// 15 significant digits, as .NET's format "G15": decimal between 1E-05 and 1E+15, else with an exponent of at least two
    /// digits.
    static func text(of value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        if value == 0 { return "0" }
        let (digits, exponent) = significantDigits(of: abs(value))
        let sign = value < 0 ? "-" : ""
        if exponent >= 15 || exponent <= -5 {
            let fraction = digits.count > 1 ? "." + String(decoding: digits[1...], as: UTF8.self) : ""
            let power = String(abs(exponent))
            let first = String(decoding: digits[..<1], as: UTF8.self)
            return sign + first + fraction + "E" + (exponent < 0 ? "-" : "+") + (power.utf8.count < 2 ? "0" : "")
                + power
        }
        let whole: [UInt8]
        let fraction: [UInt8]
        let zero = UInt8(ascii: "0")
        if exponent < 0 {
            whole = [zero]
            fraction = Array(repeating: zero, count: -exponent - 1) + digits
        } else {
            whole = (digits + Array(repeating: zero, count: 15)).prefix(exponent + 1) + []
            fraction = Array(digits.dropFirst(exponent + 1))
        }
        return sign + String(decoding: whole, as: UTF8.self)
            + (fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self))
    }

    /// Up to 15 digits without zeros at the end, and the power of ten of the first.
    private static func significantDigits(of value: Double) -> (digits: [UInt8], exponent: Int) {
        var buffer = [CChar](repeating: 0, count: 40)
        _ = withVaList([value]) { vsnprintf(&buffer, buffer.count, "%.14e", $0) }
        let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let parts = text.split(separator: UInt8(ascii: "e"))
        var digits = parts[0].filter { $0 != UInt8(ascii: ".") }
        while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return (digits, Int(String(decoding: parts[1], as: UTF8.self)) ?? 0)
    }

    /// `[+-]? (digits (. digits?)? | . digits) ([eE] [+-]? digits)?`
    private static func isDecimal(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        func skipSign() { if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest.removeFirst() } }
        func skipDigits() -> Bool {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest.removeFirst(digits.count)
            return !digits.isEmpty
        }
        skipSign()
        let hasWhole = skipDigits()
        var hasFraction = false
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            hasFraction = skipDigits()
        }
        guard hasWhole || hasFraction else { return false }
        if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
            rest.removeFirst()
            skipSign()
            guard skipDigits() else { return false }
        }
        return rest.isEmpty
    }

    private static func trimmed(_ text: String) -> Substring {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return Substring(scalars[start...last])
    }
}
