public import StepKit
internal import StoryCard
internal import Values

/// What a card's parameters say besides their types, as far as they are written out.
extension CardCompose {
    public func problems(in call: PlannedCall) -> [ParameterProblem] {
        (call.given("background").map(backgroundProblems) ?? []) + rangeProblems(in: call)
    }

    // MARK: The background's members

    /// Which members a background of a type has: those that it needs, and others.
    private static let members: [String: (needed: [String], others: [String])] = [
        "none": ([], []), "color": (["color"], []), "gradient": (["top", "bottom"], []),
        "image": (["image"], ["blur", "dim"]),
    ]

    private func backgroundProblems(_ background: PlannedValue) -> [ParameterProblem] {
        guard let type = background[member: "type"]?.literal?.string, let members = Self.members[type] else {
            return []
        }
        let missing = members.needed.filter { background[member: $0]?.isAbsent ?? true }.map { name in
            ParameterProblem(
                at: [.member("background"), .member(name)], "is missing", why: Self.rule(type),
                fix: name == "image"
                    ? "Give its path under 'image'" : "Write it in quotes, as '\(name): \"#FF9500\"'")
        }
        let known = members.needed + members.others
        let strays = Self.members.values.flatMap { $0.needed + $0.others }.sorted().filter { name in
            !known.contains(name) && !(background[member: name]?.isAbsent ?? true)
        }
        return missing
            + strays.map { name in
                ParameterProblem(
                    at: [.member("background"), .member(name)], "has no effect", severity: .warning,
                    why: "The background is of type '\(type)'", fix: "Remove it, or change the type")
            }
    }

    private static func rule(_ type: String) -> String {
        switch type {
        case "color": "A background of type 'color' is one colour"
        case "gradient": "A gradient runs from 'top' to 'bottom'"
        default: "A background of type 'image' is a picture"
        }
    }

    // MARK: Ranges

    /// The card's own checks, with something harmless where a value is not known.
    private func rangeProblems(in call: PlannedCall) -> [ParameterProblem] {
        let listed = call.given("stickers")
        var stickers = (listed?.elements ?? []).map(outline)
        let one = call.given("sticker")
        if let one { stickers.append(outline(one)) }
        var background: CardBackground? = .color(.bareBackground)
        // A list that is not known may hold stickers, and a background that is not known may be one.
        let isListKnown = listed == nil || listed?.elements != nil
        let type = call.given("background").map { $0[member: "type"]?.literal?.string ?? "" } ?? "none"
        if type == "none", isListKnown { background = nil }
        if type == "image", let given = call.given("background") {
            background = .image(
                CardBackgroundImage(
                    path: "", blur: given[member: "blur"]?.literal?.double ?? 0,
                    dim: given[member: "dim"]?.literal?.double ?? 0))
        }
        let quality = call.literal("quality")?.integer.map { Int(clamping: $0) } ?? 90
        let spec = CardSpec(
            size: call.literal("size")?.string.flatMap { CardSize($0) } ?? .story, format: .jpeg(quality: quality),
            background: background, stickers: stickers)
        return spec.problems.map { error in
            let (path, problem) = place(of: error, listed: listed?.elements?.count ?? 0)
            return ParameterProblem(at: path, problem, why: error.why, fix: error.fix)
        }
    }

    private func outline(_ sticker: PlannedValue) -> CardSticker {
        func number(_ name: String) -> Double? { sticker[member: name]?.literal?.double }
        return CardSticker(
            image: "", width: number("width"), height: number("height"), scale: number("scale") ?? 1,
            rotation: number("rotation") ?? 0, radius: number("radius"))
    }

    /// Where the author finds what the card's check names, and how the sentence goes on.
    private func place(of error: CardError, listed: Int) -> (path: [TypeMismatch.PathElement], problem: String) {
        switch error {
        case .size(let size): return ([.member("size")], "is \(size)")
        case .number(let name, let place, let value, _):
            let problem = "is \(value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value))"
            if place == "the card" { return ([.member(name)], problem) }
            if place == "the background" { return ([.member("background"), .member(name)], problem) }
            let number = place.split(separator: " ").last.flatMap { Int($0) } ?? 1
            return number <= listed
                ? ([.member("stickers"), .index(number - 1), .member(name)], problem)
                : ([.member("sticker"), .member(name)], problem)
        default: return ([], error.what)
        }
    }
}
