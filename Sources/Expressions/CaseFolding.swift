/// Comparing texts as GitHub's expressions do: .NET's `StringComparison.OrdinalIgnoreCase`, which maps each character to
/// its simple upper case, except from outside ASCII into it ('ı' and 'ſ' stay apart from 'I' and 'S').
enum CaseFolding {
    /// The text in simple upper case, scalar by scalar.
    static func fold(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: text.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
        }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { folded.append(upper(scalar)) }
        return String(folded)
    }

    static func equal(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8) || fold(one).utf8.elementsEqual(fold(other).utf8)
    }

    /// By UTF-16 code units of the folded texts, as .NET orders them.
    static func precedes(_ one: String, _ other: String) -> Bool {
        fold(one).utf16.lexicographicallyPrecedes(fold(other).utf16)
    }

    static func hasPrefix(_ text: String, _ prefix: String) -> Bool { fold(text).utf8.starts(with: fold(prefix).utf8) }

    static func hasSuffix(_ text: String, _ suffix: String) -> Bool {
        let text = Array(fold(text).utf8)
        let suffix = Array(fold(suffix).utf8)
        return text.suffix(suffix.count).elementsEqual(suffix)
    }

    /// In time proportional to both texts (Knuth, Morris, Pratt).
    static func contains(_ text: String, _ part: String) -> Bool {
        let part = Array(fold(part).utf8)
        // The length of the longest proper prefix of the part that ends at each of its bytes.
        var borders = [Int](repeating: 0, count: part.count)
        var matched = 0
        for index in part.indices.dropFirst() {
            while matched > 0, part[index] != part[matched] { matched = borders[matched - 1] }
            if part[index] == part[matched] { matched += 1 }
            borders[index] = matched
        }
        guard !part.isEmpty else { return true }
        matched = 0
        for byte in fold(text).utf8 {
            while matched > 0, byte != part[matched] { matched = borders[matched - 1] }
            if byte == part[matched] { matched += 1 }
            if matched == part.count { return true }
        }
        return false
    }

    /// For names of contexts and functions, which are ASCII.
    static func asciiLowercased(_ name: String) -> String {
        String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    private static func upper(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII { return ("a"..."z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value - 0x20)) : scalar }
        // The properties hold the full mapping; where it grows ('ᾀ'), the title case is the simple one, and a letter
        // without a simple one ('ß') stays.
        for mapping in [scalar.properties.uppercaseMapping, scalar.properties.titlecaseMapping] {
            let scalars = mapping.unicodeScalars
            if let first = scalars.first, scalars.count == 1 { return first.isASCII ? scalar : first }
        }
        return scalar
    }
}
