internal import CSSColors
internal import StoryCard
internal import Values

/// Makes a spec of parameters.
struct CardReader {
    private let root: CardMember

    init(_ parameters: ValueObject) { root = CardMember("", .object(parameters)) }

    func spec() throws(CardProblem) -> CardSpec {
        guard let size = CardSize(root.text("size") ?? "story") else {
            throw CardProblem(
                "size", "'\(root.text("size") ?? "")' is not a size", fix: "Write 1080x1920, or the name story.")
        }
        var spec = CardSpec(size: size, format: try format())
        if let background = root.member("background") { spec.background = try self.background(background) }
        for shape in root.elements("shapes") { spec.shapes.append(try self.shape(shape)) }
        for sticker in root.elements("stickers") { spec.stickers.append(try self.sticker(sticker)) }
        if let sticker = root.member("sticker") { spec.stickers.append(try self.sticker(sticker)) }
        if let logo = root.member("logo") { spec.logo = try self.logo(logo, on: size) }
        if let code = root.member("qr") { spec.qrCode = try qrCode(code) }
        for text in root.elements("texts") { spec.texts.append(try self.text(text)) }
        return spec
    }

    private func format() throws(CardProblem) -> CardFormat {
        let quality = Int(root.integer("quality") ?? 90)
        switch root.text("format") {
        case "png": return .png
        case "webp": return .webp(quality: quality)
        default: return .jpeg(quality: quality, fullChroma: root.text("chroma") == "4:4:4")
        }
    }

    // MARK: Background

    private func background(_ member: CardMember) throws(CardProblem) -> CardBackground? {
        switch CardReader.backgroundType(member.value) {
        case "color": return .color(try member.paint("color", missing: true) ?? .black)
        case "gradient": return .gradient(try gradient(member, standard: .auto, angle: 180))
        case "image":
            return .image(
                CardBackgroundImage(
                    path: member.text("image"), blur: member.number("blur") ?? 0, dim: member.number("dim") ?? 0,
                    focus: try member.focus("focus")))
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
    ) throws(CardProblem) -> CardGradient {
        let angle = member.number("angle") ?? angle
        let elements = member.elements("stops")
        guard !elements.isEmpty else {
            return CardGradient(
                top: try member.paint("top") ?? standard, bottom: try member.paint("bottom") ?? standard, angle: angle)
        }
        var stops: [CardGradient.Stop] = []
        for (index, element) in elements.enumerated() {
            let even = elements.count == 1 ? 0 : Double(index) / Double(elements.count - 1)
            stops.append(
                CardGradient.Stop(
                    try element.paint("color", missing: true) ?? standard, at: element.number("at") ?? even))
        }
        return CardGradient(stops: stops, angle: angle)
    }

    // MARK: Pictures and shapes

    private func sticker(_ member: CardMember) throws(CardProblem) -> CardSticker {
        CardSticker(
            image: try image(of: member), width: try member.length("width"), height: try member.length("height"),
            scale: member.number("scale") ?? 1, fit: member.text("fit").flatMap(CardSticker.Fit.init) ?? .contain,
            focus: try member.focus("focus"), placement: try member.placement(standard: .center, always: false),
            rotation: member.number("rotation") ?? 0, radius: try member.length("radius"),
            border: try member.border("border"), shadow: member.shadow(standard: true),
            opacity: member.number("opacity") ?? 1)
    }

    private func logo(_ member: CardMember, on size: CardSize) throws(CardProblem) -> CardSticker {
        CardSticker(
            image: try image(of: member),
            width: try member.length("width") ?? (member.has("height") ? nil : .percent(size.isWide ? 10 : 16)),
            height: try member.length("height"),
            placement: try member.placement(standard: .bottomRight, always: true), frame: .margins, radius: 0,
            shadow: 0, opacity: member.number("opacity") ?? 0.9)
    }

    private func image(of member: CardMember) throws(CardProblem) -> String {
        guard let path = member.text("image") else {
            throw CardProblem(
                member.path + ".image", "'\(member.path).image' is missing",
                why: "The preset has a place for a picture.",
                fix: "Give its path there.")
        }
        return path
    }

    private func shape(_ member: CardMember) throws(CardProblem) -> CardShape {
        let fill: CardShape.Fill
        if member.has("stops") || member.has("top") || member.has("bottom") {
            let clear = CardPaint.color(CardColor(red: 0, green: 0, blue: 0, alpha: 0))
            fill = .gradient(try gradient(member, standard: clear, angle: 180))
        } else {
            // A border alone is a frame.
            let standard: CardShape.Fill = member.has("border") ? .none : .color(.white)
            fill = try member.paint("color").map { .color($0) } ?? standard
        }
        return CardShape(
            member.text("kind").flatMap(CardShape.Kind.init) ?? .rectangle,
            layer: member.text("layer").flatMap(CardShape.Layer.init) ?? .below,
            placement: try member.placement(standard: .center, always: true) ?? CardPlacement(.center),
            width: try member.length("width"), height: try member.length("height"),
            rotation: member.number("rotation") ?? 0, radius: try member.length("radius") ?? 0, fill: fill,
            border: try member.border("border"), shadow: member.shadow(standard: false),
            opacity: member.number("opacity") ?? 1)
    }

    private func qrCode(_ member: CardMember) throws(CardProblem) -> CardQRCode {
        CardQRCode(
            member.text("link") ?? "",
            placement: try member.placement(standard: .bottomRight, always: true) ?? CardPlacement(.bottomRight),
            size: try member.length("size"), color: try member.color("color") ?? .ink,
            ground: try member.color("ground") ?? .white, radius: try member.length("radius") ?? .percent(8),
            correction: member.text("correction").flatMap(CardQRCode.Correction.init) ?? .medium)
    }

    // MARK: Texts

    private func text(_ member: CardMember) throws(CardProblem) -> CardText {
        var text = CardText(
            member.text("text") ?? "", font: member.text("font") ?? CardText.defaultFont,
            color: try member.paint("color") ?? .auto,
            alignment: member.text("align").flatMap(CardText.Alignment.init), minimumSize: member.number("min-size"),
            shadow: member.flag("shadow"))
        text.placement = try member.placement(standard: .bottom, always: true) ?? text.placement
        text.width = try member.length("width")
        text.height = try member.length("height")
        text.rotation = member.number("rotation") ?? 0
        text.size = member.number("size")
        text.weight = member.integer("weight").map { Int(clamping: $0) }
        text.lineSpacing = member.number("line-spacing") ?? CardText.defaultLineSpacing
        text.letterSpacing = member.number("letter-spacing") ?? 0
        text.wrap = member.text("wrap").flatMap(CardText.Wrap.init) ?? .word
        text.maxLines = member.integer("max-lines").map { Int(clamping: $0) }
        text.spaceAbove = member.number("space-above") ?? 0
        if let pill = member.member("pill") {
            text.pill = CardPill(
                color: try pill.paint("color") ?? .color(CardColor(red: 0, green: 0, blue: 0, alpha: 0x99)),
                padding: pill.number("padding"), radius: pill.number("radius"))
        }
        if let outline = member.member("outline") {
            text.outline = CardOutline(
                width: outline.number("width") ?? 4, color: try outline.paint("color") ?? .auto)
        }
        return text
    }
}

extension CardSize {
    fileprivate var isWide: Bool { width > height }
}
