internal import StepKit
public import Values

/// A mistake in the parameters of a call that can be told before anything is sent.
public struct ParameterProblem: Sendable, Hashable {
    /// The parameter it is about; nil for the call as a whole.
    public let parameter: String?
    /// What is wrong, as a clause.
    public let what: String
    /// A sentence on the rule behind it.
    public let why: String?
    /// A sentence on how to mend it.
    public let fix: String?

    init(_ parameter: String?, _ what: String, why: String? = nil, fix: String? = nil) {
        self.parameter = parameter
        self.what = what
        self.why = why
        self.fix = fix
    }

    var error: StepError { StepError(.invalid, what, why: why, fix: fix) }
}

/// What is wrong with the parameters of one of VK's step kinds.
///
/// A member that is not known yet is left out of `parameters` and named in `unknown`: nothing is said of it, and nothing
/// of what it might make good.
///
/// - Parameter method: the kind's name without `vk.`: "wall.post", "wall-photo".
public func parameterProblems(
    _ method: String, _ parameters: ValueObject, unknown: Set<String> = []
) -> [ParameterProblem] {
    var problems: [ParameterProblem] = []
    if let group = parameters["group_id"]?.integer, group <= 0 {
        problems.append(
            ParameterProblem(
                "group_id", "'group_id' is \(group)", why: "VK wants a community's id positive here.",
                fix: group == 0
                    ? "Leave it out for the own wall." : "Write community(owner_id), or \(group.magnitude)."))
    }
    if let owner = parameters["owner_id"]?.integer, owner == 0 {
        problems.append(
            ParameterProblem(
                "owner_id", "'owner_id' is 0",
                why: "VK's owner ids are positive for users, negative for communities.",
                fix: "Leave it out for the own wall."))
    }
    if method == "wall.createComment", let group = parameters["from_group"]?.integer, group < 0 {
        problems.append(
            ParameterProblem(
                "from_group", "'from_group' is \(group)", why: "For a comment it is the community's id, positive.",
                fix: "Write \(group.magnitude)."))
    }
    if postingKinds.contains(method) { problems += postProblems(method, parameters, unknown: unknown) }
    return problems
}

private let postingKinds: Set<String> = ["wall.post", "wall-photo", "wall-text", "wall.edit"]

private func postProblems(_ method: String, _ parameters: ValueObject, unknown: Set<String>) -> [ParameterProblem] {
    var problems: [ParameterProblem] = []
    let attachments = sentElements(of: parameters["attachments"]) ?? []
    let links = attachments.filter(isLink) + [parameters["link"]].compactMap { $0 }.filter { !$0.isNull && $0 != "" }
    let hasContent = ["message", "attachments", "post_id", "link", "photo", "photos"].contains { name in
        unknown.contains(name) || isGiven(parameters[name])
    }
    if method == "wall.post" || method == "wall-text", !hasContent {
        problems.append(
            ParameterProblem(
                nil, "the post is empty",
                why: method == "wall-text"
                    ? "A post has a 'message', a 'link', or both." : "A post has a 'message', 'attachments', or both.",
                fix: "Give one of them, or skip the step with 'if' when there is nothing to post."))
    }
    if links.count > 1 {
        problems.append(
            ParameterProblem(
                "attachments", "'attachments' has \(links.count) links", why: "VK takes one link a post.",
                fix: "Attach one, and write the others into 'message'."))
    }
    let media = attachments.count - attachments.filter(isLink).count
    if media > 10 {
        problems.append(
            ParameterProblem(
                "attachments", "'attachments' has \(media) elements besides the link",
                why: "VK takes up to 10 a post.", fix: "Attach fewer, or make several posts."))
    }
    if let owner = parameters["owner_id"]?.integer, owner > 0, parameters["from_group"] == true {
        problems.append(
            ParameterProblem(
                "from_group", "'from_group' goes with a community's wall, and 'owner_id' is \(owner), a user",
                why: "VK's owner ids are positive for users, negative for communities.",
                fix: "Write owner_id: -\(owner) if \(owner) is a community, else leave 'from_group' out."))
    }
    if let seconds = parameters["donut_paid_duration"]?.integer, seconds != -1, !(86_400...604_800).contains(seconds) {
        problems.append(
            ParameterProblem(
                "donut_paid_duration", "'donut_paid_duration' is \(seconds)",
                why: "VK takes -1 (for ever), or 86400 to 604800 seconds."))
    }
    for (name, limit) in [("lat", 90.0), ("long", 180.0)] {
        if let degrees = parameters[name]?.double, abs(degrees) > limit {
            problems.append(
                ParameterProblem(
                    name, "'\(name)' is \(parameters[name]?.json() ?? "")",
                    why: "It is in degrees, from -\(Int(limit)) to \(Int(limit))."))
        }
    }
    return problems
}

/// Whether something would be sent.
private func isGiven(_ value: Value?) -> Bool {
    guard let value, !value.isNull, value != "" else { return false }
    return sentElements(of: value).map { !$0.isEmpty } ?? true
}
