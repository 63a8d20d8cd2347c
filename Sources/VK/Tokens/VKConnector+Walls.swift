internal import StepKit
internal import Values

extension StepUse {
    /// The wall that it posts on, where it posts and that is known.
    var wall: Int64? {
        TokenNeeds.methods(of: kind).contains(WallPost.method) ? parameters["owner_id"]?.integer : nil
    }
}

extension VKConnector {
    private static let signs = "VK's owner ids are positive for users, negative for communities."

    /// A community's token posts on its own wall only.
    func wrongWall(_ use: StepUse, _ group: Int64, _ account: Account) -> TokenReport.Finding? {
        guard let owner = use.wall, owner != group.opposite else { return nil }
        return TokenReport.Finding(
            address: use.address,
            what: "'owner_id' is \(owner), and the token of \(account.phrase) is that of community \(group)",
            why: owner == group
                ? Self.signs
                : "A community's token posts on its own wall only.",
            fix: "Write owner_id: -\(group).", isWarning: false)
    }

    /// A number that is meant for a community and lacks its sign. A user's wall that is there is never an error: users and
    /// communities are counted separately, so that a friend may well have the number of some community.
    func wrongOwner(_ use: StepUse, _ owners: WallOwners) -> TokenReport.Finding? {
        guard let owner = use.wall, owner > 0, owners.asked.contains(owner) else { return nil }
        let group = owners.groups[owner]
        switch (owners.users.contains(owner), group) {
        case (true, let group?) where group.isManaged:
            return TokenReport.Finding(
                address: use.address, what: "'owner_id' is \(owner), which is a user's wall",
                why: "The account manages \(group.phrase), which has the same number.",
                fix: "Write owner_id: -\(owner) if that one is meant.", isWarning: true)
        case (true, _): return nil
        case (false, let group?):
            return TokenReport.Finding(
                address: use.address, what: "'owner_id' is \(owner), and no user has that number",
                why: "\(Self.signs) It is that of \(group.phrase).", fix: "Write owner_id: -\(owner).", isWarning: false
            )
        case (false, nil):
            return TokenReport.Finding(
                address: use.address, what: "'owner_id' is \(owner), and VK knows no user of that number", why: nil,
                fix: "Check the number.", isWarning: true)
        }
    }

    /// The account's own number as if it were a community's.
    func wrongSign(_ use: StepUse, _ facts: TokenFacts) -> TokenReport.Finding? {
        guard facts.kind == .user, let user = facts.id, use.wall == user.opposite else { return nil }
        return TokenReport.Finding(
            address: use.address, what: "'owner_id' is -\(user), and \(user) is the account's own number",
            why: Self.signs, fix: "Leave it out if the own wall is meant.", isWarning: true)
    }
}
