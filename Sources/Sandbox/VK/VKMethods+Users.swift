internal import Values

extension VKMethods {
    static func usersGet(_ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext) throws
        -> Value
    {
        let ids = call.list("user_ids") + call.list("user_id")
        if ids.isEmpty {
            switch caller {
            case .user: return [VKWorld.user.value]
            case .community: return []
            case .service: throw VKError.parameter("user_ids is required")
            }
        }
        return .array(
            ids.compactMap { id in
                (Int64(id) ?? VKWorld.owner(screenName: id)).flatMap { VKWorld.person($0)?.value }
            })
    }

    static func accountGetAppPermissions(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _ context: VKContext
    ) throws -> Value {
        .integer(context.configuration.userRights)
    }

    static func groupsGetById(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        var ids = call.list("group_ids") + call.list("group_id")
        if ids.isEmpty {
            guard caller == .community else { throw VKError.parameter("group_ids is undefined") }
            ids = ["\(VKWorld.community.id)"]
        }
        let groups = ids.compactMap { id in
            VKWorld.group(Int64(id) ?? -(VKWorld.owner(screenName: id) ?? 0))
        }
        guard !groups.isEmpty else { throw VKError.parameter("group_ids is invalid") }
        return [
            "groups": .array(
                groups.map {
                    $0.value(
                        canManage: caller == .user
                            ? $0.isManaged : caller == .community && $0.id == VKWorld.community.id)
                }), "profiles": [],
        ]
    }

    static func groupsGetTokenPermissions(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let rights: [(String, Int64)] = [
            ("photos", VKRight.photos), ("wall", VKRight.wall), ("docs", VKRight.docs), ("stories", 1),
        ]
        return [
            "mask": .integer(rights.reduce(0) { $0 | $1.1 }),
            "permissions": .array(rights.map { ["name": .string($0.0), "setting": .integer($0.1)] }),
        ]
    }

    static func utilsGetServerTime(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        .integer(call.now.seconds)
    }

    /// An unknown name is an empty list, as VK has it.
    static func utilsResolveScreenName(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        guard let name = call.text("screen_name") else { throw VKError.parameter("screen_name is undefined") }
        guard let owner = VKWorld.owner(screenName: name) else { return [] }
        return ["type": owner < 0 ? "group" : "user", "object_id": .integer(abs(owner))]
    }
}
