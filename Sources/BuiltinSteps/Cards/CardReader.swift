internal import CSSColors
internal import StoryCard
internal import Values

/// Makes a spec of parameters.
struct CardReader {
    private let root: CardMember

    init(_ parameters: ValueObject, _ problems: CardProblems) { root = CardMember("", .object(parameters), problems) }

    func spec() -> CardSpec {
        let size = size()
        var spec = CardSpec(size: size, format: format())
        if let background = root.member("background") { spec.background = self.background(background) }
        for shape in root.elements("shapes") { spec.shapes.append(self.shape(shape)) }
        for sticker in root.elements("stickers") { spec.stickers.append(self.sticker(sticker)) }
        if let sticker = root.member("sticker") { spec.stickers.append(self.sticker(sticker)) }
        if let logo = root.member("logo") { spec.logo = self.logo(logo, on: size) }
        if let code = root.member("qr") { spec.qrCode = qrCode(code) }
        for text in root.elements("texts") { spec.texts.append(self.text(text)) }
        return spec
    }

    private func size() -> CardSize {
        let text = root.text("size") ?? "story"
        if let size = CardSize(text) { return size }
        root.report("size", "is '\(text)', not a size", fix: "Write 1080x1920, or the name story.")
        return CardSize(width: 1080, height: 1920)
    }

    private func format() -> CardFormat {
        let quality = Int(root.integer("quality") ?? 90)
        switch root.text("format") {
        case "png": return .png
        case "webp": return .webp(quality: quality)
        default: return .jpeg(quality: quality, fullChroma: root.text("chroma") == "4:4:4")
        }
    }

    // MARK: Background

    private func background(_ member: CardMember) -> CardBackground? {
        switch CardReader.backgroundType(member.value) {
        case "color": return .color(member.paint("color", missing: true) ?? .black)
        case "gradient": return .gradient(gradient(member, standard: .auto, angle: 180))
        case "image":
            return .image(
                CardBackgroundImage(
                    path: member.text("image"), blur: member.number("blur") ?? 0, dim: member.number("dim") ?? 0,
                    focus: member.focus("focus")))
        default: return nil
        }
    }

    /// The type that is written, or the one that the other members mean.
    static func backgroundType(_ value: Value) -> String? {
        func has(_ names: String...) -> Bool { names.contains { !(value[$0]?.isNull ?? true) } }
        if let type = value["type"]?.string { return type }
        if has("image", "blur", "dim", "focus") { return "image" }
        if has("top", "bottom", "stops", "angle") { return "gradient" }
        return has("color") ? "color" : nil
    }

    /// - Parameter standard: in place of a colour that is not given.
    private func gradient(
        _ member: CardMember, standard: CardPaint, angle: Double
    ) -> CardGradient {
        let angle = member.number("angle") ?? angle
        let elements = member.elements("stops")
        guard !elements.isEmpty else {
            return CardGradient(
                top: member.paint("top") ?? standard, bottom: member.paint("bottom") ?? standard, angle: angle)
        }
        var stops: [CardGradient.Stop] = []
        for (index, element) in elements.enumerated() {
            let even = elements.count == 1 ? 0 : Double(index) / Double(elements.count - 1)
            stops.append(
                CardGradient.Stop(
                    element.paint("color", missing: true) ?? standard, at: element.number("at") ?? even))
        }
        return CardGradient(stops: stops, angle: angle)
    }

    // MARK: Pictures and shapes

    private func sticker(_ member: CardMember) -> CardSticker {
        CardSticker(
            image: image(of: member), width: member.length("width"), height: member.length("height"),
            scale: member.number("scale") ?? 1, fit: member.text("fit").flatMap(CardSticker.Fit.init) ?? .contain,
            focus: member.focus("focus"), placement: member.placement(standard: .center, always: false),
            rotation: member.number("rotation") ?? 0, radius: member.length("radius"),
            border: member.border("border"), shadow: member.shadow(standard: true),
            opacity: member.number("opacity") ?? 1)
    }

    private func logo(_ member: CardMember, on size: CardSize) -> CardSticker {
        CardSticker(
            image: image(of: member),
            width: member.length("width") ?? (member.has("height") ? nil : .percent(size.isWide ? 10 : 16)),
            height: member.length("height"),
            placement: member.placement(standard: .bottomRight, always: false), frame: .margins, radius: 0,
            shadow: 0, opacity: member.number("opacity") ?? 0.9)
    }

    private func image(of member: CardMember) -> String {
        if let path = member.text("image") { return path }
        member.report(
            "image", "is missing", why: "The preset has a place for a picture.", fix: "Give its path there.")
        return ""
    }

    private func shape(_ member: CardMember) -> CardShape {
        let fill: CardShape.Fill
        if member.has("stops") || member.has("top") || member.has("bottom") {
            let clear = CardPaint.color(CardColor(red: 0, green: 0, blue: 0, alpha: 0))
            fill = .gradient(gradient(member, standard: clear, angle: 180))
        } else {
            // A border alone is a frame.
            let standard: CardShape.Fill = member.has("border") ? .none : .color(.white)
            fill = member.paint("color").map { .color($0) } ?? standard
        }
        return CardShape(
            member.text("kind").flatMap(CardShape.Kind.init) ?? .rectangle,
            layer: member.text("layer").flatMap(CardShape.Layer.init) ?? .below,
            placement: member.placement(standard: .center, always: true) ?? CardPlacement(.center),
            around: member.text("around").flatMap(CardTextPlace.init), padding: member.number("padding") ?? 48,
            width: member.length("width"), height: member.length("height"),
            rotation: member.number("rotation") ?? 0, radius: member.length("radius") ?? 0, fill: fill,
            border: member.border("border"), shadow: member.shadow(standard: false),
            opacity: member.number("opacity") ?? 1)
    }

    private func qrCode(_ member: CardMember) -> CardQRCode {
        CardQRCode(
            member.text("link") ?? "",
            placement: member.placement(standard: .bottomRight, always: false),
            size: member.length("size"), color: member.color("color") ?? .ink,
            ground: member.color("ground") ?? .white, radius: member.length("radius") ?? .percent(8),
            correction: member.text("correction").flatMap(CardQRCode.Correction.init) ?? .medium)
    }

    // MARK: Texts

    private func text(_ member: CardMember) -> CardText {
        var text = CardText(
            member.text("text") ?? "", font: member.text("font") ?? CardText.defaultFont,
            color: member.paint("color") ?? .auto,
            alignment: member.text("align").flatMap(CardText.Alignment.init), minimumSize: member.number("min-size"),
            shadow: member.flag("shadow"))
        text.placement = member.placement(standard: .bottom, always: true) ?? text.placement
        text.width = member.length("width")
        text.height = member.length("height")
        text.rotation = member.number("rotation") ?? 0
        text.isOnSticker = member.text("on") == "sticker"
        text.order = member.integer("order").map { Int(clamping: $0) } ?? 0
        text.isTrimmed = member.flag("trim") ?? false
        text.size = member.number("size")
        text.weight = member.integer("weight").map { Int(clamping: $0) }
        text.lineSpacing = member.number("line-spacing") ?? CardText.defaultLineSpacing
        text.letterSpacing = member.number("letter-spacing") ?? 0
        text.wrap = member.text("wrap").flatMap(CardText.Wrap.init) ?? .word
        text.maxLines = member.integer("max-lines").map { Int(clamping: $0) }
        text.spaceAbove = member.number("space-above") ?? 0
        if let pill = member.member("pill") {
            text.pill = CardPill(
                color: pill.paint("color") ?? .color(CardColor(red: 0, green: 0, blue: 0, alpha: 0x99)),
                padding: pill.number("padding"), radius: pill.number("radius"))
        }
        if let outline = member.member("outline") {
            text.outline = CardOutline(
                width: outline.number("width") ?? 4, color: outline.paint("color") ?? .auto)
        }
        return text
    }
}

extension CardSize {
    fileprivate var isWide: Bool { width > height }
}
