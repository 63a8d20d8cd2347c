internal import Files
internal import ServiceKit
internal import StepKit
internal import Values

/// How far the publishing of one call has got, in a file of the run's own: an answer that is lost must not lead to a second
/// container, and one container is published once at most.
struct PublishProgress: Sendable, Hashable {
    /// The professional account's id.
    var user: String?
    /// The containers of a carousel's items.
    var children: [String] = []
    /// The one that is published.
    var container: String?
    /// Whether the request that publishes it may have left.
    var isSent = false

    private static func path(_ call: StepCall) -> String {
        FileSystem.join(call.artifacts, "\(call.fileStem)-\(call.idempotencyKey.prefix(12)).container.json")
    }

    /// What an earlier attempt has left; nothing when there was none.
    static func load(_ call: StepCall) throws -> PublishProgress {
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(path(call), maxBytes: 64 << 10) } catch {
            if error.isMissing { return PublishProgress() }
            throw StepError(.invalid, "\(error)", why: "It says which container was made.")
        }
        guard let value = try? Value(json: bytes) else {
            throw StepError(
                .inDoubt, "'\(path(call))' cannot be read",
                why: "It said which container was made, and whether it was sent.")
        }
        var progress = PublishProgress()
        progress.user = value["user"]?.string
        progress.children = value["children"]?.array?.compactMap(\.string) ?? []
        progress.container = value["container"]?.string
        progress.isSent = value["sent"] == true
        return progress
    }

    /// On disk when it returns.
    func save(_ call: StepCall) async throws {
        var object: ValueObject = ["children": .array(children.map(Value.string)), "sent": .bool(isSent)]
        object["user"] = user.map(Value.string)
        object["container"] = container.map(Value.string)
        do {
            try await saveArtifact(Array(Value.object(object).json().utf8), to: Self.path(call))
        } catch let error as FileError {
            throw StepError(.invalid, "\(error)", why: "Nothing was published.", fix: "See that there is room for it.")
        }
    }
}
