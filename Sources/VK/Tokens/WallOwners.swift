internal import ServiceKit
internal import StepKit
internal import Values

/// What VK says of positive owner ids: whose they are, as users and as communities.
struct WallOwners: Sendable, Hashable {
    struct Group: Sendable, Hashable {
        let id: Int64
        let name: String
        /// Whether the account manages it.
        let isManaged: Bool

        /// "the community 'Soup' (12)".
        var phrase: String { name.isEmpty ? "the community \(id)" : "the community '\(name)' (\(id))" }
    }

    /// The ids that were asked about.
    let asked: Set<Int64>
    /// Those that users have, deleted and banned ones, too.
    let users: Set<Int64>
    /// Those that communities have.
    let groups: [Int64: Group]
}

extension VKClient {
    /// How many ids VK takes at once: 1000 for users, 500 for communities (dev.vk.com, users.get, groups.getById).
    private static let mostOwners = 500

    /// Asks VK about the first 500 of these ids: two calls.
    ///
    /// - Parameter ids: positive.
    /// - Returns: nil when VK gave no answer that tells.
    /// - Throws: `CancellationError`.
    func owners(_ ids: [Int64], for call: StepCall) async throws -> WallOwners? {
        let asked = Array(ids.prefix(Self.mostOwners))
        let list = Value.array(asked.map(Value.integer))
        guard
            let users = try await read("users.get", ["user_ids": list], for: call)?.array,
            let answer = try await read("groups.getById", ["group_ids": list], for: call)
        else { return nil }
        var groups: [Int64: WallOwners.Group] = [:]
        // Older versions of the API answer with the list itself.
        for group in answer["groups"]?.array ?? answer.array ?? [] {
            // A community that is gone is nobody's mistake.
            guard let id = group["id"]?.looseInteger, asked.contains(id), group["deactivated"] == nil else { continue }
            groups[id] = WallOwners.Group(
                id: id, name: serviceWords(group["name"]?.string, hiding: []) ?? "",
                isManaged: group["is_admin"] == true || group["is_admin"]?.looseInteger == 1)
        }
        return WallOwners(
            asked: Set(asked), users: Set(users.compactMap { $0["id"]?.looseInteger }), groups: groups)
    }

    /// Nil when VK refuses; an empty list when it says that it knows none of the ids.
    private func read(_ method: String, _ parameters: ValueObject, for call: StepCall) async throws -> Value? {
        do {
            return try await self.call(method, parameters, effect: .read, for: call, asksPerson: false)
        } catch let error as StepError {
            return ["100", "113", "125", "40"].contains(error.code) ? [] : nil
        }
    }
}
