internal import CImageCodecs
internal import CPangoCairo
internal import CSSColors

/// A cairo surface in memory and the context that draws on it. Stays on the thread that made it.
final class Canvas {
    enum Depth {
        /// Opaque colours: BGRX.
        case opaque
        /// Colours with alpha multiplied in: BGRA.
        case transparent
        /// Alpha alone, a byte each.
        case mask

        fileprivate var format: cairo_format_t {
            switch self {
            case .opaque: CAIRO_FORMAT_RGB24
            case .transparent: CAIRO_FORMAT_ARGB32
            case .mask: CAIRO_FORMAT_A8
            }
        }
    }

    let width: Int
    let height: Int
    /// Lives as long as the canvas.
    let cairo: OpaquePointer
    private let surface: OpaquePointer

    init(width: Int, height: Int, _ depth: Depth) throws(CardError) {
        guard let surface = cairo_image_surface_create(depth.format, Int32(width), Int32(height)),
            cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let cairo = cairo_create(surface)
        else { throw .outOfMemory }
        self.width = width
        self.height = height
        self.surface = surface
        self.cairo = cairo
    }

    convenience init(_ image: PixelImage) throws(CardError) {
        try self.init(width: image.width, height: image.height, image.hasAlpha ? .transparent : .opaque)
        withPixels { target, stride in
            image.pixels.withUnsafeBufferPointer { source in
                for y in 0..<image.height {
                    (target.baseAddress! + y * stride).update(
                        from: source.baseAddress! + y * image.rowBytes, count: image.rowBytes)
                }
            }
        }
    }

    /// - Parameter other: opaque.
    convenience init(copyOf area: PixelArea, of other: Canvas) throws(CardError) {
        try self.init(width: area.width, height: area.height, .opaque)
        withPixels { target, stride in
            other.withPixels { source, sourceStride in
                for y in 0..<area.height {
                    let start = (area.top + y) * sourceStride + area.left * 4
                    (target.baseAddress! + y * stride).update(from: source.baseAddress! + start, count: area.width * 4)
                }
            }
        }
    }

    deinit {
        cairo_destroy(cairo)
        cairo_surface_destroy(surface)
    }

    /// The rows, with what has been drawn so far, and the bytes from one to the next.
    func withPixels<Result, Failure>(
        _ body: (UnsafeMutableBufferPointer<UInt8>, _ stride: Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        cairo_surface_flush(surface)
        defer { cairo_surface_mark_dirty(surface) }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let rows = cairo_image_surface_get_data(surface)
        return try body(UnsafeMutableBufferPointer(start: rows, count: stride * height), stride)
    }

    /// Runs `body`, then restores the context's position, source and clip.
    func saved(_ body: () -> Void) {
        cairo_save(cairo)
        body()
        cairo_restore(cairo)
    }

    func setColor(_ color: CardColor, opacity: Double = 1) {
        cairo_set_source_rgba(
            cairo, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
            Double(color.alpha) / 255 * opacity)
    }

    /// Takes `other` as the source, its corner at the origin; beyond its border the border is repeated.
    func setSource(_ other: Canvas) {
        cairo_set_source_surface(cairo, other.surface, 0, 0)
        cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD)
        cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BILINEAR)
    }

    /// Paints the current source through `mask`.
    func paint(through mask: Canvas) {
        guard let pattern = cairo_pattern_create_for_surface(mask.surface) else { return }
        defer { cairo_pattern_destroy(pattern) }
        cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR)
        cairo_mask(cairo, pattern)
    }

    /// Lays black over an opaque canvas, whatever its context's position, through a mask whose pixels become `reduction`
    /// times as large.
    ///
    /// - Parameters:
    ///   - area: what is darkened; nil is the whole canvas. The mask's left edge lies on that of the area.
    ///   - down: how far below the mask's place it falls, in pixels; above it when negative.
    func darken(
        through mask: Canvas, reduction: Int, in area: PixelArea? = nil, down: Double, opacity: Double
    ) throws(CardError) {
        let area = area ?? whole
        let isDone = withPixels { rows, stride in
            mask.withPixels { maskRows, maskStride in
                pasteup_darken(
                    rows.baseAddress! + area.top * stride + area.left * 4, UInt32(area.width), UInt32(area.height),
                    stride, maskRows.baseAddress!, UInt32(mask.width), UInt32(mask.height), maskStride,
                    UInt32(reduction), Float(down - Double(area.top)), Float(opacity))
            }
        }
        guard isDone else { throw .outOfMemory }
    }

    func blur(sigma: Double, channels: Int) {
        withPixels { rows, stride in
            StoryCard.blur(rows, width: width, height: height, stride: stride, channels: channels, sigma: sigma)
        }
    }

    var whole: PixelArea { PixelArea(left: 0, top: 0, width: width, height: height) }

    /// Throws when cairo has met an error since the canvas was made.
    func check() throws(CardError) {
        guard cairo_status(cairo) == CAIRO_STATUS_SUCCESS else { throw .outOfMemory }
    }
}

/// A part of a canvas, in whole pixels.
struct PixelArea: Hashable {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
}

extension PixelArea {
    /// The pixels of `canvas` that the box touches; nil when there are none.
    init?(_ box: Box, on canvas: Canvas) {
        func range(_ start: Double, _ end: Double, _ count: Int) -> Range<Int>? {
            let most = Double(count)
            let (first, past) = (min(max(start.rounded(.down), 0), most), min(max(end.rounded(.up), 0), most))
            return first < past ? Int(first)..<Int(past) : nil
        }
        guard let columns = range(box.left, box.right, canvas.width),
            let rows = range(box.top, box.bottom, canvas.height)
        else { return nil }
        self.init(left: columns.lowerBound, top: rows.lowerBound, width: columns.count, height: rows.count)
    }
}
