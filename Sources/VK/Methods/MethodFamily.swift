internal import Diagnostics
internal import StepKit

/// `vk.<section>.<method>`: every method of VK's, by its own name.
///
/// Methods of `wall`, `photos` and `stories` are checked against VK's schema. All others are passed on, since VK has more
/// methods than any list. A name that is nearly one that is known is no method: it is a slip of the pen.
struct MethodFamily: StepKindFamily {
    let client: VKClient

    func kind(named name: String) -> (any StepKind)? {
        guard name.hasPrefix("vk.") else { return nil }
        let method = String(name.dropFirst(3))
        if let described = VKMethodTable.method(method) { return MethodStep(described, client: client) }
        guard Self.isMethodName(method), !Self.isSlip(method) else { return nil }
        return MethodStep(VKMethod(undescribed: method), client: client)
    }

    let pattern = #"^vk\.([A-Za-z][A-Za-z0-9_]*\.[A-Za-z][A-Za-z0-9_]*|execute)$"#

    var knownNames: [String] { (VKMethodTable.names + Self.others).map { "vk." + $0 } }

    /// A section and a name, or `execute`, alone or with the name of a stored procedure.
    private static func isMethodName(_ text: String) -> Bool {
        if text == "execute" { return true }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                part.first.map { $0.isASCII && $0.isLetter } ?? false
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            }
    }

    private static func isSlip(_ method: String) -> Bool {
        let section = String(VKMethod.section(of: method))
        if VKMethodTable.sections.contains(section) {
            let verbs = VKMethodTable.names.filter { VKMethod.section(of: $0) == section }.map {
                $0.dropFirst(section.count + 1)
            }
            return nearest(String(method.dropFirst(section.count + 1)), among: verbs.map(String.init)) != nil
        }
        return !sections.contains(section) && nearest(section, among: sections.sorted()) != nil
    }

    /// VK's sections (dev.vk.com, "Methods").
    private static let sections: Set<String> = [
        "account", "ads", "adsweb", "apps", "appWidgets", "asr", "audio", "auth", "board", "bugtracker", "calls",
        "captcha", "database", "docs", "donut", "downloadedGames", "email", "execute", "fave", "friends", "gifts",
        "groups", "leadForms", "likes", "market", "messages", "newsfeed", "notes", "notifications", "orders", "pages",
        "photos", "places", "podcasts", "polls", "prettyCards", "search", "secure", "stats", "status", "storage",
        "store", "stories", "streaming", "subscriptions", "translations", "users", "utils", "video", "wall", "widgets",
    ]

    /// Methods outside the schema that a poster uses, for suggestions.
    private static let others = [
        "account.getAppPermissions", "account.getProfileInfo", "docs.getWallUploadServer", "docs.save", "docs.get",
        "execute", "groups.get", "groups.getById", "groups.getTokenPermissions", "likes.add", "market.get",
        "polls.create", "status.set", "users.get", "utils.getServerTime", "utils.getShortLink",
        "utils.resolveScreenName", "video.get", "video.save",
    ]
}
