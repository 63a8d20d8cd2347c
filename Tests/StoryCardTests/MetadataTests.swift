import Testing

@testable import StoryCard

/// A photo says where and when it was taken, and with what; its card does not.
@Suite(.computing) struct MetadataTests {
    private func card(_ format: CardFormat) throws -> [UInt8] {
        try CardComposer.compose(
            CardSpec(
                size: CardSize(width: 300, height: 300), format: format,
                stickers: [CardSticker(image: fixture("orientation6-gps.jpg"))])
        ).bytes
    }

    /// Of the segments for applications (T.81, table B.1: FFE0 to FFEF) and comments (FFFE) only JFIF's, FFE0.
    @Test func jpegHasNoSegmentForTheCamera() throws {
        let bytes = try card(.jpeg())
        var markers: [UInt8] = []
        var place = 2
        while bytes[place + 1] != 0xDA {
            try #require(bytes[place] == 0xFF)
            markers.append(bytes[place + 1])
            place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
        }
        #expect(markers.filter { $0 >= 0xE0 } == [0xE0])
    }

    /// The three critical chunks of a PNG in true colour, and no ancillary one (PNG specification, 11.2 and 11.3).
    @Test func pngHasNoChunkForTheCamera() throws {
        let bytes = try card(.png)
        var names: Set<String> = []
        var place = 8
        while place < bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            names.insert(String(decoding: bytes[place + 4..<place + 8], as: UTF8.self))
            place += 12 + length
        }
        #expect(names == ["IHDR", "IDAT", "IEND"])
    }

    /// The simple file format has one chunk, with the picture; EXIF, XMP and ICCP need the extended one (RFC 9649, 2.5).
    @Test func webpHasNoChunkForTheCamera() throws {
        let bytes = try card(.webp())
        #expect(String(decoding: bytes[8..<16], as: UTF8.self) == "WEBPVP8 ")
        let length = bytes[16..<20].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(bytes.count == 20 + length + length % 2, "nothing follows")
    }
}
