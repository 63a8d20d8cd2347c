internal import StepKit
internal import Values

/// How far the publishing of one call has got, kept as the part `publishing` of its step: an answer that is lost must not
/// lead to a second container, and one container is published once at most.
struct PublishProgress: Sendable, Hashable {
    private static let part = "publishing"

    /// The professional account's id.
    var user: String?
    /// Of which pictures the containers are made; nil where an earlier version has kept none.
    var pictures: [String]?
    /// The containers of a carousel's items.
    var children: [String] = []
    /// The one that is published.
    var container: String?
    /// Whether the request that publishes it may have left.
    var isSent = false

    /// Nothing yet.
    ///
    /// - Parameter user: the professional account's id, where it is known.
    init(user: String? = nil) { self.user = user }

    /// What an earlier attempt has left; nothing when there was none.
    init(_ call: StepCall) {
        guard let value = call.parts[Self.part] else { return }
        user = value["user"]?.string
        pictures = value["pictures"]?.array?.compactMap(\.string)
        children = value["children"]?.array?.compactMap(\.string) ?? []
        container = value["container"]?.string
        isSent = value["sent"] == true
    }

    /// On disk when it returns.
    func save(_ call: StepCall) async throws {
        var object: ValueObject = ["children": .array(children.map(Value.string)), "sent": .bool(isSent)]
        object["pictures"] = pictures.map { .array($0.map(Value.string)) }
        object["user"] = user.map(Value.string)
        object["container"] = container.map(Value.string)
        try await call.parts.keep(.object(object), as: Self.part)
    }
}
