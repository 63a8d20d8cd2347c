/// Text made harmless for a terminal: what would act (escape sequences) or hide (bidirectional overrides, zero-width
/// spaces) is shown as a visible sign.
enum VisibleText {
    /// The sign for a scalar that must not be printed as it is; nil for all others.
    ///
    /// | scalar | sign |
    /// |---|---|
    /// | U+0000…U+001F, U+007F | its picture, U+2400…U+2421: "␛" |
    /// | U+0080…U+009F, line and paragraph separator, invisible format characters | "<U+202E>" |
    /// | joiners and tags, which build emoji and Persian words | nil |
    static func sign(for scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x20..<0x7F: return nil
        case 0..<0x20: return String(Unicode.Scalar(0x2400 + scalar.value)!)
        case 0x7F: return "\u{2421}"
        case 0x200C, 0x200D, 0xE0020...0xE007F: return nil
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: break
        case .format where scalar.properties.isDefaultIgnorableCodePoint: break
        default: return nil
        }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
    }

    static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { sign(for: $0) != nil }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if let sign = sign(for: scalar) { result += sign } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
