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
        let image = try images.picture(of: placed)
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
        let bounds = placed.bounds
        let shadows = CardShadow.all(unit: unit, strength: sticker.shadow)
        try faded(sticker.opacity, in: bounds.with(shadows)) { () throws(CardError) in
            for shadow in shadows {
                try draw(shadow, of: bounds) { mask in
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
}

extension ImageFiles {
    /// The sticker's pixels at its size.
    fileprivate func picture(of placed: PlacedSticker) throws(CardError) -> PixelImage {
        let (sticker, width, height) = (placed.sticker, placed.pictureWidth, placed.pictureHeight)
        let look = Look(path: sticker.image, width: width, height: height, fit: sticker.fit, focus: sticker.focus)
        if let last, last.look == look { return last.image }
        let image: PixelImage
        if sticker.fit == .cover {
            image = try covering(sticker.image, width: width, height: height, focus: sticker.focus)
        } else {
            image = try decoded(sticker.image, width: Double(width), height: Double(height))
                .resized(toWidth: width, height: height)
        }
        last = width * height <= ImageFiles.mostKept ? (look, image) : nil
        return image
    }
}
