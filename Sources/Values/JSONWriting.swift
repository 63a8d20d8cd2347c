extension Value {
    /// The shape of written JSON.
    public enum JSONLayout: Sendable {
        /// One line, members in their order.
        case compact
        /// Two blanks a level, members in their order; empty lists and objects stay on one line.
        case indented
        /// One line, members sorted by their UTF-8 bytes: equal values give equal bytes.
        case canonical
    }

    /// The value as JSON. Numbers that JSON cannot say (infinities, NaN) become null, as in ECMAScript.
    public func json(_ layout: JSONLayout = .compact) -> String {
        var output: [UInt8] = []
        write(to: &output, layout: layout, depth: 0)
        return String(decoding: output, as: UTF8.self)
    }

    private func write(to output: inout [UInt8], layout: JSONLayout, depth: Int) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .integer(let value): output += String(value).utf8
        case .double(let value): output += Value.text(of: value).utf8
        case .string(let text): Value.writeString(text, to: &output)
        case .array(let elements):
            Value.writeItems(elements, brackets: "[]", to: &output, layout: layout, depth: depth) { element, output in
                element.write(to: &output, layout: layout, depth: depth + 1)
            }
        case .object(let object):
            var keys = object.keys
            if layout == .canonical { keys.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
            Value.writeItems(keys, brackets: "{}", to: &output, layout: layout, depth: depth) { key, output in
                Value.writeString(key, to: &output)
                output += (layout == .indented ? ": " : ":").utf8
                (object[key] ?? .null).write(to: &output, layout: layout, depth: depth + 1)
            }
        }
    }

    private static func writeItems<Item>(
        _ items: [Item], brackets: String, to output: inout [UInt8], layout: JSONLayout, depth: Int,
        each write: (Item, inout [UInt8]) -> Void
    ) {
        output.append(brackets.utf8.first!)
        for (index, item) in items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if layout == .indented { newLine(depth + 1, &output) }
            write(item, &output)
        }
        if layout == .indented, !items.isEmpty { newLine(depth, &output) }
        output.append(brackets.utf8.last!)
    }

    private static func newLine(_ depth: Int, _ output: inout [UInt8]) {
        output.append(UInt8(ascii: "\n"))
        output += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }

    /// The shortest decimal that reads back as the same double; a whole one without its ".0".
    private static func text(of value: Double) -> String {
        guard value.isFinite else { return "null" }
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Escapes what RFC 8259 §7 asks for: the quote, the backslash and the control characters.
    private static func writeString(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): output += #"\""#.utf8
            case UInt8(ascii: "\\"): output += #"\\"#.utf8
            case 0x08: output += #"\b"#.utf8
            case 0x0C: output += #"\f"#.utf8
            case 0x0A: output += #"\n"#.utf8
            case 0x0D: output += #"\r"#.utf8
            case 0x09: output += #"\t"#.utf8
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                output += #"\u00"#.utf8
                output.append(digits[Int(byte >> 4)])
                output.append(digits[Int(byte & 15)])
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
