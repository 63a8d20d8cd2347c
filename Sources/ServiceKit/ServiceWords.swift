public import Values

/// What a service said, fit to be shown: on one line, without the secrets, the queries of addresses cut off (they hold
/// keys), and at most 300 characters long. Nil when nothing is left.
public func serviceWords(_ text: String?, hiding secrets: [Secret]) -> String? {
    guard let text else { return nil }
    let words = Redactor(secrets).redact(text).split { $0.isWhitespace || $0.isControl }
    let line = words.map { word in
        guard word.contains("://"), let query = word.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return word }
        return word[..<query] + "?…"
    }.joined(separator: " ")
    guard !line.isEmpty else { return nil }
    return line.count > 300 ? line.prefix(299) + "…" : line
}

extension Character {
    fileprivate var isControl: Bool {
        unicodeScalars.contains {
            // U+202A to U+202E and U+2066 to U+2069 turn the direction of all that follows.
            $0.properties.generalCategory == .control || 0x202A...0x202E ~= $0.value || 0x2066...0x2069 ~= $0.value
        }
    }
}
