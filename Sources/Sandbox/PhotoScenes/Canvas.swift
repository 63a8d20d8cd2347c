internal import CPangoCairo
internal import StoryCard

/// A surface to draw on, 1440 units wide whatever its pixels, by cairo.
///
/// Used by one thread.
final class Canvas {
    let width = 1440.0
    let height: Double
    var random: SeededRandom
    let pixelWidth: Int
    let pixelHeight: Int
    let surface: OpaquePointer
    let context: OpaquePointer

    init(width: Int, height: Int, seed: String) {
        self.height = 1440 * Double(height) / Double(width)
        random = SeededRandom(seed)
        pixelWidth = width
        pixelHeight = height
        surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
        context = cairo_create(surface)
        cairo_scale(context, Double(width) / 1440, Double(width) / 1440)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// The pixels, opaque.
    func image() -> PixelImage {
        PixelImage(width: pixelWidth, height: pixelHeight, pixels: pixels())
    }

    private func pixels() -> [UInt8] {
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        guard let data = cairo_image_surface_get_data(surface) else { return [] }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(pixelWidth * pixelHeight * 4)
        for row in 0..<pixelHeight {
            pixels.append(contentsOf: UnsafeBufferPointer(start: data + row * stride, count: pixelWidth * 4))
        }
        return pixels
    }

    /// The surface as a PNG file.
    func png() -> [UInt8] {
        final class Output { var bytes: [UInt8] = [] }
        let output = Output()
        cairo_surface_write_to_png_stream(
            surface,
            { output, data, count in
                Unmanaged<Output>.fromOpaque(output!).takeUnretainedValue().bytes
                    .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
                return CAIRO_STATUS_SUCCESS
            }, Unmanaged.passUnretained(output).toOpaque())
        return output.bytes
    }
}
