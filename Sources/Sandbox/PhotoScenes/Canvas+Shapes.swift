internal import CPangoCairo

extension Canvas {
    func begin() { cairo_new_path(context) }
    func move(_ point: Point) { cairo_move_to(context, point.x, point.y) }
    func line(_ point: Point) { cairo_line_to(context, point.x, point.y) }
    func curve(_ one: Point, _ two: Point, _ end: Point) {
        cairo_curve_to(context, one.x, one.y, two.x, two.y, end.x, end.y)
    }
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
}
