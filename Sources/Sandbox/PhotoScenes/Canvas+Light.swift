internal import CPangoCairo
internal import Glibc

extension Canvas {
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

    /// Three box blurs of five pixels each way, close to a Gaussian: the mean of five copies, moved by one pixel each.
    private func smooth() {
        let other = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(pixelWidth), Int32(pixelHeight))
        defer { cairo_surface_destroy(other) }
        for _ in 0..<3 {
            Self.average(of: surface, into: other, x: 1, y: 0)
            Self.average(of: other, into: surface, x: 0, y: 1)
        }
    }

    private static func average(of source: OpaquePointer?, into target: OpaquePointer?, x: Double, y: Double) {
        let context = cairo_create(target)
        defer { cairo_destroy(context) }
        cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        cairo_paint(context)
        cairo_set_operator(context, CAIRO_OPERATOR_ADD)
        for step in -2...2 {
            cairo_set_source_surface(context, source, Double(step) * x, Double(step) * y)
            cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
            cairo_paint_with_alpha(context, 0.2)
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
}
