internal import CPangoCairo

/// A sticker with its place on the card, in pixels.
struct PlacedSticker {
    let sticker: CardSticker
    /// Before turning, with the border.
    let box: Box
    /// Without the border.
    let pictureWidth: Int
    let pictureHeight: Int
    /// Of the outermost corners.
    let radius: Double

    /// The upright box around it.
    var bounds: Box { box.turned(degrees: sticker.rotation) }
}

extension Canvas {
    /// - Parameter unit: pixels for each pixel of a card that is 1080 wide.
    func draw(
        _ placed: PlacedSticker, _ layer: CardPart.Layer, images: ImageFiles, palette: Palette, unit: Double
    ) throws(CardError) {
        let (sticker, width, height) = (placed.sticker, placed.pictureWidth, placed.pictureHeight)
        let image: PixelImage
        if sticker.fit == .cover {
            image = try images.covering(sticker.image, width: width, height: height, focus: sticker.focus)
        } else {
            image = try images.decoded(sticker.image, width: Double(width), height: Double(height))
                .resized(toWidth: width, height: height)
        }
        let picture = try Canvas(image)
        let box = Box(left: 0, top: 0, width: placed.box.width, height: placed.box.height)
        let border = sticker.border.flatMap { $0.width > 0 || ($0.bottom ?? 0) > 0 ? $0 : nil }
        let width0 = border?.width ?? 0
        let inner = Box(left: width0, top: width0, width: Double(width), height: Double(height))
        func fillPicture(_ canvas: Canvas) {
            canvas.addRectangle(inner, radius: max(placed.radius - width0, 0))
            canvas.saved {
                cairo_translate(canvas.cairo, width0, width0)
                canvas.setSource(picture)
                cairo_fill(canvas.cairo)
            }
        }
        let borderColor: CardColor? =
            if let border { try palette.color(border.color, for: CardPart(layer, "border.color")) } else { nil }
        try faded(sticker.opacity) { () throws(CardError) in
            if sticker.shadow > 0 {
                try drawShadow(unit: unit, strength: sticker.shadow) { mask in
                    mask.move(to: placed.box, rotation: sticker.rotation)
                    // A transparent picture as the source: it casts a shadow of its own shape.
                    guard border != nil || !image.hasAlpha else { return fillPicture(mask) }
                    mask.setColor(.black)
                    mask.addRectangle(box, radius: placed.radius)
                    cairo_fill(mask.cairo)
                }
            }
            saved {
                move(to: placed.box, rotation: sticker.rotation)
                if let borderColor {
                    setColor(borderColor)
                    addRectangle(box, radius: placed.radius)
                    cairo_fill(cairo)
                }
                fillPicture(self)
            }
        }
    }

    /// Casts the soft shadow of what `fill` draws.
    func drawShadow(unit: Double, strength: Double, _ fill: (Canvas) -> Void) throws(CardError) {
        // A wide shadow for the height above the ground and a narrow one for the edge, as daylight casts them.
        try drawShadow(sigma: 32 * unit, offset: 22 * unit, opacity: min(0.30 * strength, 1), fill)
        try drawShadow(sigma: 7 * unit, offset: 4 * unit, opacity: min(0.18 * strength, 1), fill)
    }

    private func drawShadow(
        sigma: Double, offset: Double, opacity: Double, _ fill: (Canvas) -> Void
    ) throws(CardError) {
        // What is blurred that much shows no difference at a fraction of the pixels.
        let reduction = sigma >= 6 ? 4 : sigma >= 3 ? 2 : 1
        // What lies above the card casts its shadow down onto it.
        let above = Int((offset / Double(reduction)).rounded(.up))
        let shadow = try Canvas(
            width: width / reduction + 1, height: height / reduction + 1 + above, .mask)
        cairo_scale(shadow.cairo, 1 / Double(reduction), 1 / Double(reduction))
        cairo_translate(shadow.cairo, 0, Double(above * reduction))
        shadow.saved { fill(shadow) }
        shadow.blur(sigma: sigma / Double(reduction), channels: 1)
        try darken(
            through: shadow, reduction: reduction, down: offset - Double(above * reduction), opacity: opacity)
    }
}
