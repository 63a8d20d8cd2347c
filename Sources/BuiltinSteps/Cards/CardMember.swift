internal import CSSColors
internal import StoryCard
internal import Values

/// An object among the parameters of a card, and the way to it.
struct CardMember {
    /// As an author writes it: "texts[0]"; empty for the whole.
    let path: String
    let value: Value

    init(_ path: String, _ value: Value) {
        self.path = path
        self.value = value
    }

    private func path(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

    /// Nil where it is null.
    private func given(_ key: String) -> Value? { value[key].flatMap { $0.isNull ? nil : $0 } }

    func has(_ key: String) -> Bool { given(key) != nil }
    func text(_ key: String) -> String? { given(key)?.string }
    func number(_ key: String) -> Double? { given(key)?.double }
    func integer(_ key: String) -> Int64? { given(key)?.integer }
    func flag(_ key: String) -> Bool? { given(key)?.bool }

    func member(_ key: String) -> CardMember? { given(key).map { CardMember(path(key), $0) } }

    func elements(_ key: String) -> [CardMember] {
        (given(key)?.array ?? []).enumerated().map { CardMember("\(path(key))[\($0.offset)]", $0.element) }
    }

    func length(_ key: String) throws(CardProblem) -> CardLength? {
        guard let value = given(key) else { return nil }
        if let number = value.double { return .pixels(number) }
        guard let length = CardLength(value.string ?? "") else {
            throw CardProblem(
                path(key), "'\(value.string ?? value.json())' is not a length", why: "It is pixels or a share.",
                fix: "Write it like 40 or 12%.")
        }
        return length
    }

    /// - Parameter missing: whether it is an error when there is none.
    func paint(_ key: String, missing: Bool = false) throws(CardProblem) -> CardPaint? {
        guard let text = text(key) else {
            guard missing else { return nil }
            throw CardProblem(
                path(key), "the colour is missing",
                why: "In YAML, '#' after a space starts a comment, so a colour without quotes vanishes.",
                fix: "Write it in quotes: \"#FF9500\".")
        }
        do { return try CardPaint(text) } catch {
            throw CardProblem(path(key), error.what, why: error.why, fix: error.fix)
        }
    }

    /// Where a colour must be given.
    func color(_ key: String) throws(CardProblem) -> CardColor? {
        switch try paint(key) {
        case nil: return nil
        case .color(let color): return color
        case .auto:
            throw CardProblem(
                path(key), "'auto' is not a colour here", why: "What a camera reads has a colour of its own.",
                fix: "Write it like \"#000\".")
        }
    }

    func focus(_ key: String) throws(CardProblem) -> CardFocus {
        guard let text = text(key) else { return .center }
        guard let focus = CardFocus(text) else {
            throw CardProblem(
                path(key), "'\(text)' is not a point of a picture", why: "It is a place such as top, or two shares.",
                fix: "Write it like 'top' or '50% 20%'.")
        }
        return focus
    }

    /// - Parameter always: whether there is one without 'at', 'x' and 'y', too.
    func placement(standard: CardAnchor, always: Bool) throws(CardProblem) -> CardPlacement? {
        guard always || has("at") || has("x") || has("y") else { return nil }
        return CardPlacement(
            text("at").flatMap(CardAnchor.init) ?? standard, x: try length("x") ?? 0, y: try length("y") ?? 0)
    }

    func border(_ key: String) throws(CardProblem) -> CardBorder? {
        guard let member = member(key) else { return nil }
        return CardBorder(
            width: member.number("width") ?? 8, bottom: member.number("bottom"),
            color: try member.paint("color") ?? .white)
    }

    /// How strong it is.
    func shadow(standard: Bool) -> Double {
        let strength = number("shadow-strength")
        return flag("shadow") ?? (standard || strength != nil) ? strength ?? 1 : 0
    }
}
