import CSSColors
import Files
import ServiceTestSupport
import StepKit
import StoryCard
import Testing
import Values

@testable import BuiltinSteps

@Suite struct CardComposeTests {
    private static let declaration = CardCompose().declaration

    private static func fitted(_ parameters: ValueObject) throws -> ValueObject {
        try declaration.parameters.fit(parameters)
    }

    // MARK: Presets

    @Test(arguments: CardPreset.all.map(\.name), CardSize.named.map(\.name)) func everySizeOfAPresetFitsTheDeclaration(
        name: String, size: String
    ) throws {
        let preset = try #require(CardPreset.all.first { $0.name == name })
        let variant = try #require(preset.variant(for: size))
        #expect(variant.size == size)
        #expect(preset.variants.map(\.size).sorted() == CardSize.named.map(\.name).sorted())
        var parameters = try variant.parameters()
        #expect(parameters["size"] == .string(size), "a copy of it draws what the preset draws")
        if let sticker = parameters["sticker"]?.object {
            var whole = sticker
            whole["image"] = "/photo.jpg"
            parameters["sticker"] = .object(whole)
        }
        _ = try CardComposeTests.fitted(parameters)
        #expect(preset.summary.hasSuffix(".") || preset.summary.count > 20)
    }

    @Test(arguments: [
        ("1080x1920", "story"), ("720x1280", "story"), ("1080x2400", "story"), ("1080x1350", "portrait"),
        ("1200x1600", "portrait"), ("500x500", "square"), ("1080x1180", "square"), ("1200x630", "link"),
        ("1920x1080", "link"), ("3000x500", "link"),
    ]) func anotherSizeTakesTheDesignNearestInShape(size: String, expected: String) throws {
        let preset = try #require(CardPreset.all.first)
        #expect(preset.variant(for: size)?.size == expected)
    }

    /// 540x960 is half a story: the design's pixels are half as many, the author's own are as they are.
    @Test func aDesignIsScaledToTheCard() throws {
        func spec(_ size: String) throws -> CardSpec {
            try CardRequest(
                CardComposeTests.fitted([
                    "preset": "polaroid", "size": .string(size), "sticker": ["image": "/photo.jpg", "radius": 10],
                    "texts": [["text": "caption"], ["text": "line", "font": "Noto Sans 40"]],
                ])
            ).spec
        }
        let (whole, half) = (try spec("story"), try spec("540x960"))
        let (one, other) = (try #require(whole.stickers.first), try #require(half.stickers.first))
        #expect(one.width == 860 && other.width == 430)
        #expect(one.border?.bottom == 214 && other.border?.bottom == 107)
        #expect(one.rotation == other.rotation, "an angle is no length")
        #expect(one.radius == other.radius, "the author's")
        #expect(whole.texts.map(\.font) == ["Noto Serif Italic 60", "Noto Sans 40"])
        #expect(half.texts.map(\.font) == ["Noto Serif Italic 30.0", "Noto Sans 40"])
    }

    @Test func theAuthorsKeysLieOverThePreset() throws {
        let spec = try CardRequest(
            CardComposeTests.fitted([
                "preset": "polaroid", "sticker": ["image": "/photo.jpg", "rotation": 5],
                "texts": [["text": "caption", "color": "red"]],
            ])
        ).spec
        let sticker = try #require(spec.stickers.first)
        #expect(sticker.image == "/photo.jpg")
        #expect(sticker.rotation == 5, "the author's")
        #expect(sticker.fit == .cover, "the preset's")
        #expect(sticker.border?.bottom == 214)
        #expect(spec.texts.map(\.text) == ["caption", ""])
        #expect(spec.texts[0].color == .color(CardColor(red: 255, green: 0, blue: 0)))
        #expect(spec.texts[0].isOnSticker, "so that it turns with the sticker, whose angle is the author's")
    }

    @Test func aBackgroundOfAnotherTypeReplacesThePresets() throws {
        let spec = try CardRequest(
            CardComposeTests.fitted(["preset": "quote", "background": ["color": "#123"], "texts": []])
        ).spec
        #expect(spec.background == .color(.color(CardColor(red: 0x11, green: 0x22, blue: 0x33))))
        #expect(spec.texts.isEmpty, "an empty list leaves nothing of the preset's")
    }

    @Test func everyStickerOfAListGetsThePresetsDesign() throws {
        let spec = try CardRequest(
            CardComposeTests.fitted([
                "preset": "polaroid", "stickers": [["image": "/one.jpg"], ["image": "/two.jpg", "rotation": 9]],
            ])
        ).spec
        #expect(spec.stickers.map(\.image) == ["/one.jpg", "/two.jpg"])
        #expect(spec.stickers.map(\.rotation) == [-3, 9])
        #expect(spec.stickers.allSatisfy { $0.placement == nil }, "each finds a place of its own")
        // Two are 0.55 times as large as one of 860 with a border of 44.
        for sticker in spec.stickers {
            guard case .pixels(let width)? = sticker.width, let border = sticker.border else {
                Issue.record("\(sticker)")
                continue
            }
            #expect(abs(width - 473) < 0.01 && abs(border.width - 24.2) < 0.01)
        }
    }

    @Test func saysThatThePresetWantsAPicture() throws {
        let parameters = try CardComposeTests.fitted(["preset": "polaroid"])
        let problem = try #require(throws: CardProblem.self) { try CardRequest(parameters) }
        #expect(problem.message == "'sticker.image' is missing")
    }

    // MARK: Problems

    @Test func tellsAllThatIsWrongWithACard() {
        let parameters: [PlannedMember] = [
            PlannedMember("size", .known("4x4")), PlannedMember("quality", .known(0)),
            PlannedMember("background", .known(["type": "gradient", "top": "#fff", "angle": 9000, "blur": 3])),
            PlannedMember(
                "sticker", .known(["image": "/a.jpg", "scale": 20, "focus": "nowhere", "radius": -1, "width": "4o%"])),
            PlannedMember("texts", .list([.known(["text": "a", "size": 3000, "line-spacing": 9])])),
            PlannedMember("qr", .known(["link": "https://example.org", "color": "auto"])),
        ]
        let problems = CardCompose().problems(in: PlannedCall(parameters: parameters))
        #expect(
            problems.map { "\($0.pathText) \($0.problem)" } == [
                "sticker.width is '4o%', not a length", "sticker.focus is 'nowhere', not a point of a picture",
                "qr.color is 'auto', not a colour", "size is 4x4", "quality is 0", "background.angle is 9000",
                "sticker.scale is 20", "sticker.radius is -1", "texts[0].size is 3000",
                "texts[0].line-spacing is 9", "background.blur has no effect",
            ])
        #expect(problems.allSatisfy { !$0.isClause })
    }

    @Test(
        arguments: [
            ([["text": "a", "at": "left"], ["text": "b", "at": "left"]], ["texts[1] stands where text 1 stands"]),
            (
                [["text": "a", "height": 90], ["text": "b"], ["text": "c", "height": 60]],
                ["texts[2] stands where text 1 stands"]
            ),
            (
                [["text": "a", "on": "sticker"], ["text": "b", "on": "sticker"]],
                ["texts[1] stands where text 1 stands"]
            ),
            ([["text": "a"], ["text": "b"]], []),
            ([["text": "a", "at": "left"], ["text": "b", "at": "left", "y": 90]], []),
            ([["text": "a", "at": "left"], ["text": " ", "at": "left"]], []),
            ([["text": "a", "on": "sticker"], ["text": "b", "at": "left"]], []),
        ] as [([Value], [String])]) func warnsOfTextsAtOnePlace(texts: [Value], expected: [String])
    {
        let problems = CardCompose().problems(
            in: PlannedCall(parameters: [
                PlannedMember("sticker", .known(["image": "/a.jpg"])), PlannedMember("texts", .known(.array(texts))),
            ]))
        #expect(problems.map { "\($0.pathText) \($0.problem)" } == expected)
        #expect(problems.allSatisfy { $0.severity == .warning })
    }

    @Test func tellsThatThereIsNoPictureToTakeAColourFrom() {
        let parameters = [PlannedMember("background", .known(["top": "#fff"]))]
        let problems = CardCompose().problems(in: PlannedCall(parameters: parameters))
        #expect(problems.map { "\($0.pathText) \($0.problem)" } == ["background.bottom has no picture to take from"])
        let open = parameters + [PlannedMember("sticker", .object([PlannedMember("image", .after(["latest"]))]))]
        #expect(CardCompose().problems(in: PlannedCall(parameters: open)).isEmpty)
        let colours: PlannedValue = .object([
            PlannedMember("top", .after(["latest"])), PlannedMember("stops", .after(["latest"])),
        ])
        let unknown = PlannedCall(parameters: [PlannedMember("background", colours)])
        #expect(CardCompose().problems(in: unknown).isEmpty)
    }

    // MARK: Values

    static let backgrounds: [(keys: ValueObject, expected: CardBackground)] = [
        (["color": "#fff"], .color(.white)),
        (["top": "#000", "bottom": "#fff"], .gradient(CardGradient(top: .black, bottom: .white))),
        (["angle": 90], .gradient(CardGradient(top: .auto, bottom: .auto, angle: 90))),
        (["blur": 30], .image(CardBackgroundImage(path: nil, blur: 30))),
        (
            ["stops": [["color": "#000"], ["color": "#fff"], ["color": "#000"]]],
            .gradient(CardGradient(stops: [.init(.black, at: 0), .init(.white, at: 0.5), .init(.black, at: 1)]))
        ),
    ]

    @Test(arguments: backgrounds) func theTypeOfABackgroundIsWhatItsKeysMean(
        keys: ValueObject, expected: CardBackground
    ) throws {
        let parameters = try CardComposeTests.fitted(["background": .object(keys), "sticker": ["image": "/p.jpg"]])
        #expect(try CardRequest(parameters).spec.background == expected)
    }

    @Test(arguments: [
        ("story", 1080, 1920), ("square", 1080, 1080), ("portrait", 1080, 1350), ("link", 1200, 630),
        ("640x480", 640, 480),
    ]) func sizesHaveNames(size: String, width: Int, height: Int) throws {
        let parameters = try CardComposeTests.fitted(["size": .string(size), "background": ["color": "#fff"]])
        #expect(try CardRequest(parameters).spec.size == CardSize(width: width, height: height))
    }

    @Test func everyNameOfASizeIsOneOfTheCards() { #expect(PixelSize.names == CardSize.named.map(\.name)) }
}
