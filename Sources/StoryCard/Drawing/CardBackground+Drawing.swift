internal import CImageCodecs
internal import CPangoCairo
internal import CSSColors
internal import Glibc

extension Canvas {
    /// Fills the canvas with the card's background.
    func draw(_ spec: CardSpec, images: ImageFiles, palette: Palette) throws(CardError) {
        setColor(.bareBackground)
        cairo_paint(cairo)
        switch spec.background {
        case nil: break
        case .color(let paint):
            setColor(try palette.color(paint, for: CardPart(.background, "color")))
            cairo_paint(cairo)
        case .gradient(let gradient):
            let stops = try palette.stops(of: gradient, for: .background)
            // A JPEG loses the dither again.
            draw(stops, angle: gradient.angle, dithers: spec.format == .png)
        case .image(let image):
            guard let path = image.path ?? spec.stickers.first?.image else {
                throw .noPicture(CardPart(.background, "image"))
            }
            try draw(image, at: path, from: images)
        }
    }

    private func draw(_ stops: [ColorStop], angle: Double, dithers: Bool) {
        let line = GradientLine(angle: angle, width: Double(width), height: Double(height))
        let table = gradientTable(stops, count: 4096)
        withPixels { rows, stride in
            pasteup_fill_gradient(
                rows.baseAddress!, UInt32(width), UInt32(height), stride, table, UInt32(table.count / 3),
                Float(0.5 - (line.right * (Double(width) - 1) + line.down * (Double(height) - 1)) / 2 / line.length),
                Float(line.right / line.length), Float(line.down / line.length), dithers)
        }
    }

    private func draw(
        _ background: CardBackgroundImage, at path: String, from images: ImageFiles
    ) throws(CardError) {
        // A blurred picture holds no detail that a quarter of the pixels would not show.
        let reduction = background.blur >= 8 ? 4 : 1
        let (targetWidth, targetHeight) = (
            (width + reduction - 1) / reduction, (height + reduction - 1) / reduction
        )
        let image = try images.covering(
            path, width: targetWidth, height: targetHeight, focus: background.focus)
        let picture = try Canvas(image)
        if background.blur > 0 { picture.blur(sigma: background.blur / Double(reduction), channels: 4) }
        saved {
            cairo_scale(cairo, Double(width) / Double(targetWidth), Double(height) / Double(targetHeight))
            setSource(picture)
            cairo_paint(cairo)
        }
        guard background.dim > 0 else { return }
        setColor(.black, opacity: background.dim)
        cairo_paint(cairo)
    }
}

extension ImageFiles {
    /// The picture made as large as needed to cover a box of pixels, and cut to it.
    func covering(_ path: String, width: Int, height: Int, focus: CardFocus) throws(CardError) -> PixelImage {
        let encoded = try image(at: path)
        let crop = PixelImage.coveringCrop(
            ofWidth: encoded.width, height: encoded.height, forWidth: width, height: height, focus: focus)
        let factor = Double(width) / crop.width
        let whole = try decoded(
            path, width: Double(encoded.width) * factor, height: Double(encoded.height) * factor)
        return whole.resized(
            toWidth: width, height: height,
            crop: PixelImage.coveringCrop(
                ofWidth: whole.width, height: whole.height, forWidth: width, height: height, focus: focus))
    }
}

/// A stop whose colour is known.
struct ColorStop {
    let color: CardColor
    let at: Double
}

extension Palette {
    func stops(of gradient: CardGradient, for layer: CardPart.Layer) throws(CardError) -> [ColorStop] {
        var stops: [ColorStop] = []
        for (index, stop) in gradient.stops.enumerated() {
            let part = CardPart(layer, gradient.key(ofStop: index))
            let color = try color(stop.color, half: stop.at, for: part)
            stops.append(ColorStop(color: color, at: stop.at))
        }
        return stops
    }
}

/// The line along which a gradient runs through a box, from corner to corner, as in CSS (CSS Images Level 3, section 3.1).
struct GradientLine {
    /// Its direction, of length 1.
    let right: Double
    let down: Double
    /// In pixels.
    let length: Double

    init(angle: Double, width: Double, height: Double) {
        let radians = angle * .pi / 180
        (right, down) = (sin(radians), -cos(radians))
        length = abs(width * right) + abs(height * down)
    }
}

/// The colours along the line as `count` blue, green, red triples.
private func gradientTable(_ stops: [ColorStop], count: Int) -> [Float] {
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
