import Testing
import Threading

@testable import StoryCard

/// Four threads at once, as a batch does it; Tests/Stress/cards.sh draws 200 cards so under the thread sanitizer.
@Suite struct CardThreadTests {
    @Test func fourThreadsDrawTheSameCards() async throws {
        let spec = CardSpec(
            size: CardSize(width: 270, height: 480),
            background: .image(CardBackgroundImage(path: fixture("photo.webp"), blur: 20, dim: 0.3)),
            stickers: [CardSticker(image: fixture("orientation6-gps.jpg"), rotation: 4)],
            qrCode: CardQRCode("https://vk.com"),
            texts: [CardText("Закат 🌇 שלום", at: .top, font: "Noto Sans Bold 20")])
        let first = try CardComposer.compose(spec).sha256
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await offPool(stackBytes: 8 << 20) {
                        try (0..<5).map { _ in try CardComposer.compose(spec).sha256 }
                    }
                }
            }
            for try await digests in group { #expect(digests == [String](repeating: first, count: 5)) }
        }
    }
}
