/// What `fields` asks for: `id,caption,children.limit(2){id,media_url}`.
struct InstagramField: Sendable, Hashable {
    var name: String
    var limit: Int?
    var children: [InstagramField]

    /// - Throws: `InstagramError` for braces that do not match.
    static func list(_ text: String) throws -> [InstagramField] {
        var rest = Substring(text)
        let fields = try read(&rest)
        guard rest.isEmpty else { throw syntax(text) }
        return fields
    }

    private static func read(_ rest: inout Substring) throws -> [InstagramField] {
        var fields: [InstagramField] = []
        while true {
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty else { throw syntax(String(rest)) }
            var field = InstagramField(name: String(name), limit: nil, children: [])
            if rest.hasPrefix(".limit(") {
                let digits = rest.dropFirst(7).prefix { $0 != ")" }
                field.limit = Int(digits)
                rest = rest.dropFirst(7 + digits.count + 1)
                guard field.limit != nil else { throw syntax(String(name)) }
            }
            if rest.first == "{" {
                rest.removeFirst()
                field.children = try read(&rest)
                guard rest.first == "}" else { throw syntax(String(name)) }
                rest.removeFirst()
            }
            fields.append(field)
            guard rest.first == "," else { return fields }
            rest.removeFirst()
        }
    }

    private static func syntax(_ text: String) -> InstagramError {
        InstagramError(
            code: 2500,
            message:
                "Syntax error \"Expected end of string instead of \"\(text.prefix(1))\".\" at character 1: \(text)",
            type: "OAuthException")
    }
}
