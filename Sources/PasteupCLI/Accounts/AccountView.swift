internal import StepKit
internal import Values

/// An account of `pasteup login` for people and for programs; never its token.
struct AccountView {
    let record: TokenRecord
    private let now: Timestamp

    init(_ record: TokenRecord, now: Timestamp) {
        self.record = record
        self.now = now
    }

    var service: String {
        switch record.type {
        case "instagram": "Instagram"
        case "vk": "VK"
        default: record.type
        }
    }

    /// "Instagram, kafe.miro (17841405309211844)".
    var who: String {
        let user =
            switch (record.userName, record.userID) {
            case (let name?, let id?) where !name.isEmpty: "\(name) (\(id))"
            case (_, let id?): id
            // Nobody's of VK's but the service tokens are.
            default: record.type == "vk" ? "a service token" : "a token of nobody's own"
            }
        return "\(service), \(user)"
    }

    /// "sign-in by VK ID".
    private var source: String {
        switch record.source {
        case .pasted: "pasted"
        case .code: "sign-in"
        case .vkID: "VK ID"
        case .implicit: "classic sign-in"
        }
    }

    var rights: String { record.rights.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") } ?? "not known" }

    /// When the token ends, and what comes then.
    var end: String {
        guard let expires = record.expires else {
            return record.type == "instagram"
                ? "not known; at most 60 days after it was made, refreshed by itself from the second day on"
                : "it does not end by itself"
        }
        if record.asked != nil {
            return "\(expires.localText); the answer to its last refresh was lost, and it may be the last: \(signIn)"
        }
        if record.refreshToken != nil { return "\(expires.localText), refreshed by itself" }
        if expires <= now { return "\(expires.localText): it has ended. Sign in anew: \(signIn)" }
        return record.type == "instagram"
            ? "\(expires.localText), refreshed by itself when less than 30 days are left" : expires.localText
    }

    /// The command that replaces the token.
    var signIn: String {
        "pasteup login \(record.type)" + (record.name == record.type ? "" : " --name \(record.name)")
    }

    /// A few lines, indented.
    var details: String {
        var lines = ["rights: \(rights)", "ends: \(end)", "got: \(record.obtained.localText), \(source)"]
        if let base = record.baseURL { lines.append("base-url: \(base)") }
        return lines.map { "  \($0)\n" }.joined()
    }

    var json: String { Value.object(members).json() + "\n" }

    /// The names are promises.
    var members: ValueObject {
        var object: ValueObject = [
            "name": .string(record.name), "type": .string(record.type), "source": .string(record.source.rawValue),
            "obtained": .string(record.obtained.iso8601), "refreshes": .bool(refreshes),
        ]
        object["user-id"] = record.userID.map(Value.string) ?? .null
        object["user-name"] = record.userName.map(Value.string) ?? .null
        object["rights"] = record.rights.map { .array($0.map(Value.string)) } ?? .null
        object["expires"] = record.expires.map { .string($0.iso8601) } ?? .null
        object["base-url"] = record.baseURL.map(Value.string)
        return object
    }

    private var refreshes: Bool { record.type == "instagram" || record.refreshToken != nil }

    /// Whether a person has to do something soon: the token ends within a week, and nothing refreshes it in time.
    var endsSoon: Bool {
        guard let expires = record.expires, record.refreshToken == nil || record.asked != nil else { return false }
        return expires - now < .seconds(7 * 86_400)
    }
}
