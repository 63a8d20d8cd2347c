import Files
import Glibc
import Testing

@testable import StoryCard

@Suite(.computing) struct RefusalTests {
    /// First bytes as in the formats' own specifications, a scalar for each.
    private static let heads: [(String, ImageFormat?)] = [
        ("\u{FF}\u{D8}\u{FF}\u{E0}", .jpeg),
        ("\u{89}PNG\r\n\u{1A}\n", .png),
        ("RIFF\0\0\0\0WEBPVP8 ", .webp),
        ("GIF89a", .gif),
        ("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic", .heic),
        ("\0\0\0\u{1C}ftypavif\0\0\0\0mif1avifmiaf", .avif),
        ("\0\0\0\u{18}ftypisom\0\0\0\0isommp42", .video),
        ("II*\0", .tiff),
        ("%PDF-1.7", .pdf),
        ("<!DOCTYPE html><html>", .html),
        ("\n <html lang=\"ru\">", .html),
        ("<?xml version=\"1.0\"?><svg xmlns=\"\">", .svg),
        ("{\"error\":{}}", .json),
        ("hello", nil),
        ("", nil),
    ]

    @Test(arguments: heads) func knowsFormatsByTheirFirstBytes(head: String, format: ImageFormat?) {
        #expect(imageFormat(magic: latin1(head)) == format)
    }

    private static let messages: [(String, String)] = [
        ("", "'p.jpg' is empty. A download that was cut off leaves such a file. Fetch or export the picture again."),
        (
            "<html><title>Login</title>",
            """
            'p.jpg' is a web page (HTML), not a JPEG, PNG or WebP. Servers send a page when the picture has gone or \
            needs a login. Open the file in an editor to read what the server said.
            """
        ),
        (
            "GIF89a",
            "'p.jpg' is a GIF, not a JPEG, PNG or WebP. GIF animations cannot be put on a card. Save it as JPEG."
        ),
        (
            "\0\0\0\u{18}ftypheic\0\0\0\0mif1heic",
            "'p.jpg' is a HEIC picture, not a JPEG, PNG or WebP. HEIC and AVIF are not supported. Save it as JPEG."
        ),
        (
            "hello",
            """
            'p.jpg' is not a picture. Its first bytes are not those of a JPEG, PNG or WebP; the file's name is not \
            asked. Check the path, or save the picture as JPEG.
            """
        ),
    ]

    @Test(arguments: messages) func saysWhatAFileIs(head: String, message: String) throws {
        let error = try #require(throws: ImageError.self) { try readImageHeader(latin1(head)) }
        #expect(error.message(about: "p.jpg") == message)
    }

    @Test(arguments: ["truncated.jpg", "html-as.jpg", "many-scans.jpg"]) func makesNoCardOfABadFile(file: String) throws
    {
        let spec = CardSpec(stickers: [CardSticker(image: fixture(file))])
        let error = try #require(throws: CardError.self) { try CardComposer.compose(spec) }
        guard case .image(let path, let reason) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(path == fixture(file))
        switch (file, reason) {
        case ("truncated.jpg", .damaged(.jpeg, _)), ("html-as.jpg", .notReadable(.html)): break
        case ("many-scans.jpg", .unsupported(.jpeg, detail: "more than 100 scans")): break
        default: Issue.record("\(file): \(reason)")
        }
    }

    @Test(arguments: ["baseline.jpg", "progressive.jpg", "grey.jpg", "palette.png", "grey16.png", "lossless.webp"])
    func refusesAFileCutAnywhere(file: String) throws {
        let content = try bytes(of: file)
        for count in 0..<content.count {
            #expect(throws: ImageError.self, "\(count) of \(content.count) bytes") {
                try decoded(Array(content.prefix(count)))
            }
        }
    }

    /// Nothing but the process's survival is promised: no crash, no read past the end.
    @Test(arguments: ["baseline.jpg", "progressive.jpg", "palette.png", "grey16.png", "lossless.webp", "animated.webp"])
    func survivesEveryDamagedByte(file: String) throws {
        let content = try bytes(of: file)
        for index in content.indices {
            for change: UInt8 in [0xFF, 0x01, 0x80] {
                var damaged = content
                damaged[index] ^= change
                guard let image = try? EncodedImage(damaged), image.width * image.height <= 4_000_000 else { continue }
                _ = try? image.decoded()
            }
        }
    }

    /// 30000x30000, 8 bits, RGB; the check sums were made with zlib.
    private static let hugePNG: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
        0x75, 0x30, 0x00, 0x00, 0x75, 0x30, 0x08, 0x02, 0x00, 0x00, 0x00, 0xE9, 0x45, 0x6F, 0xED, 0x00, 0x00, 0x00,
        0x00, 0x49, 0x44, 0x41, 0x54, 0x35, 0xAF, 0x06, 0x1E,
    ]

    /// Start of image, a frame of one component, start of scan (ITU-T T.81, B.2).
    private static func jpegHeader(width: Int, height: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8)]
            + [UInt8(width & 255), 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    }

    private static let largeHeaders: [([UInt8], ImageError)] = [
        (hugePNG, .tooLarge(width: 30000, height: 30000, limit: 14_000)),
        (Array(hugePNG.prefix(33)), .tooLarge(width: 30000, height: 30000, limit: 14_000)),
        (jpegHeader(width: 65500, height: 65500), .tooLarge(width: 65500, height: 65500, limit: 14_000)),
        (jpegHeader(width: 65535, height: 65535), .tooLarge(width: 65535, height: 65535, limit: 14_000)),
        (jpegHeader(width: 7001, height: 7000), .tooLarge(width: 7001, height: 7000, limit: 14_000)),
        (jpegHeader(width: 100, height: 2001), .tooNarrow(width: 100, height: 2001, limit: 20)),
    ]

    @Test(arguments: largeHeaders) func refusesByTheHeaderAlone(content: [UInt8], reason: ImageError) throws {
        let folder = try PictureFolder()
        let path = try folder.add("large", content)
        let spec = CardSpec(stickers: [CardSticker(image: path)])
        #expect(throws: CardError.image(path: path, reason)) { try CardComposer.compose(spec) }
    }

    /// The last scan of a sound progressive JPEG again and again (ITU-T T.81, B.1.1.2: FF DA begins one, FF D9 ends the
    /// picture). Each would be decoded over the whole picture.
    @Test func refusesThousandsOfScansAfterAHundred() throws {
        let sound = try bytes(of: "progressive.jpg")
        let start = try #require(sound.indices.dropLast().last { sound[$0] == 0xFF && sound[$0 + 1] == 0xDA })
        let scan = sound[start..<sound.count - 2]
        let many = Array(sound.dropLast(2)) + (0..<5000).flatMap { _ in scan } + [0xFF, 0xD9]
        let error = try #require(throws: ImageError.self) { try decoded(many) }
        switch error {
        case .unsupported(.jpeg, detail: "more than 100 scans"), .damaged(.jpeg, _): break
        default: Issue.record("\(error)")
        }
    }

    /// A hole of 50 MB takes no room on the disk, and none in memory.
    @Test func refusesAFileOfMoreThan50Megabytes() throws {
        let folder = try PictureFolder()
        let path = try folder.add("large.jpg", try bytes(of: "baseline.jpg"))
        try #require(truncate(path, 50_000_001) == 0)
        let error = try #require(throws: CardError.self) {
            try CardComposer.compose(CardSpec(stickers: [CardSticker(image: path)]))
        }
        #expect(error.description.contains("50"), "\(error)")
        #expect(error.description.contains("large.jpg"))
    }

    @Test func namesTheNumbersOfALargePicture() {
        #expect(
            ImageError.tooLarge(width: 30000, height: 30000, limit: 14_000).message(about: "p.png")
                == "'p.png' is too large: 30000x30000 pixels. Width and height together may be 14000 at most. "
                + "Make it smaller.")
    }

    @Test func saysThatAFileIsMissing() throws {
        let spec = CardSpec(stickers: [CardSticker(image: "/nowhere/photo.jpg")])
        let error = try #require(throws: CardError.self) { try CardComposer.compose(spec) }
        #expect(
            error.description
                == "cannot read '/nowhere/photo.jpg': No such file or directory. Check the path.")
    }
}

/// Each scalar as one byte.
private func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
