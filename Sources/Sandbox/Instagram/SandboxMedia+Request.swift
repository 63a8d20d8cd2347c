internal import Values

extension SandboxMedia {
    /// A new post, as `POST /_sandbox/media` describes it.
    ///
    /// - Throws: `SandboxError` that says what may stand there.
    init(request object: ValueObject, now: Timestamp) throws {
        let keys = ["caption", "scene", "square", "kind", "children", "story", "withholds-url", "timestamp"]
        if let key = object.keys.first(where: { !keys.contains($0) }) {
            throw SandboxError("Unknown key '\(key)'. Keys are \(keys.joined(separator: ", ")).")
        }
        let scene = object["scene"]?.string ?? PhotoScene.coffee.rawValue
        guard PhotoScene(rawValue: scene) != nil else {
            let names = PhotoScene.allCases.map(\.rawValue).joined(separator: ", ")
            throw SandboxError("There is no scene '\(scene)'. Scenes are \(names).")
        }
        func kind(_ value: Value?) throws -> Kind {
            guard let value else { return .image }
            guard let kind = value.string.flatMap(Kind.init) else {
                throw SandboxError("There is no kind \(value.json()). Kinds are IMAGE, VIDEO, CAROUSEL_ALBUM.")
            }
            return kind
        }
        let timestamp = object["timestamp"]?.string.flatMap { Timestamp(iso8601: $0) } ?? now
        let children = try (object["children"]?.array ?? []).map {
            SandboxMedia(id: Self.newID(), kind: try kind($0), scene: scene)
        }
        self.init(
            id: Self.newID(), kind: children.isEmpty ? try kind(object["kind"]) : .album,
            caption: object["caption"]?.string, scene: scene, isSquare: object["square"]?.bool ?? false,
            timestamp: timestamp.milliseconds, children: children, isStory: object["story"]?.bool ?? false,
            withholdsURL: object["withholds-url"]?.bool ?? false)
    }

    static func newID() -> String { "18" + randomText(15, from: "123456789") }
}
