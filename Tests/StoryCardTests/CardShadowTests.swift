import CSSColors
import Files
import Testing

@testable import StoryCard

/// What shadows, opacity and fading leave of a ground, on a card of 302x301: neither side is a multiple of the shadows' own
/// pixels.
@Suite(.computing) struct CardShadowTests {
    private static let size = CardSize(width: 302, height: 301)
    private let folder: PictureFolder

    init() throws { folder = try PictureFolder() }

    private func image(
        _ stickers: [CardSticker] = [], shapes: [CardShape] = [], ground: CardColor = .white
    ) throws -> PixelImage {
        try composedPixels(
            CardSpec(
                size: Self.size, format: .png, background: .color(.color(ground)), shapes: shapes, stickers: stickers))
    }

    private func square(_ anchor: CardAnchor, x: CardLength = 0, y: CardLength = 0) throws -> CardSticker {
        CardSticker(
            image: try folder.add("blue.jpg", 100, 100, [40, 60, 220]), width: 100,
            placement: CardPlacement(anchor, x: x, y: y), radius: 0, shadow: 2)
    }

    /// Half of the square lies beyond the edge: along that edge its shadow goes on as it does before it.
    ///
    /// The lines run from the edge inwards, 3 pixels beside the square.
    @Test(arguments: [CardAnchor.top, .left, .right, .bottom]) func aShadowGoesOnUpToTheCardsEdge(anchor: CardAnchor)
        throws
    {
        let shares = anchor.shares
        let sticker = try square(
            anchor, x: .pixels(100 * (shares.x - 0.5)), y: .pixels(100 * (shares.y - 0.5)))
        let image = try image([sticker])
        let line = (0..<20).map { step in
            switch anchor {
            case .top: image.rgb(101 - 4, step)[0]
            case .bottom: image.rgb(101 - 4, 300 - step)[0]
            case .left: image.rgb(step, 200 + 4)[0]
            default: image.rgb(301 - step, 200 + 4)[0]
            }
        }
        #expect(line.allSatisfy { $0 < 240 }, "the shadow is there")
        for (one, next) in zip(line, line.dropFirst()) { #expect(abs(one - next) <= 3, "\(line)") }
        #expect(abs(line[0] - line[19]) <= 12, "\(line)")
    }

    /// As with CSS's 'opacity': the sticker and its shadow are one layer.
    @Test func aShadowDoesNotShowThroughAPaleSticker() throws {
        var sticker = try square(.center)
        sticker.opacity = 0.5
        let image = try image([sticker])
        for x in [102, 110, 150, 199] { #expect(isClose(image.rgb(x, 150), [148, 158, 238], 3), "at \(x)") }
        #expect(image.rgb(96, 150)[0] < 250, "it has a shadow beside it")
    }

    @Test func aFrameCastsTheShadowOfItsLineAlone() throws {
        let frame = CardShape(
            .rectangle, width: 200, height: 200, fill: .none,
            border: CardBorder(width: 6, color: .color(CardColor(red: 200, green: 0, blue: 0))), shadow: 1)
        let image = try image(shapes: [frame])
        #expect(image.rgb(150, 150) == [255, 255, 255])
        #expect(image.rgb(151, 252)[0] < 250, "the line has a shadow below it")
    }

    /// As CSS blends them: white that fades out stays white, and so does what fades in.
    @Test(arguments: [true, false]) func fadingKeepsTheHue(out: Bool) throws {
        let clear = CardPaint.color(CardColor(red: 0, green: 0, blue: 0, alpha: 0))
        let gradient = CardGradient(top: out ? .white : clear, bottom: out ? clear : .white)
        let shape = CardShape(.rectangle, width: 200, height: 200, fill: .gradient(gradient))
        let image = try image(shapes: [shape], ground: CardColor(red: 0, green: 0, blue: 255))
        for y in stride(from: 55, to: 250, by: 15) {
            let share = (Double(y) + 0.5 - 50.5) / 200
            let white = Int((255 * (out ? 1 - share : share)).rounded())
            #expect(isClose(image.rgb(150, y), [white, white, 255], 3), "at \(y)")
        }
    }
}
