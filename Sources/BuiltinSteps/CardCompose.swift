internal import Files
public import StepKit
internal import StoryCard
internal import Threading
internal import Values

/// `card.compose`: a picture made of a background, stickers and texts.
public struct CardCompose: StepKind {
    public init() {}

    public let declaration = StepDeclaration(
        "card.compose", "Composes a picture: a background, stickers on it and texts above them.", effect: .pure,
        parameters: [
            Parameter("size", .size, default: "1080x1920", "Width and height in pixels, 16 to 8000 each."),
            Parameter("format", .choice(["jpeg", "png"]), default: "jpeg", "The format of the file."),
            Parameter("quality", .integer, default: 90, "Of a JPEG, 1 to 100."),
            Parameter(
                "background", .object(backgroundMembers),
                "What lies behind everything; left out, the plain #222222, and a sticker is needed."),
            Parameter("sticker", .object(stickerMembers), "One picture laid on the card."),
            Parameter("stickers", .list(.object(stickerMembers)), "Several of them, from the lowest to the topmost."),
            Parameter(
                "texts", .list(.object(textMembers)), "Blocks of text; those at one place stand below one another."),
        ],
        outputs: [
            Output("file", .file, "The picture."),
            Output("width", .integer, "In pixels."),
            Output("height", .integer, "In pixels."),
            Output("bytes", .integer, "The file's size."),
            Output("sha256", .string, "The file's SHA-256, 64 hexadecimal digits."),
        ],
        example: """
            card:
              uses: card.compose
              with:
                background: { type: gradient, top: "#FF9500", bottom: "#FF3B30" }
                sticker: { image: photo.jpg, radius: 48, shadow: true }
                texts:
                  - { text: "Good morning", at: bottom, font: Noto Sans Bold 44, color: "#fff" }
            """)

    public func run(_ call: StepCall) async throws -> StepResult {
        let spec = try spec(call)
        let card: ComposedCard
        do {
            // Text layout wants more stack than a small thread has.
            card = try await offPool(stackBytes: 8 << 20) { try CardComposer.compose(spec) }
        } catch let error as CardError {
            throw StepError(.invalid, error.what, why: error.why, fix: error.fix)
        }
        for warning in card.warnings { call.warn(warning) }
        let path = FileSystem.join(call.artifacts, call.fileStem + "." + card.format.fileExtension)
        do { try FileSystem.write(card.bytes, to: path) } catch {
            throw StepError(
                .invalid, "the card could not be kept: \(error)",
                fix: error.isDiskFull ? "Make room on the disk, then run again." : nil)
        }
        return .succeeded([
            "file": .string(path), "width": .integer(Int64(card.width)), "height": .integer(Int64(card.height)),
            "bytes": .integer(Int64(card.bytes.count)), "sha256": .string(card.sha256),
        ])
    }
}

// MARK: - From parameters to a spec

extension CardCompose {
    private func spec(_ call: StepCall) throws(StepError) -> CardSpec {
        guard let size = CardSize(call["size"]?.string ?? "1080x1920") else {
            throw StepError(.invalid, "'size' is not a size as 1080x1920")
        }
        try checkParameters(of: call)
        let quality = call["quality"]?.integer ?? 90
        var stickers = call["stickers"]?.array ?? []
        if let one = call["sticker"] { stickers.append(one) }
        var texts: [CardText] = []
        for value in call["texts"]?.array ?? [] { texts.append(try text(value)) }
        var backdrop: CardBackground?
        if let value = call["background"] { backdrop = try background(value) }
        return CardSpec(
            size: size, format: call["format"]?.string == "png" ? .png : .jpeg(quality: Int(quality)),
            background: backdrop, stickers: stickers.map { sticker($0) },
            texts: texts)
    }

    private func background(_ value: Value) throws(StepError) -> CardBackground? {
        switch value["type"]?.string {
        case "color": return .color(try color(value, "color", in: "background"))
        case "gradient":
            return .gradient(
                CardGradient(
                    top: try color(value, "top", in: "background"),
                    bottom: try color(value, "bottom", in: "background")))
        case "image":
            guard let path = value["image"]?.string else { return nil }
            return .image(
                CardBackgroundImage(path: path, blur: value["blur"]?.double ?? 0, dim: value["dim"]?.double ?? 0))
        default: return nil
        }
    }

    private func sticker(_ value: Value) -> CardSticker {
        CardSticker(
            image: value["image"]?.string ?? "", width: value["width"]?.double, height: value["height"]?.double,
            scale: value["scale"]?.double ?? 1, rotation: value["rotation"]?.double ?? 0,
            radius: value["radius"]?.double, shadow: value["shadow"]?.bool ?? true)
    }

    private func text(_ value: Value) throws(StepError) -> CardText {
        CardText(
            value["text"]?.string ?? "", at: value["at"]?.string.flatMap(CardText.Place.init) ?? .bottom,
            font: value["font"]?.string ?? CardText.defaultFont,
            color: value["color"] == nil || value["color"] == .null
                ? .white : try color(value, "color", in: "texts"),
            alignment: value["align"]?.string.flatMap(CardText.Alignment.init) ?? .center)
    }

    private func color(_ value: Value, _ name: String, in parent: String) throws(StepError) -> CardColor {
        do { return try CardColor.parse(value[name]?.string) } catch {
            throw StepError(.invalid, "'\(parent).\(name)': \(error.what)", why: error.why, fix: error.fix)
        }
    }
}

private let backgroundMembers = [
    Parameter("type", .choice(["none", "color", "gradient", "image"]), required: true, "What it is made of."),
    Parameter("color", .color, "For type color."),
    Parameter("top", .color, "For type gradient: where it begins."),
    Parameter("bottom", .color, "For type gradient: where it ends."),
    Parameter("image", .file, "For type image: a picture that covers the card."),
    Parameter("blur", .number, "For type image: the blur's standard deviation in pixels; 40 makes a calm backdrop."),
    Parameter("dim", .number, "For type image: how much black is laid over it, 0 to 1."),
]

private let stickerMembers = [
    Parameter("image", .file, required: true, "A JPEG, PNG or WebP file."),
    Parameter("width", .number, "The box that it is fitted into, in pixels; 80 % of the card's width unless given."),
    Parameter("height", .number, "The same for the height; 60 % of the card's unless given."),
    Parameter("scale", .number, "Makes the fitted picture larger or smaller; 1 unless given."),
    Parameter("rotation", .number, "In degrees clockwise."),
    Parameter("radius", .number, "Of the rounded corners, in pixels; 48 for each 1080 of the shorter side."),
    Parameter("shadow", .boolean, "Whether a soft shadow lies below it; true unless given."),
]

private let textMembers = [
    Parameter("text", .string, required: true, "Plain text; line breaks are kept."),
    Parameter("at", .choice(["top", "center", "bottom"]), "Where it stands; at the bottom unless given."),
    Parameter("font", .string, "Family, style and size in pixels: Noto Sans Bold 44."),
    Parameter("color", .color, "White unless given."),
    Parameter("align", .choice(["left", "center", "right"]), "Centred unless given."),
]
