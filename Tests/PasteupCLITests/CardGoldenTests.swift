import Files
import Glibc
import StoryCard
import TestSupport
import Testing

@testable import PasteupCLI

/// Every preset and kind of layer, drawn and held against a picture that a person has looked at.
///
/// Fonts and decoders differ a little from one release to the next, so pictures are compared as they are seen: both are
/// made small (180 pixels wide), and cut into blocks of 6x6 pixels, whose mean colours are compared in Oklab (times 100, so
/// that 2 is about what an eye just notices). The mean difference may be 0.6, that of the worst block 8. A word that has
/// moved by half its height, a missing sticker or another colour is beyond that. `RECORD_SNAPSHOTS=1` draws anew what differs;
/// look at each before it is kept.
@Suite(.computing) struct CardGoldenTests {
    private static let folder = FileSystem.join(FileSystem.folder(of: #filePath), "Fixtures/cards")
    static let names = ((try? FileSystem.list(folder)) ?? []).filter { $0.hasSuffix(".yaml") }.map { $0.dropLast(5) }
        .filter { !FileSystem.exists(FileSystem.join(folder, $0 + ".errors.txt")) }.map(String.init).sorted()

    @Test func thereAreCards() { #expect(CardGoldenTests.names.count >= 10) }

    @Test(arguments: names) func looksAsItDid(name: String) throws {
        let path = FileSystem.join(CardGoldenTests.folder, name + ".yaml")
        let golden = FileSystem.join(CardGoldenTests.folder, name + ".jpg")
        let preview = try CardPreview(
            bytes: try FileSystem.read(path), path: path, output: .file(golden, format: "jpeg"))
        let card = try preview.card(guides: false)
        let difference = (try? FileSystem.read(golden)).map { pictureDifference($0, card.bytes) }
        if let difference, difference.mean <= 0.6, difference.worst <= 8 { return }
        guard isRecording else {
            Issue.record("\(name) differs: \(difference.map { "\($0)" } ?? "there is no picture of it")")
            return
        }
        try FileSystem.write(card.bytes, to: golden, mode: 0o644)
        Issue.record("recorded \(golden): look at it")
    }

    /// The measure itself: a picture equals itself, and small shifts and other colours are told apart.
    @Test func measuresWhatIsSeen() throws {
        func card(_ text: String, _ y: CardLength, _ color: String) throws -> [UInt8] {
            var block = CardText(text, at: .center)
            block.placement.y = y
            let spec = CardSpec(background: .color(try CardPaint(color)), texts: [block])
            return try CardComposer.compose(spec).bytes
        }
        let base = try card("Доброе утро", 0, "#2b3a67")
        #expect(pictureDifference(base, base).worst == 0)
        let shifted = pictureDifference(base, try card("Доброе утро", 1, "#2b3a67"))
        #expect(shifted.mean < 0.6 && shifted.worst < 8, "one pixel: \(shifted)")
        #expect(pictureDifference(base, try card("Доброе утро", 60, "#2b3a67")).worst > 8)
        #expect(pictureDifference(base, try card("Доброе утро", 0, "#3b3a67")).mean > 0.6)
    }
}

private var isRecording: Bool { getenv("RECORD_SNAPSHOTS").map { String(cString: $0) } == "1" }
