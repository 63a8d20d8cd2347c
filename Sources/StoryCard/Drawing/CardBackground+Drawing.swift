internal import CImageCodecs
internal import CPangoCairo
internal import Glibc

extension Canvas {
    /// Fills the canvas.
    ///
    /// - Parameter dithers: whether gradients are dithered; a JPEG loses that again.
    func draw(
        _ background: CardBackground?, images: ImageFiles, dithers: Bool
    ) throws(CardError) {
        setColor(.bareBackground)
        cairo_paint(cairo)
        switch background {
        case nil: break
        case .color(let color):
            setColor(color)
            cairo_paint(cairo)
        case .gradient(let gradient): draw(gradient, dithers: dithers)
        case .image(let image): try draw(image, from: images)
        }
    }

    private func draw(_ gradient: CardGradient, dithers: Bool) {
        let radians = gradient.angle * .pi / 180
        let (right, down) = (sin(radians), -cos(radians))
        let length = abs(Double(width) * right) + abs(Double(height) * down)
        let origin = 0.5 - (right * (Double(width) - 1) + down * (Double(height) - 1)) / 2 / length
        let table = gradient.table(count: 4096)
        withPixels { rows, stride in
            pasteup_fill_gradient(
                rows.baseAddress!, UInt32(width), UInt32(height), stride, table, UInt32(table.count / 3),
                Float(origin), Float(right / length), Float(down / length), dithers)
        }
    }

    private func draw(_ background: CardBackgroundImage, from images: ImageFiles) throws(CardError) {
        // A blurred picture holds no detail that a quarter of the pixels would not show.
        let reduction = background.blur >= 8 ? 4 : 1
        let (targetWidth, targetHeight) = (
            (width + reduction - 1) / reduction, (height + reduction - 1) / reduction
        )
        let encoded = try images.image(at: background.path)
        let crop = PixelImage.coveringCrop(
            ofWidth: encoded.width, height: encoded.height, forWidth: targetWidth, height: targetHeight)
        let factor = Double(targetWidth) / crop.width
        let whole = try images.decoded(
            background.path, width: Double(encoded.width) * factor, height: Double(encoded.height) * factor)
        let image = whole.resized(
            toWidth: targetWidth, height: targetHeight,
            crop: PixelImage.coveringCrop(
                ofWidth: whole.width, height: whole.height, forWidth: targetWidth, height: targetHeight))
        let picture = try Canvas(image)
        if background.blur > 0 { picture.blur(sigma: background.blur / Double(reduction), channels: 4) }
        saved {
            cairo_scale(cairo, Double(width) / Double(targetWidth), Double(height) / Double(targetHeight))
            setSource(picture)
            cairo_paint(cairo)
        }
        setColor(.black, opacity: background.dim)
        cairo_paint(cairo)
    }
}

extension CardGradient {
    /// The colours along the line as `count` blue, green, red triples.
    fileprivate func table(count: Int) -> [Float] {
        var table: [Float] = []
        table.reserveCapacity(count * 3)
        var next = 0
        for index in 0..<count {
            let place = Double(index) / Double(count - 1)
            while next < stops.count, stops[next].at <= place { next += 1 }
            let before = stops[max(next - 1, 0)]
            let after = stops[min(next, stops.count - 1)]
            let share = after.at > before.at ? min(max((place - before.at) / (after.at - before.at), 0), 1) : 0
            let first = before.color.over(.bareBackground)
            let second = after.color.over(.bareBackground)
            for channel in [\CardColor.blue, \.green, \.red] {
                let (start, end) = (Double(first[keyPath: channel]), Double(second[keyPath: channel]))
                table.append(Float(start + (end - start) * share))
            }
        }
        return table
    }
}
