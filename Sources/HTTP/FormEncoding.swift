internal import Values

/// The fields as `application/x-www-form-urlencoded` has them, in their order: `a=1&b=two+words`.
///
/// Every byte but the unreserved ones of RFC 3986 §2.3 is written as `%XX`, the blank as `+` (WHATWG URL §5.2).
public func formEncoded(_ fields: [(name: String, value: String)]) -> String {
    fields.map { percentEncoded($0.name, spaceAsPlus: true) + "=" + percentEncoded($0.value, spaceAsPlus: true) }
        .joined(separator: "&")
}

/// The fields of a form's body or of an address's query, in their order.
///
/// A field without `=` has an empty value, an empty field is left out, a `%` without two hexadecimal digits stands for
/// itself, and bytes that are no UTF-8 become U+FFFD (WHATWG URL §5.1).
public func formDecoded(_ text: String) -> [(name: String, value: String)] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { field in
        let name = field.prefix { $0 != UInt8(ascii: "=") }
        return (decoded(name), decoded(field[name.endIndex...].dropFirst()))
    }
}

private func decoded(_ text: Substring.UTF8View) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "+"):
            output.append(UInt8(ascii: " "))
        case UInt8(ascii: "%"):
            let digits = rest.prefix(2).compactMap(hexadecimalValue)
            if digits.count == 2 {
                output.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        default:
            output.append(byte)
        }
    }
    return String(decoding: output, as: UTF8.self)
}

private func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
