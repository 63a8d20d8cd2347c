internal import StepKit
internal import Values

/// The parameters of `card.compose`.
let cardParameters = [
    Parameter(
        "preset", .choice(CardPreset.all.map(\.name)),
        "A ready design that the other parameters are laid over; 'pasteup card presets NAME' shows it."),
    Parameter(
        "size", .size, default: "1080x1920",
        "Width and height in pixels, 16 to 8000 each, or story (1080x1920), square (1080x1080), portrait (1080x1350), "
            + "link (1200x630)."),
    Parameter("format", .choice(["jpeg", "png", "webp"]), default: "jpeg", "The format of the file."),
    Parameter("quality", .integer, default: 90, "Of a JPEG or WebP, 1 to 100."),
    Parameter(
        "chroma", .choice(["4:2:0", "4:4:4"]), default: "4:2:0",
        "Of a JPEG: 4:4:4 keeps colours at every pixel, for sharper red letters in a larger file."),
    Parameter(
        "background", .object(backgroundMembers),
        "What lies behind everything; left out, the plain #222222, and a sticker is needed."),
    Parameter("shapes", .list(.object(shapeMembers)), "Drawn forms, up to 200, from the lowest to the topmost."),
    Parameter("sticker", .object(stickerMembers), "One picture laid on the card."),
    Parameter(
        "stickers", .list(.object(stickerMembers)), "Several of them, up to 200, from the lowest to the topmost."),
    Parameter("logo", .object(logoMembers), "A watermark over the stickers, as a rule a PNG with transparency."),
    Parameter("qr", .object(codeMembers), "A QR code on a plate."),
    Parameter(
        "texts", .list(.object(textMembers)),
        "Blocks of text, up to 200, topmost; those at top, center or bottom without x, y and height stand below one another."
    ),
]

private let anchors = [
    "top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right",
]

private func place(_ at: String) -> [Parameter] {
    [
        Parameter("at", .choice(anchors), at),
        Parameter("x", .length, "How far it is moved to the right from there: pixels, or a share of the card's width."),
        Parameter("y", .length, "How far it is moved down from there: pixels, or a share of the card's height."),
    ]
}

private let stops = Parameter(
    "stops",
    .list(
        .object([
            Parameter("color", .color, required: true, "The colour there."),
            Parameter("at", .number, "From 0, the beginning, to 1, the end; evenly spread unless given."),
        ])), "Of a gradient with more than two colours; in place of top and bottom.")

private let border = Parameter(
    "border",
    .object([
        Parameter("width", .number, "In pixels; 8 unless given."),
        Parameter("bottom", .number, "Of a sticker's lower edge, in pixels: a wide one makes a polaroid."),
        Parameter("color", .color, "White unless given."),
    ]), "A line around it; of a sticker outside the picture.")

private let shadowStrength = Parameter("shadow-strength", .number, "0 to 3; 1 unless given.")

private let backgroundMembers = [
    Parameter(
        "type", .choice(["none", "color", "gradient", "image"]),
        "What it is made of; what the other keys mean unless given."
    ),
    Parameter("color", .color, "For type color; auto takes the picture's dominant colour."),
    Parameter("top", .color, "For type gradient: where it begins; auto, the picture's upper half, unless given."),
    Parameter("bottom", .color, "For type gradient: where it ends; auto, the picture's lower half, unless given."),
    stops,
    Parameter("angle", .number, "For type gradient: degrees clockwise, 0 points up; 180 unless given."),
    Parameter("image", .file, "For type image: a picture that covers the card; the first sticker's unless given."),
    Parameter("blur", .number, "For type image: the blur's standard deviation in pixels; 40 makes a calm backdrop."),
    Parameter("dim", .number, "For type image: how much black is laid over it, 0 to 1."),
    Parameter("focus", .string, "For type image: what is kept of it, as top or '50% 20%'; center unless given."),
]

private let stickerMembers =
    [
        Parameter("image", .file, required: true, "A JPEG, PNG or WebP file."),
        Parameter("width", .length, "The box that it is fitted into; 80% of the card's width unless given."),
        Parameter("height", .length, "The same for the height; 60% of the card's unless given."),
        Parameter("scale", .number, "Makes the fitted picture larger or smaller; 1 unless given."),
        Parameter(
            "fit", .choice(["contain", "cover"]),
            "Whether the whole picture is shown, or the box filled and the rest cut off; contain unless given."),
        Parameter("focus", .string, "With cover: what is kept, as top or '50% 20%'; center unless given."),
    ]
    + place("Where it lies on the card; without at, x and y it finds a place between the texts.") + [
        Parameter("rotation", .number, "In degrees clockwise."),
        Parameter(
            "radius", .length,
            "Of the rounded corners: pixels, 48 for each 1080 of the card's shorter side unless given, or a share of its "
                + "own shorter side."),
        border,
        Parameter("shadow", .boolean, "Whether a soft shadow lies below it; true unless given."),
        shadowStrength,
        Parameter("opacity", .number, "0, invisible, to 1."),
    ]

private let logoMembers =
    [
        Parameter("image", .file, required: true, "A JPEG, PNG or WebP file."),
        Parameter("width", .length, "16% of the card's width unless given, 10% of a wide card's."),
        Parameter("height", .length, "As the picture has it unless given."),
    ] + place("Where it lies between the margins; in a corner that is free unless given, the bottom-right one first.")
    + [
        Parameter("opacity", .number, "0, invisible, to 1; 0.9 unless given.")
    ]

private let codeMembers =
    [
        Parameter("link", .string, required: true, "What it says, up to 2331 bytes; as a rule an address."),
        Parameter(
            "size", .length, "The plate's side; 220 for each 1080 of the card's shorter side unless given."),
    ] + place("Where it lies between the margins; in a corner that is free unless given, the bottom-right one first.")
    + [
        Parameter("color", .color, "Of the dark modules; nearly black unless given."),
        Parameter("ground", .color, "Of the plate; white unless given."),
        Parameter("radius", .length, "Of the plate's corners; 8% of its side unless given."),
        Parameter(
            "correction", .choice(["low", "medium", "quartile", "high"]),
            "How much may be hidden, 7, 15, 25 or 30 %; medium unless given."),
    ]

private let shapeMembers =
    [
        Parameter(
            "kind", .choice(["rectangle", "circle", "line"]),
            "A rectangle unless given; a line's width is its length, its height the thickness."),
        Parameter(
            "layer", .choice(["below", "above"]),
            "Below or above the stickers; below unless given. Texts are above all."),
    ] + place("Where it lies on the card; in the center unless given.") + [
        Parameter(
            "around", .choice(["top", "center", "bottom"]),
            "Makes it a plate around the texts that stand there: it grows with them, and vanishes without any."),
        Parameter("padding", .number, "Of such a plate, between its edge and the texts, in pixels; 48 unless given."),
        Parameter("width", .length, "40% of the card's width unless given; of a plate what its texts take."),
        Parameter(
            "height", .length, "As the width unless given; of a line 4 pixels, of a plate what its texts take."),
        Parameter("rotation", .number, "In degrees clockwise."),
        Parameter("radius", .length, "Of a rectangle's corners: pixels, or a share of its shorter side."),
        Parameter("color", .color, "White unless given, or unless there is a border; auto is the picture's."),
        Parameter("top", .color, "For a gradient: where it begins; transparent unless given."),
        Parameter("bottom", .color, "For a gradient: where it ends; transparent unless given."),
        stops,
        Parameter("angle", .number, "Of the gradient, degrees clockwise, 0 points up; 180 unless given."),
        border,
        Parameter("shadow", .boolean, "Whether a soft shadow lies below it; false unless given."),
        shadowStrength,
        Parameter("opacity", .number, "0, invisible, to 1."),
    ]

private let textMembers =
    [Parameter("text", .string, required: true, "Plain text; line breaks are kept.")]
    + place("Where it stands between the margins; at the bottom unless given.") + [
        Parameter(
            "on", .choice(["card", "sticker"]),
            "sticker writes it on the lower border of the first sticker, turned with it; card unless given."),
        Parameter(
            "order", .integer,
            "Where it stands among others at its place: the lowest first, equal ones as listed; 0 unless given."),
        Parameter(
            "trim", .boolean,
            "Whether it takes only the height of its letters among others at its place; false unless given."),
        Parameter("width", .length, "Of its box; from margin to margin unless given."),
        Parameter("height", .length, "Of its box, which it must fit into; as much as is free unless given."),
        Parameter("rotation", .number, "In degrees clockwise."),
        Parameter("font", .string, "Family, style and size in pixels: Noto Sans Bold 44."),
        Parameter("size", .number, "Of the letters, in pixels, in place of the font's."),
        Parameter("weight", .integer, "100 to 1000, in place of the font's: 400 is regular, 700 bold."),
        Parameter(
            "color", .color, "auto, white or nearly black by what is below, unless given."),
        Parameter("align", .choice(["left", "center", "right"]), "As 'at' says unless given; center at the middle."),
        Parameter("line-spacing", .number, "A multiple of what the font wants; 0.94 unless given."),
        Parameter("letter-spacing", .number, "Added between letters, in pixels."),
        Parameter(
            "wrap", .choice(["word", "char", "none"]),
            "Where lines may end; word unless given, none is only where it says so."
        ),
        Parameter("space-above", .number, "More room above it where it stands below others, in pixels."),
        Parameter("max-lines", .integer, "What is beyond is cut, and ends in '…'."),
        Parameter(
            "min-size", .number,
            "How small the letters may become for the text to fit, in pixels; half their size unless given."),
        Parameter(
            "pill",
            .object([
                Parameter("color", .color, "\"#00000099\" unless given; auto is the picture's."),
                Parameter("padding", .number, "At both sides, in pixels, half of it above and below."),
                Parameter("radius", .number, "Of the corners, in pixels; round unless given."),
            ]), "A plate behind it; {} is one as a rule."),
        Parameter(
            "outline",
            .object([
                Parameter("width", .number, "In pixels; 4 unless given."),
                Parameter("color", .color, "auto, the opposite of the letters, unless given."),
            ]), "A line around the letters."),
        Parameter(
            "shadow", .boolean, "Whether bright letters have a faint shadow; where the ground needs it unless given."),
    ]
