import Files
import Testing

@testable import StoryCard

/// The test photos against what another decoder makes of them (Fixtures/pillow.py).
@Suite(.computing) struct PillowTests {
    private static let rows = String(decoding: (try? FileSystem.read(fixture("pillow.tsv"))) ?? [], as: UTF8.self)
        .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    static let files = Dictionary(grouping: rows) { $0[0] }.keys.sorted()

    @Test(arguments: files) func agreesWithPillow(file: String) throws {
        let image = try decoded(try bytes(of: file))
        let rows = PillowTests.rows.filter { $0[0] == file }
        #expect(rows.count == 25)
        for row in rows {
            let numbers = row.dropFirst().compactMap(Double.init)
            let (x, y) = (Int(numbers[0]), Int(numbers[1]))
            let expected = numbers[2..<5].map { Int($0.rounded()) }
            let found = image.mean(x, y)
            // Zone plates differ by the decoders' ways to enlarge colours and round.
            #expect(isClose(found, expected, 4), "at \(x), \(y): \(found), not \(expected)")
            if image.hasAlpha { #expect(abs(Double(image.alpha(x, y)) - numbers[5]) < 40) }
        }
    }

    @Test func coversEveryPictureThatCanBeRead() {
        #expect(
            PillowTests.files == [
                "adobe-rgb.png", "alpha.png", "cmyk-noprofile.jpg", "cmyk-profile.jpg", "display-p3.jpg",
                "orientation6-gps.jpg", "photo.webp", "rgb16.png",
            ])
    }
}
