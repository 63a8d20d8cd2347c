internal import ServiceKit
internal import StepKit
internal import Values

/// Reads a post back: VK posts without a photo that it could not use, and says nothing of it.
struct PostCheck: Sendable {
    enum Finding: Sendable, Hashable {
        case complete
        /// Media that the post should have and has not, as "photo1_2".
        case missing([String])
        /// The post cannot be read with this token; why, as a clause.
        case unreadable(reason: String)

        fileprivate static let notShown = Finding.unreadable(reason: "VK does not show it")

        /// Whether another look may show more.
        fileprivate var mayPass: Bool {
            if case .missing = self { true } else { self == .notShown }
        }
    }

    let client: VKClient
    /// The call of `wall.post` that made it.
    let call: StepCall

    /// - Parameter posted: the outputs of the post.
    /// - Throws: `StepError` for a failure that passes; `CancellationError`.
    func read(_ posted: ValueObject) async throws -> Finding {
        let wanted = mediaNames(in: call["attachments"])
        guard !wanted.isEmpty else { return .complete }
        guard let place = posted["url"]?.string.flatMap({ PostPlace(text: $0) }) else {
            return .unreadable(reason: "VK did not say whose wall it is on")
        }
        var missing = try await missing(of: wanted, at: place)
        // What was posted a moment ago may not be everywhere yet.
        if missing.mayPass {
            try await client.sleep(call.account?.settle ?? .seconds(5))
            missing = try await self.missing(of: wanted, at: place)
        }
        return missing
    }

    /// As `read`, tried three times: the post is there, whatever becomes of looking at it.
    func readPatiently(_ posted: ValueObject) async throws -> Finding {
        for _ in 0..<2 {
            do { return try await read(posted) } catch is StepError {
                try await client.sleep(call.account?.settle ?? .seconds(5))
            }
        }
        do { return try await read(posted) } catch let error as StepError {
            return .unreadable(reason: error.what)
        }
    }

    private func missing(of wanted: [String], at place: PostPlace) async throws -> Finding {
        let answer: Value
        do {
            answer = try await client.call(
                "wall.getById", ["posts": [.string("\(place.owner)_\(place.post)")]], effect: .read,
                for: call.part("check", [:]), asksPerson: false)
        } catch let error as StepError where !error.errorClass.isRetried {
            return .unreadable(reason: error.what)
        }
        // Older versions of the API answer with the list itself.
        guard let post = (answer["items"]?.array ?? answer.array)?.first else {
            return .notShown
        }
        let there = attachedMedia(post)
        let types = (post["attachments"]?.array ?? []).compactMap { $0["type"]?.string }
        // A medium may have another id on the wall than it was saved with, a community's in place of the user's: where as many
        // of a type hang there as were sent, none was dropped.
        let missing = wanted.filter { name in
            let type = name.prefix { $0 != "-" && !$0.isNumber }
            let sent = wanted.count { $0.prefix { $0 != "-" && !$0.isNumber } == type }
            return !there.contains(name) && types.count { $0 == type } < sent
        }
        return missing.isEmpty ? .complete : .missing(missing)
    }
}

/// The media of an `attachments` parameter, as "photo1_2", without keys and links.
func mediaNames(in attachments: Value?) -> [String] {
    (sentElements(of: attachments) ?? []).filter { !isLink($0) }.compactMap { element in
        element.string.map { $0.split(separator: "_").prefix(2).joined(separator: "_") }
    }
}

/// The media that hang on a post or a comment as VK gives it, as "photo1_2".
func attachedMedia(_ item: Value) -> Set<String> {
    Set(
        (item["attachments"]?.array ?? []).compactMap { attachment in
            guard let type = attachment["type"]?.string, let object = attachment[type],
                let id = object["id"]?.looseInteger,
                // A wiki page names its community in place of an owner.
                let owner = object["owner_id"]?.looseInteger ?? object["group_id"]?.looseInteger?.opposite
            else { return nil }
            return "\(type)\(owner)_\(id)"
        })
}
