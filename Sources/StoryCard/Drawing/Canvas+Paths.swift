internal import CPangoCairo
internal import CSSColors

extension Canvas {
    /// Puts the origin at the box's top left corner, turned about its middle.
    func move(to box: Box, rotation: Double) {
        cairo_translate(cairo, box.center.x, box.center.y)
        cairo_rotate(cairo, rotation * .pi / 180)
        cairo_translate(cairo, -box.width / 2, -box.height / 2)
    }

    /// Begins a path anew: a rectangle with round corners.
    func addRectangle(_ box: Box, radius: Double) {
        let radius = min(radius, box.width / 2, box.height / 2)
        cairo_new_path(cairo)
        guard radius > 0 else { return cairo_rectangle(cairo, box.left, box.top, box.width, box.height) }
        let (left, top, right, bottom) = (
            box.left + radius, box.top + radius, box.right - radius, box.bottom - radius
        )
        cairo_arc(cairo, right, top, radius, -.pi / 2, 0)
        cairo_arc(cairo, right, bottom, radius, 0, .pi / 2)
        cairo_arc(cairo, left, bottom, radius, .pi / 2, .pi)
        cairo_arc(cairo, left, top, radius, .pi, .pi * 3 / 2)
        cairo_close_path(cairo)
    }

    /// Begins a path anew: the ellipse in the box.
    func addEllipse(_ box: Box) {
        cairo_new_path(cairo)
        guard box.width > 0, box.height > 0 else { return }
        var matrix = cairo_matrix_t()
        cairo_get_matrix(cairo, &matrix)
        cairo_translate(cairo, box.center.x, box.center.y)
        cairo_scale(cairo, box.width / 2, box.height / 2)
        cairo_arc(cairo, 0, 0, 1, 0, 2 * .pi)
        cairo_close_path(cairo)
        cairo_set_matrix(cairo, &matrix)
    }

    /// Draws what `body` draws on an opaque canvas as one layer of that opacity: what lies in it below something else does
    /// not show through that.
    ///
    /// - Parameter box: what `body` keeps to.
    func faded(_ opacity: Double, in box: Box, _ body: () throws(CardError) -> Void) throws(CardError) {
        guard opacity > 0, let area = PixelArea(box, on: self) else { return }
        let before = opacity < 1 ? try Canvas(copyOf: area, of: self) : nil
        try body()
        guard let before else { return }
        saved {
            cairo_rectangle(cairo, Double(area.left), Double(area.top), Double(area.width), Double(area.height))
            cairo_clip(cairo)
            cairo_translate(cairo, Double(area.left), Double(area.top))
            setSource(before)
            cairo_paint_with_alpha(cairo, 1 - opacity)
        }
    }

    /// What lies below a text: the mean colour of the box, and the standard deviation of its brightness, from 0 to 255.
    func ground(in box: Box) -> (mean: CardColor, deviation: Double) {
        let columns = max(Int(box.left), 0)..<max(min(Int(box.right), width), max(Int(box.left), 0))
        let lines = max(Int(box.top), 0)..<max(min(Int(box.bottom), height), max(Int(box.top), 0))
        guard !columns.isEmpty, !lines.isEmpty else { return (.bareBackground, 0) }
        let step = max(Int((Double(columns.count * lines.count) / 4000).squareRoot()), 1)
        return withPixels { rows, stride in
            var (sums, squares, count) = ((red: 0, green: 0, blue: 0), 0.0, 0)
            var brightness = 0.0
            for y in Swift.stride(from: lines.lowerBound, to: lines.upperBound, by: step) {
                for x in Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: step) {
                    let pixel = y * stride + x * 4
                    let (blue, green, red) = (Int(rows[pixel]), Int(rows[pixel + 1]), Int(rows[pixel + 2]))
                    sums = (sums.red + red, sums.green + green, sums.blue + blue)
                    let luma = 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
                    brightness += luma
                    squares += luma * luma
                    count += 1
                }
            }
            let mean = CardColor(
                red: UInt8(sums.red / count), green: UInt8(sums.green / count), blue: UInt8(sums.blue / count))
            let middle = brightness / Double(count)
            return (mean, max(squares / Double(count) - middle * middle, 0).squareRoot())
        }
    }
}
