/// Lines of files that may hold a token or a password where none belongs. They are not shown: what is shown ends in mails
/// and logs.
package enum SecretLine {
    /// How names of secrets end, in small letters without '-' and '_'.
    private static let names = [
        "token", "secret", "password", "passwd", "pwd", "passphrase", "apikey", "accesskey", "privatekey", "servicekey",
        "authorization", "токен", "пароль",
    ]

    /// Names of secrets that end other words, too.
    private static let wholeNames = ["pass", "cookie"]

    /// What stands in names of which only a long value is a secret: `tokens`, `TOKEN_VK`.
    private static let parts = ["token", "secret", "passw"]
    private static let longValue = 8

    /// How tokens of VK, Instagram and Facebook begin.
    private static let beginnings = ["vk1.", "vk2.", "IGAA", "IGQ", "EAA"]

    /// Whether a token stands in it, or a value that is written out after a name such as `access_token`.
    package static func isOne(_ line: some StringProtocol) -> Bool {
        let bytes = Array(line.utf8)
        return holdsCredentials(bytes)
            || words(of: bytes).contains { word in
                let text = String(decoding: bytes[word], as: UTF8.self)
                return token(in: text) != nil || isName(text, before: bytes[word.upperBound...])
            }
    }

    /// The text with the beginnings of its tokens alone: "vk1.…".
    static func masked(_ text: String) -> String {
        guard beginnings.contains(where: text.contains) else { return text }
        let bytes = Array(text.utf8)
        var (masked, start) = ("", 0)
        for word in words(of: bytes) {
            guard let token = token(in: String(decoding: bytes[word], as: UTF8.self)),
                let beginning = beginnings.first(where: token.hasPrefix)
            else { continue }
            masked += String(decoding: bytes[start..<(word.upperBound - token.utf8.count)], as: UTF8.self)
            masked += beginning + "…"
            start = word.upperBound
        }
        return masked + String(decoding: bytes[start...], as: UTF8.self)
    }

    private static func words(of bytes: [UInt8]) -> [Range<Int>] {
        bytes.indices.split { !isOfWord(bytes[$0]) }.map { $0.startIndex..<$0.endIndex }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0xD0...0xD1,
            0x80...0xBF:
            true
        default: false
        }
    }

    /// The token that the word is, without what stands before it, as '«'.
    private static func token(in word: String) -> Substring? {
        let token = word.drop { !$0.isASCII }
        return token.utf8.count >= 10 && beginnings.contains(where: token.hasPrefix) ? token : nil
    }

    private static func isName(_ word: String, before rest: ArraySlice<UInt8>) -> Bool {
        let name = word.lowercased().filter { $0 != "-" && $0 != "_" }
        if name == "bearer" { return valueLength(rest) >= longValue }
        guard let value = value(after: rest, isOption: word.hasPrefix("--")) else { return false }
        return (names.contains(where: name.hasSuffix) || wholeNames.contains(name)) && !isList(value)
            ? valueLength(value) > 0 : parts.contains(where: name.contains) && valueLength(value) >= longValue
    }

    /// What follows the colon or the equals sign after a name, or the name of an option.
    private static func value(after rest: ArraySlice<UInt8>, isOption: Bool) -> ArraySlice<UInt8>? {
        let separator = rest.drop { quotesAndBlanks.contains($0) }
        if separator.starts(with: "%3D".utf8) { return separator.dropFirst(3) }
        guard let first = separator.first else { return nil }
        if ":=".utf8.contains(first) || isOption && first == UInt8(ascii: ",") { return separator.dropFirst() }
        return isOption ? separator : nil
    }

    private static func isList(_ value: ArraySlice<UInt8>) -> Bool {
        value.first { !quotesAndBlanks.contains($0) } == UInt8(ascii: "[")
    }

    /// How long the value is that is written out; 0 for an expression, a mapping, a comment or none.
    private static func valueLength(_ text: ArraySlice<UInt8>) -> Int {
        var value = text.drop { quotesAndBlanks.contains($0) || $0 == UInt8(ascii: "[") }
        // A tag or an anchor before it.
        while let first = value.first, "!&".utf8.contains(first) {
            value = value.drop { !quotesAndBlanks.contains($0) }.drop { quotesAndBlanks.contains($0) }
        }
        if value.first == UInt8(ascii: "#"), value.dropFirst().first.map(quotesAndBlanks.contains) == false {
            value = value.dropFirst()
        }
        guard let start = value.first, !"$#{]},*|>\r".utf8.contains(start) else { return 0 }
        let written = value.prefix { !quotesAndBlanks.contains($0) && !",]}".utf8.contains($0) }
        return ["true", "false", "null"].contains(String(decoding: written, as: UTF8.self)) ? 0 : written.count
    }

    private static let quotesAndBlanks = Array(" \t\"'".utf8)

    /// Whether an address with a name and a password stands in it: `https://name:password@host`.
    private static func holdsCredentials(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { start in
            guard bytes[start...].starts(with: "://".utf8) else { return false }
            let host = bytes[(start + 3)...].prefix { $0 != UInt8(ascii: "/") && !quotesAndBlanks.contains($0) }
            guard let at = host.lastIndex(of: UInt8(ascii: "@")),
                let colon = host[..<at].firstIndex(of: UInt8(ascii: ":"))
            else { return false }
            return colon + 1 < at && bytes[colon + 1] != UInt8(ascii: "$")
        }
    }
}
