internal import CSSColors
internal import StoryCard
internal import Values

/// What is wrong with the parameters of a card, in the order in which they are read.
final class CardProblems {
    private(set) var all: [CardProblem] = []

    func add(_ problem: CardProblem) { all.append(problem) }
}

/// An object among the parameters of a card, and the way to it.
///
/// What is given and cannot be read is told to `problems`, and something harmless stands in its place.
struct CardMember {
    /// As an author writes it: "texts[0]"; empty for the whole.
    let path: String
    let value: Value
    let problems: CardProblems

    init(_ path: String, _ value: Value, _ problems: CardProblems) {
        self.path = path
        self.value = value
        self.problems = problems
    }

    /// - Parameter predicate: goes on after the name of the key.
    func report(_ key: String, _ predicate: String, why: String? = nil, fix: String? = nil) {
        problems.add(CardProblem(path(key), predicate: predicate, why: why, fix: fix))
    }

    private func path(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

    /// Nil where it is null.
    private func given(_ key: String) -> Value? { value[key].flatMap { $0.isNull ? nil : $0 } }

    func has(_ key: String) -> Bool { given(key) != nil }
    func text(_ key: String) -> String? { given(key)?.string }
    func number(_ key: String) -> Double? { given(key)?.double }
    func integer(_ key: String) -> Int64? { given(key)?.integer }
    func flag(_ key: String) -> Bool? { given(key)?.bool }

    func member(_ key: String) -> CardMember? { given(key).map { CardMember(path(key), $0, problems) } }

    func elements(_ key: String) -> [CardMember] {
        (given(key)?.array ?? []).enumerated().map {
            CardMember("\(path(key))[\($0.offset)]", $0.element, problems)
        }
    }

    func length(_ key: String) -> CardLength? {
        guard let value = given(key) else { return nil }
        if let number = value.double { return .pixels(number) }
        if let length = CardLength(value.string ?? "") { return length }
        report(
            key, "is '\(value.string ?? value.json())', not a length", why: "It is pixels or a share.",
            fix: "Write it like 40 or 12%.")
        return nil
    }

    /// - Parameter missing: whether it is an error when there is none.
    func paint(_ key: String, missing: Bool = false) -> CardPaint? {
        guard let text = text(key) else {
            if missing {
                report(
                    key, "is missing",
                    why: "In YAML, '#' after a space starts a comment, so a colour without quotes vanishes.",
                    fix: "Write it in quotes: \"#FF9500\".")
            }
            return nil
        }
        do { return try CardPaint(text) } catch {
            report(key, "is '\(text)', not a colour", why: error.why, fix: error.fix)
            return .black
        }
    }

    /// Where a colour must be given.
    func color(_ key: String) -> CardColor? {
        switch paint(key) {
        case nil: return nil
        case .color(let color): return color
        case .auto:
            report(
                key, "is 'auto', not a colour", why: "What a camera reads has a colour of its own.",
                fix: "Write it like \"#000\".")
            return nil
        }
    }

    func focus(_ key: String) -> CardFocus {
        guard let text = text(key) else { return .center }
        if let focus = CardFocus(text) { return focus }
        report(
            key, "is '\(text)', not a point of a picture", why: "It is a place such as top, or two shares.",
            fix: "Write it like 'top' or '50% 20%'.")
        return .center
    }

    /// - Parameter always: whether there is one without 'at', 'x' and 'y', too.
    func placement(standard: CardAnchor, always: Bool) -> CardPlacement? {
        guard always || has("at") || has("x") || has("y") else { return nil }
        return CardPlacement(
            text("at").flatMap(CardAnchor.init) ?? standard, x: length("x") ?? 0, y: length("y") ?? 0)
    }

    func border(_ key: String) -> CardBorder? {
        guard let member = member(key) else { return nil }
        return CardBorder(
            width: member.number("width") ?? 8, bottom: member.number("bottom"),
            color: member.paint("color") ?? .white)
    }

    /// How strong it is.
    func shadow(standard: Bool) -> Double {
        let strength = number("shadow-strength")
        return flag("shadow") ?? (standard || strength != nil) ? strength ?? 1 : 0
    }
}
