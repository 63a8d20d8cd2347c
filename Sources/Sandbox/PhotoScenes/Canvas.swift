internal import CPangoCairo
internal import Glibc
internal import StoryCard

/// A colour with its opacity, each part from 0 to 1.
struct Color: Sendable {
    var red, green, blue, alpha: Double

    /// - Parameter hex: 0xRRGGBB.
    init(_ hex: UInt32, _ alpha: Double = 1) {
        red = Double(hex >> 16 & 255) / 255
        green = Double(hex >> 8 & 255) / 255
        blue = Double(hex & 255) / 255
        self.alpha = alpha
    }

    func mixed(with other: Color, _ share: Double) -> Color {
        var color = self
        color.red += (other.red - red) * share
        color.green += (other.green - green) * share
        color.blue += (other.blue - blue) * share
        color.alpha += (other.alpha - alpha) * share
        return color
    }

    func faded(_ alpha: Double) -> Color {
        var color = self
        color.alpha = alpha
        return color
    }
}

struct Point: Sendable {
    var x, y: Double
    init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// What a shape is filled with.
enum Paint {
    case flat(Color)
    case linear(Point, Point, [(Double, Color)])
    case radial(Point, Double, [(Double, Color)])
}

/// A surface to draw on, 1440 units wide whatever its pixels, by cairo.
///
/// Used by one thread.
final class Canvas {
    let width = 1440.0
    let height: Double
    var random: SeededRandom
    private let pixelWidth: Int
    private let pixelHeight: Int
    private let surface: OpaquePointer
    private let context: OpaquePointer

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

    // MARK: Shapes

    func begin() { cairo_new_path(context) }
    func move(_ point: Point) { cairo_move_to(context, point.x, point.y) }
    func line(_ point: Point) { cairo_line_to(context, point.x, point.y) }
    func curve(_ one: Point, _ two: Point, _ end: Point) { cairo_curve_to(context, one.x, one.y, two.x, two.y, end.x, end.y) }
    func close() { cairo_close_path(context) }

    func polygon(_ points: [Point]) {
        begin()
        for point in points { line(point) }
        close()
    }

    func circle(_ center: Point, _ radius: Double) {
        begin()
        cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
        close()
    }

    func arc(_ center: Point, _ radius: Double, from: Double, to: Double) {
        cairo_arc(context, center.x, center.y, radius, from, to)
    }

    func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0) {
        begin()
        guard radius > 0 else { return cairo_rectangle(context, x, y, width, height) }
        arc(Point(x + width - radius, y + radius), radius, from: -.pi / 2, to: 0)
        arc(Point(x + width - radius, y + height - radius), radius, from: 0, to: .pi / 2)
        arc(Point(x + radius, y + height - radius), radius, from: .pi / 2, to: .pi)
        arc(Point(x + radius, y + radius), radius, from: .pi, to: 1.5 * .pi)
        close()
    }

    func ellipse(_ center: Point, _ radiusX: Double, _ radiusY: Double) {
        cairo_save(context)
        cairo_translate(context, center.x, center.y)
        cairo_scale(context, radiusX, radiusY)
        begin()
        cairo_arc(context, 0, 0, 1, 0, 2 * .pi)
        close()
        cairo_restore(context)
    }

    func fill(_ paint: Paint, keepsPath: Bool = false) {
        use(paint)
        if keepsPath { cairo_fill_preserve(context) } else { cairo_fill(context) }
    }

    func fill(_ color: Color) { fill(.flat(color)) }

    func stroke(_ paint: Paint, width: Double) {
        use(paint)
        cairo_set_line_width(context, width)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_stroke(context)
    }

    /// The whole canvas.
    func cover(_ paint: Paint) {
        use(paint)
        cairo_paint(context)
    }

    private func use(_ paint: Paint) {
        switch paint {
        case .flat(let color): cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
        case .linear(let start, let end, let stops):
            use(cairo_pattern_create_linear(start.x, start.y, end.x, end.y), stops)
        case .radial(let center, let radius, let stops):
            use(cairo_pattern_create_radial(center.x, center.y, 0, center.x, center.y, radius), stops)
        }
    }

    private func use(_ pattern: OpaquePointer, _ stops: [(Double, Color)]) {
        for (offset, color) in stops {
            cairo_pattern_add_color_stop_rgba(pattern, offset, color.red, color.green, color.blue, color.alpha)
        }
        cairo_set_source(context, pattern)
        cairo_pattern_destroy(pattern)
    }

    // MARK: Placing

    /// Draws with the origin at `point`, turned by `angle` and enlarged by `scale`.
    func placed(at point: Point, angle: Double = 0, scale: Double = 1, _ draw: () -> Void) {
        cairo_save(context)
        cairo_translate(context, point.x, point.y)
        cairo_rotate(context, angle)
        cairo_scale(context, scale, scale)
        draw()
        cairo_restore(context)
    }

    /// Draws inside the present path only.
    func clipped(_ draw: () -> Void) {
        cairo_save(context)
        cairo_clip(context)
        draw()
        cairo_restore(context)
    }

    /// Draws as light on light: brightens what is below.
    func screened(_ draw: () -> Void) {
        cairo_save(context)
        cairo_set_operator(context, CAIRO_OPERATOR_SCREEN)
        draw()
        cairo_restore(context)
    }

    // MARK: Light, blur, grain

    /// A round light that fades to nothing.
    func glow(_ center: Point, _ radius: Double, _ color: Color) {
        screened {
            circle(center, radius)
            fill(.radial(center, radius, [(0, color), (0.4, color.faded(color.alpha * 0.35)), (1, color.faded(0))]))
        }
    }

    /// Draws blurred by `radius` units: onto a small surface, which is smoothed and enlarged.
    func soft(_ radius: Double, alpha: Double = 1, screens: Bool = false, _ draw: (Canvas) -> Void) {
        let pixelsWide = max(24, Int(1440 * 2.5 / radius))
        let small = Canvas(
            width: pixelsWide, height: Int((Double(pixelsWide) * height / width).rounded()), seed: "\(random.next())")
        draw(small)
        small.smooth()
        cairo_save(context)
        if screens { cairo_set_operator(context, CAIRO_OPERATOR_SCREEN) }
        cairo_scale(context, width / Double(small.pixelWidth), height / Double(small.pixelHeight))
        cairo_set_source_surface(context, small.surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BILINEAR)
        cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
        cairo_paint_with_alpha(context, alpha)
        cairo_restore(context)
    }

    /// Three box blurs of five pixels each way: close to a Gaussian.
    private func smooth() {
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        guard let data = cairo_image_surface_get_data(surface) else { return }
        for _ in 0..<3 {
            for row in 0..<pixelHeight { Self.blur(data + row * stride, count: pixelWidth, step: 4) }
            for column in 0..<pixelWidth { Self.blur(data + column * 4, count: pixelHeight, step: stride) }
        }
        cairo_surface_mark_dirty(surface)
    }

    private static func blur(_ start: UnsafeMutablePointer<UInt8>, count: Int, step: Int) {
        for channel in 0..<4 {
            let line = (0..<count).map { Int(start[$0 * step + channel]) }
            func at(_ index: Int) -> Int { line[min(max(index, 0), count - 1)] }
            var sum = (-2...2).reduce(0) { $0 + at($1) }
            for index in 0..<count {
                start[index * step + channel] = UInt8((sum + 2) / 5)
                sum += at(index + 3) - at(index - 2)
            }
        }
    }

    /// The grain of a film, all over.
    func grain(_ alpha: Double) {
        let side = 256
        var noise = [UInt32](repeating: 0, count: side * side)
        for index in noise.indices {
            let value = UInt32((random.next(in: 0...255) + random.next(in: 0...255) + random.next(in: 0...255)) / 3)
            noise[index] = 0xFF00_0000 | value << 16 | value << 8 | value
        }
        noise.withUnsafeMutableBytes { bytes in
            let tile = cairo_image_surface_create_for_data(
                bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(side), Int32(side),
                Int32(side * 4))
            cairo_save(context)
            cairo_identity_matrix(context)
            cairo_set_operator(context, CAIRO_OPERATOR_OVERLAY)
            cairo_set_source_surface(context, tile, 0, 0)
            cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_REPEAT)
            cairo_paint_with_alpha(context, alpha)
            cairo_restore(context)
            cairo_surface_destroy(tile)
        }
    }

    /// Darker corners.
    func vignette(_ alpha: Double) {
        let center = Point(width / 2, height / 2)
        cover(.radial(center, hypot(width, height) / 2, [(0.45, Color(0, 0)), (1, Color(0x080410, alpha))]))
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

    /// Text in DejaVu Sans Bold, its left end on the base line at `point`; returns its width.
    @discardableResult
    func text(_ text: String, at point: Point, size: Double, _ paint: Paint) -> Double {
        cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD)
        cairo_set_font_size(context, size)
        var extents = cairo_text_extents_t()
        cairo_text_extents(context, text, &extents)
        use(paint)
        cairo_move_to(context, point.x, point.y)
        cairo_show_text(context, text)
        return extents.x_advance
    }
}

/// SplitMix64 (G. Steele et al., 2014): the same numbers for the same seed, on every machine.
struct SeededRandom: Sendable {
    private var state: UInt64

    /// The seed's FNV-1a hash begins the row.
    init(_ seed: String) {
        state = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func next(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func next(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + Double(next() >> 11) / Double(1 << 53) * (range.upperBound - range.lowerBound)
    }
}

/// A line that wanders like a range of hills: value noise of several octaves, from -1 to 1.
struct Ridge {
    private let values: [Double]

    init(_ random: inout SeededRandom) { values = (0..<256).map { _ in random.next(in: -1.0...1) } }

    /// - Parameter octaves: more make it rougher.
    func height(at x: Double, octaves: Int) -> Double {
        var sum = 0.0
        var scale = 1.0
        var total = 0.0
        for octave in 0..<octaves {
            let place = x * Double(1 << octave) + Double(octave) * 37.7
            let index = Int(place.rounded(.down))
            let part = place - Double(index)
            let ease = part * part * (3 - 2 * part)
            let (one, two) = (values[(index % 256 + 256) % 256], values[((index + 1) % 256 + 256) % 256])
            sum += (one + (two - one) * ease) * scale
            total += scale
            scale *= 0.48
        }
        return sum / total
    }
}
