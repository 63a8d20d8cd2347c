import Files
import StoryCard
import Testing

@testable import PasteupCLI

/// What every preset takes at every size, with a logo and a QR code in two corners.
@Suite(.computing) struct PresetTextTests {
    private static let fixtures = FileSystem.join(FileSystem.folder(of: #filePath), "Fixtures/cards")

    static let cards = ["polaroid", "full-bleed", "quote", "announcement"].flatMap { preset in
        ["story", "portrait", "square", "link"].map { (preset: preset, size: $0) }
    }

    /// 280 characters.
    private static let long =
        "Стихи, песни и стендап под открытым небом. Приходите слушать или выступать: запись у бармена до семи вечера 🎤 "
        + "Начнём с тех, кто на сцене впервые, потом выйдут гости из Твери и Калининграда. Возьмите плед, у воды прохладно, "
        + "а горячий чай и яблочный пирог будут до самого закрытия."

    private static func texts(_ preset: String) -> [String] {
        switch preset {
        case "polaroid": ["Вечер в гавани 🌇", long]
        case "full-bleed": ["Балтийское море · июль", long]
        case "quote": [long, "— Антуан де Сент-Экзюпери"]
        default: ["СУББОТА, 14 ИЮНЯ", "Открытый микрофон в «Гавани»", long, "Вход свободный"]
        }
    }

    @Test(arguments: cards) func aLongTextIsShownWhole(preset: String, size: String) throws {
        #expect((270...285).contains(Self.long.count))
        #expect(try warnings(preset, size, Self.texts(preset)).isEmpty)
    }

    @Test(arguments: ["story", "portrait", "square", "link"]) func aLongCaptionIsShownWhole(size: String) throws {
        #expect(try warnings("polaroid", size, [Self.long, "Вечер в гавани 🌇"]).isEmpty)
    }

    private func warnings(_ preset: String, _ size: String, _ texts: [String]) throws -> [String] {
        let photo = "../../../../examples/pictures/harbour.jpg"
        let yaml = """
            preset: \(preset)
            size: \(size)
            \(preset == "polaroid" ? "sticker: { image: \(photo) }" : "")
            \(preset == "full-bleed" ? "background: { image: \(photo) }" : "")
            logo: { image: ../../../StoryCardTests/Fixtures/alpha.png, at: top-left }
            qr: { link: "https://vk.com/wall-226100401_17", at: bottom-right }
            texts:
            \(texts.map { "  - { text: \"\($0)\" }" }.joined(separator: "\n"))
            """
        let preview = try CardPreview(
            bytes: Array(yaml.utf8), path: FileSystem.join(Self.fixtures, "long.yaml"),
            output: .file("/nowhere/card.jpg", format: "jpeg"))
        return try preview.card(guides: false).warnings
    }
}
