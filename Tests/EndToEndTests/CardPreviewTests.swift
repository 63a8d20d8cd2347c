import Files
import Glibc
import StoryCard
import TestSupport
import Testing

/// `pasteup card preview` and `card presets`, as a person runs them.
@Suite(.programs) struct CardPreviewTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write(
            "card.yaml", Array("size: 96x96\nbackground: { color: red }\ntexts: [{ text: Привет, size: 12 }]\n".utf8))
    }

    private func pasteup(_ arguments: String...) async throws -> ProgramResult {
        try await ProgramRunner(ProgramRunner.built("pasteup"), folder: folder.path).run(["card"] + arguments)
    }

    private func names() throws -> [String] { try FileSystem.list(folder.path).sorted() }

    @Test(arguments: [("out.png", ImageFormat.png), ("out.jpeg", .jpeg), ("OUT.WEBP", .webp)])
    func theEndingGivesTheFormat(name: String, format: ImageFormat) async throws {
        let result = try await pasteup("preview", "card.yaml", "-o", name)
        #expect(result.code == 0, "\(result.all)")
        #expect(result.output.hasPrefix("\(name): 96x96, "))
        #expect(try readImageHeader(try FileSystem.read(folder.path + "/" + name)).format == format)
    }

    @Test func withoutAnOutputItLiesBesideItsFile() async throws {
        #expect(try await pasteup("preview", "card.yaml").code == 0)
        #expect(try names() == ["card.jpg", "card.yaml"])
    }

    static let targets: [(output: String, message: String, code: Int32)] = [
        (
            "nowhere/out.png",
            "error: cannot create 'nowhere/out.png': No such file or directory. Make the folder 'nowhere' first.\n", 1
        ),
        (
            "out.gif",
            "error: 'out.gif' does not end in a format that is written. End it in .jpg, .png or .webp.\n"
                + "error: no card was drawn.\n", 2
        ),
        (
            "out",
            "error: 'out' does not end in a format that is written. End it in .jpg, .png or .webp.\n"
                + "error: no card was drawn.\n", 2
        ),
        (
            "/dev/full",
            "error: '/dev/full' does not end in a format that is written. End it in .jpg, .png or .webp.\n"
                + "error: no card was drawn.\n", 2
        ),
    ]

    @Test(arguments: targets) func saysWhyThereIsNoPicture(output: String, message: String, code: Int32) async throws {
        let result = try await pasteup("preview", "card.yaml", "-o", output)
        #expect(result.errors == message)
        #expect(result.code == code)
        #expect(try names() == ["card.yaml"], "nothing half-written")
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere")) func saysThatAFolderMayNotBeWritten() async throws
    {
        try #require(chmod(folder.path, 0o500) == 0)
        let result = try await pasteup("preview", "card.yaml")
        #expect(result.errors.contains("Permission denied. Name a file in a folder of yours with -o."))
        try #require(chmod(folder.path, 0o700) == 0)
        #expect(try names() == ["card.yaml"])
    }

    /// "card.yaml" with a "card.jpg" in it would be drawn to "card.jpg".
    @Test func neverOverwritesThePictureItIsMadeOf() async throws {
        #expect(try await pasteup("preview", "card.yaml", "-o", "photo.jpg").code == 0)
        let photo = try FileSystem.read(folder.path + "/photo.jpg")
        _ = try folder.write("photo.yaml", Array("size: 96x96\nsticker: { image: photo.jpg }\n".utf8))
        let result = try await pasteup("preview", "photo.yaml")
        #expect(result.code == 2)
        #expect(
            result.errors.contains("'./photo.jpg' would be overwritten by the card that is made of it. Name another"))
        #expect(try FileSystem.read(folder.path + "/photo.jpg") == photo)
    }

    @Test func listsThePresetsAndPrintsOneToCopy() async throws {
        let list = try await pasteup("presets")
        for name in ["polaroid", "full-bleed", "quote", "announcement"] { #expect(list.output.contains("  \(name) ")) }
        #expect(list.output.hasSuffix("Print one to copy: pasteup card presets NAME --size SIZE\n"))
        let copy = try await pasteup("presets", "quote", "--size", "link")
        let named = "preset: quote\nsize: link\ntexts: [{ text: Be brief. }, { text: Horace }]\n"
        let filled = copy.output.replacing("  - text: \"\"\n", with: "  - text: Be brief.\n", maxReplacements: 1)
            .replacing("  - text: \"\"\n", with: "  - text: Horace\n", maxReplacements: 1)
        _ = try folder.write("copy.yaml", Array(filled.utf8))
        _ = try folder.write("named.yaml", Array(named.utf8))
        for name in ["copy", "named"] {
            let result = try await pasteup("preview", "\(name).yaml", "-o", "\(name).png")
            #expect(result.code == 0 && result.errors.isEmpty, "\(result.all)")
        }
        let pictures = try ["copy", "named"].map { try FileSystem.read(folder.path + "/\($0).png") }
        #expect(pictures[0] == pictures[1], "a copy draws what the preset draws")
    }

    @Test(arguments: [
        (["presets", "qoute"], "error: there is no preset 'qoute'. Did you mean 'quote'?\n"),
        (
            ["presets", "quote", "--size", "huge"],
            "error: 'huge' is not a size. Write story, portrait, square, link, or one like 1080x1920.\n"
        ),
        (["presets", "--size", "link"], "error: '--size' goes with the name of a preset. Write it after the name.\n"),
    ]) func saysWhichPresetsThereAre(arguments: [String], message: String) async throws {
        let result = try await ProgramRunner(ProgramRunner.built("pasteup")).run(["card"] + arguments)
        #expect(result.errors == message)
        #expect(result.code == 2)
    }
}
