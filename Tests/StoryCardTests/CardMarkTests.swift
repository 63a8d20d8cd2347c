import CSSColors
import Testing

@testable import StoryCard

/// The logo and the QR code: the corners where they stand, and what stickers do beside them.
@Suite(.computing) struct CardMarkTests {
    private let folder: PictureFolder
    private let picture: String

    init() throws {
        folder = try PictureFolder()
        picture = try folder.add("p.png", 100, 100, [0, 0, 200])
    }

    private func logo(at anchor: CardAnchor? = nil, width: CardLength = 120) -> CardSticker {
        CardSticker(
            image: picture, width: width, placement: anchor.map { CardPlacement($0) }, frame: .margins, radius: 0,
            shadow: 0)
    }

    private func spec(_ logo: CardSticker?, _ code: CardAnchor?, size: CardSize = .square) -> CardSpec {
        CardSpec(
            size: size, format: .png, background: .color(.color(CardColor(red: 0, green: 160, blue: 0))), logo: logo,
            qrCode: CardQRCode("https://vk.com", placement: code.map { CardPlacement($0) }))
    }

    private func isBlue(_ pixel: RGB) -> Bool { pixel[2] > 150 && pixel[0] < 60 }
    private func isWhite(_ pixel: RGB) -> Bool { pixel.allSatisfy { $0 > 240 } }

    /// Of the margins of a square card, 92 pixels each, the corners where the logo and the code stand.
    private func corners(_ spec: CardSpec) throws -> [String] {
        let card = try CardComposer.compose(spec)
        #expect(card.warnings.isEmpty, "\(card.warnings)")
        let image = try decoded(card.bytes)
        return try [isBlue, isWhite].map { color in
            let found = try #require(image.bounds(color))
            let row = found.rows.lowerBound == 92 ? "top" : found.rows.upperBound == 988 ? "bottom" : "?"
            let column = found.columns.lowerBound == 92 ? "left" : found.columns.upperBound == 988 ? "right" : "?"
            return row + "-" + column
        }
    }

    static let places: [(logo: CardAnchor?, code: CardAnchor?, found: [String])] = [
        (nil, nil, ["bottom-left", "bottom-right"]),
        (.bottomRight, nil, ["bottom-right", "bottom-left"]),
        (.topLeft, nil, ["top-left", "bottom-right"]),
        (nil, .bottomRight, ["bottom-left", "bottom-right"]),
        (nil, .topLeft, ["bottom-right", "top-left"]),
    ]

    @Test(arguments: places) func whatHasNoPlaceKeepsOffTheOther(
        logo: CardAnchor?, code: CardAnchor?, found: [String]
    ) throws {
        #expect(try corners(spec(self.logo(at: logo), code)) == found)
    }

    /// Of 1080 the margins leave 896: 640 and the code's 217 leave less than a gap of 56 between them.
    @Test func aWideLogoStandsAboveTheCode() throws {
        var logo = logo(width: 640)
        logo.image = try folder.add("wide.png", 400, 100, [0, 0, 200])
        #expect(try corners(spec(logo, nil)) == ["top-right", "bottom-right"])
    }

    /// The card is 630 high, and the code takes 217 of it; the sticker is 400 wide and stands beside it, in the middle.
    @Test func aStickerOnAWideCardStandsBetweenTheCorners() throws {
        var card = spec(nil, nil, size: .link)
        card.stickers = [CardSticker(image: picture, width: 400, height: 400, radius: 0, shadow: 0)]
        card.qrCode?.placement = CardPlacement(.bottomRight)
        let found = try #require(try composedPixels(card).bounds(isBlue))
        #expect(found.columns == 400..<800)
        #expect(found.rows.count == 400)
    }

    // MARK: Numbers of layers

    @Test func refusesMoreLayersThanCanBeDrawnInTime() throws {
        var card = CardSpec(background: .color(.white))
        card.shapes = Array(repeating: CardShape(.rectangle, width: 1), count: 201)
        let error = CardError.layers(CardPart(.card, "shapes"), count: 201)
        #expect(throws: error) { try CardComposer.compose(card) }
        #expect(
            error.description
                == "'shapes' of the card are 201. A card has up to 200 of them. "
                + "Remove some, or draw them into a picture and lay that on the card.")
        card.shapes.removeLast()
        #expect(card.problems.isEmpty)
    }
}
