internal import Diagnostics
internal import StepKit
internal import Values

/// What is wrong with the parameters of one of VK's step kinds, although each fits its type.
///
/// - Parameter method: the kind's name without `vk.`: "wall.post", "wall-photo".
func vkProblems(_ method: String, in call: PlannedCall) -> [ParameterProblem] {
    var problems = idProblems(method, in: call)
    if method == "wall.createComment", !call.mayGive("message", "attachments", "sticker_id") {
        problems.append(
            ParameterProblem(
                "the comment is empty", why: "A comment has a 'message', 'attachments', or a 'sticker_id'.",
                fix: "Give one of them."))
    }
    if method == "story" { problems += storyProblems(in: call) }
    if method == "wall-photo" || method == "album-photos" { problems += photoProblems(method, in: call) }
    if let caption = call.literal("caption")?.string, caption.count > 2048 {
        problems.append(
            ParameterProblem(
                "caption", "has \(caption.count) characters", why: "VK takes up to 2048.",
                fix: "Shorten it with truncate(text, 2048)."))
    }
    problems += attachmentProblems(in: call)
    if ["wall.post", "wall-photo", "wall-text", "wall.edit"].contains(method) {
        problems += postProblems(method, in: call)
    }
    return problems
}

// MARK: Ids

/// Ids with the wrong sign: VK's owner ids are negative for communities, its community ids are not.
private func idProblems(_ method: String, in call: PlannedCall) -> [ParameterProblem] {
    var problems: [ParameterProblem] = []
    if let group = call.literal("group_id")?.integer, group <= 0 {
        problems.append(
            ParameterProblem(
                "group_id", "is \(group)", why: "VK wants a community's id positive here.",
                fix: group == 0
                    ? "Leave it out for the own wall." : "Write community(owner_id), or \(group.magnitude)."))
    }
    if call.literal("owner_id") == 0 {
        problems.append(ParameterProblem("owner_id", "is 0", why: signs, fix: "Leave it out for the own wall."))
    }
    if method == "wall.createComment", let group = call.literal("from_group")?.integer, group < 0 {
        problems.append(
            ParameterProblem(
                "from_group", "is \(group)", why: "For a comment it is the community's id, positive.",
                fix: "Write \(group.magnitude)."))
    }
    return problems
}

private let signs = "VK's owner ids are positive for users, negative for communities."

// MARK: Posts

private func postProblems(_ method: String, in call: PlannedCall) -> [ParameterProblem] {
    var problems: [ParameterProblem] = []
    let attachments = call.sentElements("attachments") ?? []
    let links =
        attachments.count { $0.literal.map(isLink) ?? false } + (call.literal("link").map { $0 != "" } ?? false ? 1 : 0)
    let isEmptyPost = !call.mayGive("message", "attachments", "post_id", "link")
    if method == "wall.post" || method == "wall-text", isEmptyPost {
        problems.append(
            ParameterProblem(
                "the post is empty",
                why: method == "wall-text"
                    ? "A post has a 'message', a 'link', or both." : "A post has a 'message', 'attachments', or both.",
                fix: "Give one of them, or skip the step with 'if' when there is nothing to post."))
    }
    if links > 1 {
        problems.append(
            ParameterProblem(
                "attachments", "has \(links) links", why: "VK takes one link a post.",
                fix: "Attach one, and write the others into 'message'."))
    }
    let media = attachments.count { $0.literal.map { !isLink($0) } ?? false }
    if media > 10 {
        problems.append(
            ParameterProblem(
                "attachments", "has \(media) elements besides the link", why: "VK takes up to 10 a post.",
                fix: "Attach fewer, or make several posts."))
    }
    if let owner = call.literal("owner_id")?.integer, owner > 0, call.literal("from_group") == true {
        problems.append(
            ParameterProblem(
                "from_group", "goes with a community's wall, and 'owner_id' is \(owner), a user", why: signs,
                fix: "Write owner_id: -\(owner) if \(owner) is a community, else leave 'from_group' out."))
    }
    if let seconds = call.literal("donut_paid_duration")?.integer, seconds != -1,
        !(86_400...604_800).contains(seconds)
    {
        problems.append(
            ParameterProblem(
                "donut_paid_duration", "is \(seconds)", why: "VK takes -1 (for ever), or 86400 to 604800 seconds."))
    }
    for (name, limit) in [("lat", 90.0), ("long", 180.0)] {
        if let degrees = call.literal(name)?.double, abs(degrees) > limit {
            problems.append(
                ParameterProblem(
                    name, "is \(degrees)", why: "It is in degrees, from -\(Int(limit)) to \(Int(limit))."))
        }
    }
    return problems
}

// MARK: Attachments

/// What a post can attach besides a link (dev.vk.com, wall.post).
private let attachmentTypes = [
    "photo", "video", "audio", "doc", "page", "note", "poll", "album", "market", "market_album", "audio_playlist",
    "article",
    "podcast", "wall", "story",
]

/// Elements of `attachments` that VK would drop, or take for something else.
private func attachmentProblems(in call: PlannedCall) -> [ParameterProblem] {
    (call.sentElements("attachments") ?? []).compactMap { element -> ParameterProblem? in
        guard let text = element.literal?.string else { return nil }
        if isLink(.string(text)) { return pageProblem(text) }
        let type = String(text.prefix { $0.isASCII && ($0.isLetter || $0 == "_") })
        let ids = text.dropFirst(type.count).split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        let isWhole =
            !type.isEmpty && ids.count >= 2 && Int64(ids[0]) != nil && Int64(ids[1]) ?? 0 > 0
            && (ids.count == 2
                || !ids[2].isEmpty && ids[2].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        let isKnown = attachmentTypes.contains(type)
        guard isWhole || !isKnown && !type.isEmpty && !text.contains(where: \.isWhitespace) else {
            return ParameterProblem(
                "attachments", "has \(Value.string(text).quoted) in it",
                why: "A medium is its type with its owner's and its own number, as photo-12_34 or photo-12_34_key.",
                fix: "Take the 'attachment' that the step gives which made it.")
        }
        guard !isKnown else { return nil }
        return ParameterProblem(
            "attachments",
            "has \(Value.string(text).quoted) in it, and '\(type)' is no type that VK is known to attach",
            severity: .warning,
            fix: nearest(type, among: attachmentTypes).map { "Did you mean '\($0)'?" })
    }
}

/// The page of a medium is attached as a link, not as the medium.
private func pageProblem(_ address: String) -> ParameterProblem? {
    guard isVKAddress(address), let last = address.split(separator: "/").last,
        let type = ["photo", "video", "doc", "album", "poll"].first(where: last.hasPrefix),
        let thing = NamedThing(address, type: type), let owner = thing.owner
    else { return nil }
    return ParameterProblem(
        "attachments", "has the page of \(type == "album" ? "an" : "a") \(type) in it", severity: .warning,
        why: "VK attaches it as a link.", fix: "Write \(type)\(owner)_\(thing.id) if the \(type) itself is meant.")
}

// MARK: Photos

private func photoProblems(_ method: String, in call: PlannedCall) -> [ParameterProblem] {
    guard call.mayGive("photo", "photos") else {
        return [
            ParameterProblem(
                "there is no photo", why: method == "wall-photo" ? "A post of photos has one to ten." : nil,
                fix: "Write 'photos: [one.jpg]', or skip the step with 'if' when there is none.")
        ]
    }
    guard method == "wall-photo" else { return [] }
    let photos = (call.sentElements("photos") ?? []).count + (call.mayGive("photo") ? 1 : 0)
    let media = (call.sentElements("attachments") ?? []).count { $0.literal.map { !isLink($0) } ?? false }
    guard photos + media > 10 else { return [] }
    return [
        ParameterProblem(
            "photos", "has \(photos) elements" + (media > 0 ? ", and 'attachments' \(media) besides" : ""),
            why: "VK takes up to 10 media a post.", fix: "Give fewer, or make several posts.")
    ]
}

// MARK: Stories

private func storyProblems(in call: PlannedCall) -> [ParameterProblem] {
    var problems: [ParameterProblem] = []
    for (one, other) in [("link_text", "link_url"), ("link_url", "link_text")]
    where call.mayGive(one) && !call.mayGive(other) {
        problems.append(
            ParameterProblem(
                one, "goes with '\(other)', which is missing", why: "A button has a word and an address.",
                fix: "Give both, or neither."))
    }
    if let link = call.literal("link_url")?.string, !link.isEmpty {
        if link.utf8.count > 2048 {
            problems.append(
                ParameterProblem("link_url", "has \(link.utf8.count) bytes", why: "VK takes up to 2048."))
        } else if !isVKAddress(link) {
            problems.append(
                ParameterProblem(
                    "link_url", "leads away from VK", why: "A story's button opens pages of VK's only.",
                    fix: "Give a page such as https://vk.com/club12."))
        }
    }
    if call.mayGive("link_url"), call.given("group_id") == nil {
        problems.append(
            ParameterProblem(
                "link_url", "is for a community's story", severity: .warning,
                why: "VK takes a button for a community only, and 'group_id' is missing.",
                fix: "Give the community's id, unless the token is a community's."))
    }
    if call.literal("add_to_news") == false, !call.mayGive("user_ids") {
        problems.append(
            ParameterProblem(
                "add_to_news", "is false, and the story would be seen by nobody",
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

extension PlannedCall {
    /// Whether one of these would be sent, as far as that is known: an expression may always give something.
    fileprivate func mayGive(_ names: String...) -> Bool {
        names.contains { name in
            guard let value = given(name) else { return false }
            return value.literal != "" && sentElements(name)?.isEmpty != true
        }
    }

    /// The elements of a list that would be sent, where it is known which there are: null and "" are not.
    fileprivate func sentElements(_ name: String) -> [PlannedValue]? {
        given(name)?.elements?.filter { !$0.isAbsent && $0.literal != "" }
    }
}
