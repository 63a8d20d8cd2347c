/// Lines of files that may hold a token or a password where none belongs. They are not shown: what is shown ends in mails
/// and logs.
enum SecretLine {
    private static let names = [
        "token", "secret", "password", "passwd", "apikey", "api_key", "api-key", "authorization",
    ]

    /// How tokens of VK, Instagram and Facebook begin.
    private static let beginnings = ["vk1.", "vk2.", "IGAA", "IGQ", "EAA"]

    /// Whether a token stands in it, or a value that is written out after a name such as `access_token`.
    static func isOne(_ line: Substring) -> Bool {
        let bytes = Array(line.utf8)
        var start = 0
        while start < bytes.count {
            guard isOfWord(bytes[start]) else {
                start += 1
                continue
            }
            let end = bytes[start...].firstIndex { !isOfWord($0) } ?? bytes.count
            let word = String(decoding: bytes[start..<end], as: UTF8.self)
            if word.utf8.count >= 10, beginnings.contains(where: word.hasPrefix) { return true }
            let name = word.lowercased()
            if names.contains(where: name.hasSuffix), hasValue(bytes[end...]) { return true }
            start = end
        }
        return false
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Whether what follows a name gives it a value, and no expression, list or mapping.
    private static func hasValue(_ rest: ArraySlice<UInt8>) -> Bool {
        let quotes = "\"'".utf8
        let blanks = " \t\"'".utf8
        let separator = rest.drop { quotes.contains($0) }
        guard let first = separator.first, ":=".utf8.contains(first) else { return false }
        let value = separator.dropFirst().drop { blanks.contains($0) }
        guard let start = value.first, !"$#{[}],&*!|>\r".utf8.contains(start) else { return false }
        let word = String(decoding: value.prefix { isOfWord($0) }, as: UTF8.self)
        return !["true", "false", "null"].contains(word)
    }
}
