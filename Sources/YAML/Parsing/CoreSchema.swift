/// What a scalar's text means: the core schema of YAML 1.2.2, section 10.3.2.
///
/// | text | value |
/// |---|---|
/// | `null` `Null` `NULL` `~` and nothing | null |
/// | `true` `True` `TRUE` `false` `False` `FALSE` | boolean |
/// | `[-+]? [0-9]+`, `0o [0-7]+`, `0x [0-9a-fA-F]+` | integer: `017` is seventeen |
/// | `[-+]? ( \. [0-9]+ \| [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?` | number |
/// | `[-+]? ( \.inf \| \.Inf \| \.INF )`, `\.nan` `\.NaN` `\.NAN` | infinity, not a number |
/// | anything else: `yes`, `on`, `1_000`, `2024-01-01` | string |
enum CoreSchema {
    /// A number that does not fit.
    enum Fault: Error { case integerTooLarge, doubleTooLarge }

    static func resolve(_ text: String) throws(Fault) -> YAMLScalar.Value {
        if isNull(text) { return .null }
        if let value = bool(text) { return .bool(value) }
        if let value = try integer(text) { return .integer(value) }
        if let value = try double(text) { return .double(value) }
        return .string(text)
    }

    static func isNull(_ text: String) -> Bool { ["", "~", "null", "Null", "NULL"].contains(text) }

    static func bool(_ text: String) -> Bool? {
        switch text {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    /// Nil when the text is no integer.
    static func integer(_ text: String) throws(Fault) -> Int64? {
        let bytes = text.utf8
        let radix = text.hasPrefix("0o") ? 8 : text.hasPrefix("0x") ? 16 : 10
        let digits = radix == 10 ? bytes.dropFirst(startsWithSign(text) ? 1 : 0) : bytes.dropFirst(2)
        guard !digits.isEmpty, digits.allSatisfy({ isDigit($0, radix: radix) }) else { return nil }
        guard let value = Int64(radix == 10 ? text[...] : text.dropFirst(2), radix: radix) else {
            throw .integerTooLarge
        }
        return value
    }

    /// Nil when the text is no number; integers are numbers, too.
    static func double(_ text: String) throws(Fault) -> Double? {
        switch text {
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .infinity
        case "-.inf", "-.Inf", "-.INF": return -.infinity
        case ".nan", ".NaN", ".NAN": return .nan
        default: break
        }
        guard isDecimal(text) else { return nil }
        guard let value = Double(text), value.isFinite else { throw .doubleTooLarge }
        return value
    }

    private static func isDecimal(_ text: String) -> Bool {
        var rest = text.utf8.dropFirst(startsWithSign(text) ? 1 : 0)
        let whole = takeDigits(&rest)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = takeDigits(&rest)
        }
        guard whole + fraction > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard takeDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func startsWithSign(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "+") || text.utf8.first == UInt8(ascii: "-")
    }

    private static func takeDigits(_ rest: inout Substring.UTF8View) -> Int {
        let digits = rest.prefix { isDigit($0, radix: 10) }.count
        rest.removeFirst(digits)
        return digits
    }

    private static func isDigit(_ byte: UInt8, radix: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "7"): true
        case UInt8(ascii: "8")...UInt8(ascii: "9"): radix >= 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): radix == 16
        default: false
        }
    }
}
