internal import StepKit
internal import Values

/// The post of a step of several calls: sent once, kept, and read back where that is wanted.
///
/// | part | is kept | holds |
/// |---|---|---|
/// | `posting` | before the request goes | `at`: the time, in milliseconds since 1970 |
/// | `post` | when it was answered | the outputs of `vk.wall.post` |
/// | `missing` | when it was read back and is not whole | the media that it lacks |
///
/// So a death before `posting` has sent nothing, one after `post` has only the reading back to do, and one in between is
/// looked for on the wall.
struct PostPart: Sendable {
    let wall: WallPost
    /// The step's own call.
    let call: StepCall
    /// Those of `wall.post`.
    let parameters: ValueObject
    let verifies: Bool

    private var inner: StepCall { call.part("post", parameters) }

    /// - Parameter extra: outputs beside the post's own.
    func run(_ extra: ValueObject = [:]) async throws -> StepResult {
        let posted = try await post()
        guard verifies else { return .succeeded(posted.adding(extra)) }
        let check = PostCheck(client: wall.client, call: inner)
        switch try await check.readPatiently(posted) {
        case .complete: return .succeeded(posted.adding(extra).adding(["verified": true]))
        case .unreadable(let reason):
            call.warn("the post could not be read back (\(reason)): look at it yourself, \(place(of: posted))")
            return .succeeded(posted.adding(extra).adding(["verified": false]))
        case .missing(let media):
            try await call.parts.keep(.array(media.map(Value.string)), as: "missing")
            return .paused(
                PauseRequest(
                    .inDoubt,
                    message: "VK has posted \(place(of: posted)), but without \(media.joined(separator: " and ")). "
                        + "Accept it as it is by its id, or delete it on VK and have all of it sent again.",
                    show: posted["url"]?.string.map { [$0] } ?? [], answer: .doubt))
        }
    }

    private func post() async throws -> ValueObject {
        if let kept = call.parts["post"]?.object { return kept }
        let inner = inner
        do {
            // Asked before the post, so that nothing stands between its answer and the journal.
            let owner = try await wall.owner(of: inner)
            try await call.parts.keep(["at": .integer(wall.client.now().milliseconds)], as: "posting")
            let outputs = try await wall.post(inner, owner: owner)
            try await call.parts.keep(.object(outputs), as: "post")
            return outputs
        } catch let error as StepError {
            throw error.ofPart("post")
        }
    }

    /// Whether the post was sent, and whether it is whole.
    func look(since intent: Timestamp, _ extra: ValueObject = [:]) async throws -> Sighting {
        if let kept = call.parts["post"]?.object { return try await checked(kept, extra) }
        let window = SendingWindow(part: "posting", of: call, now: wall.client.now())
        if let sighting = window.settled { return sighting }
        let sighting = try await wall.look(for: inner, since: intent)
        guard case .found(let outputs) = sighting else { return window.judge(sighting) }
        return try await checked(outputs, extra)
    }

    private func checked(_ posted: ValueObject, _ extra: ValueObject) async throws -> Sighting {
        guard verifies else { return .found(posted.adding(extra)) }
        switch try await PostCheck(client: wall.client, call: inner).read(posted) {
        case .complete: return .found(posted.adding(extra).adding(["verified": true]))
        case .unreadable:
            // What was seen to be missing is not there because it cannot be looked for any more.
            if let media = call.parts["missing"]?.array?.compactMap(\.string) { return lacking(media, posted) }
            return .found(posted.adding(extra).adding(["verified": false]))
        case .missing(let media): return lacking(media, posted)
        }
    }

    private func lacking(_ media: [String], _ posted: ValueObject) -> Sighting {
        .several(["\(place(of: posted)), which lacks \(media.joined(separator: " and "))"])
    }

    private func place(of posted: ValueObject) -> String {
        posted["url"]?.string ?? "the post \(posted["post_id"]?.integer.map(String.init) ?? "")"
    }
}

/// When a write of a step of several calls can have been sent.
struct SendingWindow: Sendable {
    /// What needs no look at all: it was not sent, or nobody can tell when.
    let settled: Sighting?
    /// How long the request may still be under way.
    private let left: Duration
    /// When it was sent; nil when it was not.
    let sentAt: Timestamp?

    /// - Parameter part: the part that is kept before the request goes, with the time as `at`.
    init(part: String, of call: StepCall, now: Timestamp) {
        guard let at = call.parts[part]?["at"]?.integer.map({ Timestamp(milliseconds: $0) }) else {
            (settled, left, sentAt) = (.neverSent, .zero, nil)
            return
        }
        sentAt = at
        left = at + call.timeout - now
        settled =
            at - now > .seconds(2) ? .unreadable(reason: "this machine's clock has been set back since") : nil
    }

    /// What a look has shown proves nothing while the request may be under way.
    func judge(_ sighting: Sighting) -> Sighting {
        guard sighting == .absent, left > .zero else { return sighting }
        return .tooEarly(left)
    }
}

extension ValueObject {
    func adding(_ others: ValueObject) -> ValueObject {
        var all = self
        for (name, value) in others { all[name] = value }
        return all
    }
}
