internal import CImageCodecs
internal import CWebP
internal import Glibc

/// Rows of a picture in memory, four bytes a pixel: blue, green, red, and one that is left out.
struct PixelRows {
    let start: UnsafePointer<UInt8>
    let width: Int
    let height: Int
    let rowBytes: Int
}

/// Writes a baseline JPEG, 4:2:0, without metadata; alpha is left out.
///
/// - Parameter quality: 1 to 100.
package func encodeJPEG(_ image: PixelImage, quality: Int) throws(ImageError) -> [UInt8] {
    try image.pixels.withUnsafeBufferPointer { rows throws(ImageError) in
        let rows = PixelRows(
            start: rows.baseAddress!, width: image.width, height: image.height, rowBytes: image.rowBytes)
        return try encodeJPEG(rows, quality: quality, fullChroma: false)
    }
}

/// Writes a baseline JPEG without metadata.
///
/// - Parameter fullChroma: 4:4:4 in place of 4:2:0.
func encodeJPEG(_ rows: PixelRows, quality: Int, fullChroma: Bool) throws(ImageError) -> [UInt8] {
    try taken { output, count in
        pasteup_jpeg_encode(
            rows.start, UInt32(rows.width), UInt32(rows.height), rows.rowBytes, Int32(min(max(quality, 1), 100)),
            fullChroma, output, count)
    }
}

/// Writes a PNG of 8 bits a channel, without alpha and metadata.
func encodePNG(_ rows: PixelRows) throws(ImageError) -> [UInt8] {
    try taken { output, count in
        pasteup_png_encode(rows.start, UInt32(rows.width), UInt32(rows.height), rows.rowBytes, output, count)
    }
}

/// Writes a lossy WebP without alpha and metadata.
///
/// - Parameter quality: 1 to 100.
func encodeWebP(_ rows: PixelRows, quality: Int) throws(ImageError) -> [UInt8] {
    var config = WebPConfig()
    var picture = WebPPicture()
    guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else { throw .outOfMemory }
    config.quality = Float(quality)
    picture.width = Int32(rows.width)
    picture.height = Int32(rows.height)
    picture.use_argb = 0
    defer { WebPPictureFree(&picture) }
    guard WebPPictureImportBGRX(&picture, rows.start, Int32(rows.rowBytes)) != 0 else { throw .outOfMemory }
    return try withUnsafeTemporaryAllocation(of: WebPMemoryWriter.self, capacity: 1) { buffer throws(ImageError) in
        let writer = buffer.baseAddress!
        writer.initialize(to: WebPMemoryWriter())
        WebPMemoryWriterInit(writer)
        defer { WebPMemoryWriterClear(writer) }
        picture.writer = WebPMemoryWrite
        picture.custom_ptr = UnsafeMutableRawPointer(writer)
        // Sizes are checked before; what is left that can fail is memory.
        guard WebPEncode(&config, &picture) != 0 else { throw .outOfMemory }
        return Array(UnsafeBufferPointer(start: writer.pointee.mem, count: writer.pointee.size))
    }
}

/// What the encoder has allocated and written, as an array.
private func taken(
    _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>) -> pasteup_image_status
) throws(ImageError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    // Writing to memory, an encoder meets one fault alone.
    guard encode(&output, &count) == .ok else { throw .outOfMemory }
    defer { free(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
}
