internal import CPangoCairo

/// A sticker with its place on the card, in pixels.
struct PlacedSticker {
    var path: String
    var center: CardPoint
    /// Before turning.
    var width: Int
    var height: Int
    /// In degrees clockwise.
    var rotation: Double
    var radius: Double
    var shadow: Bool
}

extension Canvas {
    /// - Parameter unit: pixels for each pixel of a card that is 1080 wide.
    func draw(_ sticker: PlacedSticker, images: ImageFiles, unit: Double) throws(CardError) {
        let decoded = try images.decoded(
            sticker.path, width: Double(sticker.width), height: Double(sticker.height))
        let image = decoded.resized(toWidth: sticker.width, height: sticker.height)
        let picture = try Canvas(image)
        if sticker.shadow {
            // A wide shadow for the height above the ground and a narrow one for the edge, as daylight casts them.
            try drawShadow(of: sticker, picture: picture, sigma: 32 * unit, offset: 22 * unit, opacity: 0.30)
            try drawShadow(of: sticker, picture: picture, sigma: 7 * unit, offset: 4 * unit, opacity: 0.18)
        }
        saved {
            moveTo(sticker)
            addOutline(of: sticker)
            setSource(picture)
            cairo_fill(cairo)
        }
    }

    private func drawShadow(
        of sticker: PlacedSticker, picture: Canvas, sigma: Double, offset: Double, opacity: Double
    ) throws(CardError) {
        // What is blurred that much shows no difference at a fraction of the pixels.
        let reduction = sigma >= 6 ? 4.0 : sigma >= 3 ? 2 : 1
        let shadow = try Canvas(
            width: Int(Double(width) / reduction) + 1, height: Int(Double(height) / reduction) + 1, .mask)
        cairo_scale(shadow.cairo, 1 / reduction, 1 / reduction)
        shadow.saved {
            shadow.moveTo(sticker)
            shadow.addOutline(of: sticker)
            // The picture itself as the source: a transparent one casts a shadow of its own shape.
            shadow.setSource(picture)
            cairo_fill(shadow.cairo)
        }
        shadow.blur(sigma: sigma / reduction, channels: 1)
        saved {
            cairo_translate(cairo, 0, offset)
            setColor(.black, opacity: opacity)
            paint(through: shadow, scale: reduction)
        }
    }

    /// Puts the origin at the sticker's corner, and turns.
    private func moveTo(_ sticker: PlacedSticker) {
        cairo_translate(cairo, sticker.center.x, sticker.center.y)
        cairo_rotate(cairo, sticker.rotation * .pi / 180)
        cairo_translate(cairo, -Double(sticker.width) / 2, -Double(sticker.height) / 2)
    }

    private func addOutline(of sticker: PlacedSticker) {
        let (width, height) = (Double(sticker.width), Double(sticker.height))
        let radius = min(sticker.radius, width / 2, height / 2)
        cairo_new_path(cairo)
        guard radius > 0 else { return cairo_rectangle(cairo, 0, 0, width, height) }
        cairo_arc(cairo, width - radius, radius, radius, -.pi / 2, 0)
        cairo_arc(cairo, width - radius, height - radius, radius, 0, .pi / 2)
        cairo_arc(cairo, radius, height - radius, radius, .pi / 2, .pi)
        cairo_arc(cairo, radius, radius, radius, .pi, .pi * 3 / 2)
        cairo_close_path(cairo)
    }
}
