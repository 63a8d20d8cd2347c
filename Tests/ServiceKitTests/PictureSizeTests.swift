import Files
import ServiceKit
import Testing

@Suite struct PictureSizeTests {
    /// As file(1) tells them.
    static let sizes: [(String, PictureFormat, Int, Int)] = [
        ("baseline.jpg", .jpeg, 32, 24), ("progressive.jpg", .jpeg, 32, 24), ("grey.jpg", .jpeg, 32, 24),
        ("many-scans.jpg", .jpeg, 16, 16), ("cmyk-noprofile.jpg", .jpeg, 400, 500), ("display-p3.jpg", .jpeg, 400, 500),
        ("orientation6-gps.jpg", .jpeg, 500, 400), ("truncated.jpg", .jpeg, 400, 500), ("alpha.png", .png, 240, 300),
        ("grey16.png", .png, 32, 24), ("palette.png", .png, 32, 24), ("rgb16.png", .png, 240, 300),
    ]

    @Test(arguments: sizes)
    func headerSaysTheSize(name: String, format: PictureFormat, width: Int, height: Int) throws {
        let path = FileSystem.join(FileSystem.folder(of: #filePath), "../StoryCardTests/Fixtures/" + name)
        let size = try #require(PictureSize(of: path, format: format))
        #expect((size.width, size.height) == (width, height))
    }

    static let others: [(String, [UInt8], PictureFormat, Bool)] = [
        ("GIF", Array("GIF89a".utf8) + [0x40, 1, 0xF0, 0, 0, 0, 0], .gif, true),
        ("cut GIF", Array("GIF89a".utf8) + [0x40], .gif, false),
        ("GIF without a size", Array("GIF89a".utf8) + [0, 0, 0, 0], .gif, false),
        ("JPEG of a head alone", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16], .jpeg, false),
        ("JPEG whose segment has no length", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0], .jpeg, false),
        ("JPEG of pixels without a frame", [0xFF, 0xD8, 0xFF, 0xDA, 0, 2], .jpeg, false),
        ("fill bytes", [0xFF, 0xD8, 0xFF, 0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 240, 1, 0x40, 1, 0, 0, 0], .jpeg, true),
        ("empty", [], .png, false),
    ]

    @Test(arguments: others)
    func brokenHeaderSaysNothing(name: String, bytes: [UInt8], format: PictureFormat, isThere: Bool) throws {
        let folder = try FileSystem.makeTemporaryFolder(prefix: "pasteup-tests")
        defer { try? FileSystem.removeTree(folder) }
        let path = FileSystem.join(folder, "picture")
        try FileSystem.write(bytes, to: path)
        let size = PictureSize(of: path, format: format)
        #expect((size != nil) == isThere, "\(name)")
        if let size { #expect((size.width, size.height) == (320, 240)) }
    }
}
