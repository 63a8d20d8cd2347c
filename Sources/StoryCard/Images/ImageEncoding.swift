internal import CImageCodecs
internal import Glibc

/// Writes a baseline JPEG, 4:2:0, without metadata; alpha is left out.
///
/// - Parameter quality: 1 to 100.
package func encodeJPEG(_ image: PixelImage, quality: Int) throws(ImageError) -> [UInt8] {
    try image.pixels.withUnsafeBufferPointer { rows throws(ImageError) in
        try encodeJPEG(
            rows.baseAddress!, width: image.width, height: image.height, rowBytes: image.rowBytes, quality: quality)
    }
}

func encodeJPEG(
    _ rows: UnsafePointer<UInt8>, width: Int, height: Int, rowBytes: Int, quality: Int
) throws(ImageError) -> [UInt8] {
    try taken { output, count in
        pasteup_jpeg_encode(
            rows, UInt32(width), UInt32(height), rowBytes,
            Int32(min(max(quality, 1), 100)), output, count)
    }
}

/// Writes a PNG of 8 bits a channel, without alpha and metadata.
func encodePNG(
    _ rows: UnsafePointer<UInt8>, width: Int, height: Int, rowBytes: Int
) throws(ImageError) -> [UInt8] {
    try taken { output, count in
        pasteup_png_encode(
            rows, UInt32(width), UInt32(height), rowBytes, output,
            count)
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
