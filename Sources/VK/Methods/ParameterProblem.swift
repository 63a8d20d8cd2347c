internal import StepKit
internal import Values

/// What is wrong with the parameters of one of VK's step kinds.
///
/// A member that is not known yet is left out of `parameters` and named in `unknown`: nothing is said of it, and nothing
/// of what it might make good.
///
/// - Parameter method: the kind's name without `vk.`: "wall.post", "wall-photo".
func parameterProblems(
    _ method: String, _ parameters: ValueObject, unknown: Set<String> = []
) -> [ParameterProblem] {
    var problems: [ParameterProblem] = []
    if let group = parameters["group_id"]?.integer, group <= 0 {
        problems.append(
            fault(
                "group_id", "'group_id' is \(group)", why: "VK wants a community's id positive here.",
                fix: group == 0
                    ? "Leave it out for the own wall." : "Write community(owner_id), or \(group.magnitude)."))
    }
    if let owner = parameters["owner_id"]?.integer, owner == 0 {
        problems.append(
            fault(
                "owner_id", "'owner_id' is 0",
                why: "VK's owner ids are positive for users, negative for communities.",
                fix: "Leave it out for the own wall."))
    }
    if method == "wall.createComment", let group = parameters["from_group"]?.integer, group < 0 {
        problems.append(
            fault(
                "from_group", "'from_group' is \(group)", why: "For a comment it is the community's id, positive.",
                fix: "Write \(group.magnitude)."))
    }
    if method == "wall.createComment",
        !["message", "attachments", "sticker_id"].contains(where: { unknown.contains($0) || isGiven(parameters[$0]) })
    {
        problems.append(
            fault(
                nil, "the comment is empty", why: "A comment has a 'message', 'attachments', or a 'sticker_id'.",
                fix: "Give one of them."))
    }
    if method == "story" { problems += storyProblems(parameters, unknown: unknown) }
    if method == "wall-photo" || method == "album-photos" {
        problems += photoProblems(method, parameters, unknown: unknown)
    }
    if let caption = parameters["caption"]?.string, caption.count > 2048 {
        problems.append(
            fault(
                "caption", "'caption' has \(caption.count) characters", why: "VK takes up to 2048.",
                fix: "Shorten it with truncate(text, 2048)."))
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
            fault(
                nil, "the post is empty",
                why: method == "wall-text"
                    ? "A post has a 'message', a 'link', or both." : "A post has a 'message', 'attachments', or both.",
                fix: "Give one of them, or skip the step with 'if' when there is nothing to post."))
    }
    if links.count > 1 {
        problems.append(
            fault(
                "attachments", "'attachments' has \(links.count) links", why: "VK takes one link a post.",
                fix: "Attach one, and write the others into 'message'."))
    }
    let media = attachments.count - attachments.filter(isLink).count
    if media > 10 {
        problems.append(
            fault(
                "attachments", "'attachments' has \(media) elements besides the link",
                why: "VK takes up to 10 a post.", fix: "Attach fewer, or make several posts."))
    }
    if let owner = parameters["owner_id"]?.integer, owner > 0, parameters["from_group"] == true {
        problems.append(
            fault(
                "from_group", "'from_group' goes with a community's wall, and 'owner_id' is \(owner), a user",
                why: "VK's owner ids are positive for users, negative for communities.",
                fix: "Write owner_id: -\(owner) if \(owner) is a community, else leave 'from_group' out."))
    }
    if let seconds = parameters["donut_paid_duration"]?.integer, seconds != -1, !(86_400...604_800).contains(seconds) {
        problems.append(
            fault(
                "donut_paid_duration", "'donut_paid_duration' is \(seconds)",
                why: "VK takes -1 (for ever), or 86400 to 604800 seconds."))
    }
    for (name, limit) in [("lat", 90.0), ("long", 180.0)] {
        if let degrees = parameters[name]?.double, abs(degrees) > limit {
            problems.append(
                fault(
                    name, "'\(name)' is \(parameters[name]?.json() ?? "")",
                    why: "It is in degrees, from -\(Int(limit)) to \(Int(limit))."))
        }
    }
    return problems
}

private func photoProblems(_ method: String, _ parameters: ValueObject, unknown: Set<String>) -> [ParameterProblem] {
    guard unknown.isDisjoint(with: ["photo", "photos", "attachments"]) else { return [] }
    let photos = (sentElements(of: parameters["photos"]) ?? []).count + (isGiven(parameters["photo"]) ? 1 : 0)
    guard photos > 0 else {
        return [
            fault(
                "photos", "there is no photo", why: method == "wall-photo" ? "A post of photos has one to ten." : nil,
                fix: "Write 'photos: [one.jpg]', or skip the step with 'if' when there is none.")
        ]
    }
    guard method == "wall-photo" else { return [] }
    let media = (sentElements(of: parameters["attachments"]) ?? []).filter { !isLink($0) }.count
    guard photos + media > 10 else { return [] }
    return [
        fault(
            "photos",
            "'photos' has \(photos) elements" + (media > 0 ? ", and 'attachments' \(media) besides" : ""),
            why: "VK takes up to 10 media a post.", fix: "Give fewer, or make several posts.")
    ]
}

private func storyProblems(_ parameters: ValueObject, unknown: Set<String>) -> [ParameterProblem] {
    var problems: [ParameterProblem] = []
    for (one, other) in [("link_text", "link_url"), ("link_url", "link_text")]
    where isGiven(parameters[one]) && !isGiven(parameters[other]) && !unknown.contains(other) {
        problems.append(
            fault(
                one, "'\(one)' goes with '\(other)', which is missing", why: "A button has a word and an address.",
                fix: "Give both, or neither."))
    }
    if let link = parameters["link_url"]?.string, !link.isEmpty {
        if link.utf8.count > 2048 {
            problems.append(
                fault("link_url", "'link_url' has \(link.utf8.count) bytes", why: "VK takes up to 2048."))
        } else if !isVKAddress(link) {
            problems.append(
                fault(
                    "link_url", "'link_url' leads away from VK", why: "A story's button opens pages of VK's only.",
                    fix: "Give a page such as https://vk.com/club12."))
        }
    }
    if parameters["add_to_news"] == false, !isGiven(parameters["user_ids"]), !unknown.contains("user_ids") {
        problems.append(
            fault(
                "add_to_news", "the story would be seen by nobody",
                why: "It is shown to followers ('add_to_news') or sent to 'user_ids'.", fix: "Give one of them."))
    }
    return problems
}

/// Whether an address is one of VK's own sites.
private func isVKAddress(_ address: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: address.lowercased().hasPrefix) else { return false }
    let host = address.dropFirst(scheme.count).prefix { !"/?#:".contains($0) }.lowercased()
    return ["vk.com", "vk.ru", "vk.me", "vk.cc"].contains { host == $0 || host.hasSuffix("." + $0) }
}

/// Whether something would be sent.
private func isGiven(_ value: Value?) -> Bool {
    guard let value, !value.isNull, value != "" else { return false }
    return sentElements(of: value).map { !$0.isEmpty } ?? true
}

/// - Parameter what: begins with the parameter's name where that is the subject.
private func fault(_ parameter: String?, _ what: String, why: String? = nil, fix: String? = nil) -> ParameterProblem {
    guard let parameter, what.hasPrefix("'\(parameter)' ") else { return ParameterProblem(what, why: why, fix: fix) }
    return ParameterProblem(parameter, String(what.dropFirst(parameter.count + 3)), why: why, fix: fix)
}

/// What is wrong with a call as far as it is written out.
func parameterProblems(_ method: String, in call: PlannedCall) -> [ParameterProblem] {
    var known = ValueObject()
    var unknown: Set<String> = []
    for member in call.parameters {
        if let value = member.value.literal {
            known[member.name] = value
        } else {
            unknown.insert(member.name)
            known[member.name] = (member.value.elements?.compactMap(\.literal)).map(Value.array)
        }
    }
    return parameterProblems(method, known, unknown: unknown)
}
