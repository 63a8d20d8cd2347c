import Files
import Glibc
import Hashing
import ServiceTestSupport
import StepKit
import StoryCard
import Testing
import Values

@testable import BuiltinSteps

@Suite struct KeptCardTests {
    private struct Card: Equatable {
        let file: String
        let sha256: String
    }

    private func compose(
        _ parameters: ValueObject, at address: String = "card", _ calls: TestCalls
    ) async throws -> Card {
        let call = try calls.call(CardCompose(), parameters, account: nil, address: address)
        guard case .succeeded(let outputs) = try await CardCompose().run(call) else {
            return Card(file: "", sha256: "")
        }
        return Card(file: outputs["file"]?.string ?? "", sha256: outputs["sha256"]?.string ?? "")
    }

    /// A text under the controls of a story is warned of.
    private static func card(_ text: String) -> ValueObject {
        [
            "size": "108x192", "background": ["color": "#fff"],
            "texts": [["text": .string(text), "at": "top", "y": -20, "font": "DejaVu Sans", "size": 8]],
        ]
    }

    /// Atomic writing replaces the file, so its number tells whether it was written.
    private static func fileNumber(_ path: String) throws -> UInt {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return UInt(status.st_ino)
    }

    /// The second attempt finds the card of the first, and tells its warnings again.
    @Test func aRepeatedAttemptDrawsNothingAndWarnsAgain() async throws {
        let calls = try TestCalls()
        let first = try await compose(KeptCardTests.card("a"), calls)
        let told = calls.warnings
        #expect(told.count == 1 && told[0].contains("controls"), "\(told)")
        let number = try KeptCardTests.fileNumber(first.file)
        #expect(try await compose(KeptCardTests.card("a"), calls) == first)
        #expect(calls.warnings == told + told)
        #expect(try KeptCardTests.fileNumber(first.file) == number, "it was not written again")
    }

    @Test func anotherCardNeverTakesThePlaceOfAnEarlierOne() async throws {
        let calls = try TestCalls()
        let first = try await compose(KeptCardTests.card("a"), calls)
        let second = try await compose(KeptCardTests.card("b"), calls)
        #expect(first.file != second.file && first.sha256 != second.sha256)
        #expect(SHA256.hex(try FileSystem.read(first.file)) == first.sha256, "it is there as it was")
        #expect(try await compose(KeptCardTests.card("a"), calls) == first)
    }

    @Test func aPictureThatChangedMakesAnotherCardWhateverItsName() async throws {
        let calls = try TestCalls()
        func picture(_ color: CardPaint) throws -> [UInt8] {
            let size = CardSize(width: 64, height: 64)
            return try CardComposer.compose(CardSpec(size: size, format: .png, background: .color(color))).bytes
        }
        func compose(_ name: String, _ picture: [UInt8]) async throws -> Card {
            let path = try calls.file(name, picture)
            return try await self.compose(["size": "64x64", "background": ["image": .string(path)]], calls)
        }
        let first = try await compose("photo.png", picture(.white))
        #expect(try await compose("photo.png", picture(.black)).file != first.file)
        #expect(try await compose("moved.png", picture(.white)) == first, "what counts is in the file")
    }

    @Test func aDamagedCardIsDrawnAnew() async throws {
        let calls = try TestCalls()
        let first = try await compose(KeptCardTests.card("a"), calls)
        try FileSystem.write([1, 2, 3], to: first.file)
        #expect(try await compose(KeptCardTests.card("a"), calls) == first)
        #expect(SHA256.hex(try FileSystem.read(first.file)) == first.sha256)
    }

    /// As if the file of the font had been another when the card was drawn.
    @Test func aCardWhoseFontWasReplacedIsDrawnAnew() async throws {
        let calls = try TestCalls()
        let first = try await compose(KeptCardTests.card("a"), calls)
        let folder = FileSystem.folder(of: first.file)
        let name = try #require(try FileSystem.list(folder).first { $0.hasSuffix(".json") })
        let path = FileSystem.join(folder, name)
        var note = try #require(try Value(json: FileSystem.read(path)).object)
        let fonts = try #require(note["fonts"]?.object)
        #expect(fonts.map { FileSystem.name(of: $0.key) } == ["DejaVuSans.ttf"])
        let number = try KeptCardTests.fileNumber(first.file)
        note["fonts"] = .object(ValueObject(fonts.map { ($0.key, "1 2 3") }))
        try FileSystem.write(Array(Value.object(note).json().utf8), to: path)
        #expect(try await compose(KeptCardTests.card("a"), calls) == first)
        #expect(try KeptCardTests.fileNumber(first.file) != number)
    }

    /// The missing font may have been installed by the next attempt.
    @Test func aCardWithoutItsFontIsDrawnAnew() async throws {
        let calls = try TestCalls()
        let parameters: ValueObject = [
            "size": "64x64", "background": ["color": "#fff"],
            "texts": [["text": "a", "font": "Nosuch Family 20"]],
        ]
        let first = try await compose(parameters, calls)
        let number = try KeptCardTests.fileNumber(first.file)
        #expect(try await compose(parameters, calls) == first)
        #expect(try KeptCardTests.fileNumber(first.file) != number)
        #expect(calls.warnings.count == 2)
    }

    @Test(arguments: [
        ("card", "card"), ("card[0]", "card-0"), ("walls[12]/card", "walls-12-card"), ("открытка", "card"),
    ]) func namesOfCardsAreReadable(address: String, name: String) async throws {
        let calls = try TestCalls()
        let file = FileSystem.name(of: try await compose(KeptCardTests.card("a"), at: address, calls).file)
        #expect(file.wholeMatch(of: /(.+)-[0-9a-f]{12}\.jpg/).map { String($0.1) } == name, "\(file)")
    }
}
