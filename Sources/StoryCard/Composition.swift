internal import Hashing

/// One card in the making.
struct Composition {
    let spec: CardSpec
    let layout: CardLayout
    let images = ImageFiles()
    let stickers: [MeasuredSticker]
    var texts: [TextBlock] = []
    var warnings: [String] = []

    init(_ spec: CardSpec) throws(CardError) {
        self.spec = spec
        layout = CardLayout(spec.size)
        if case .image(let background) = spec.background { _ = try images.image(at: background.path) }
        var stickers: [MeasuredSticker] = []
        for sticker in spec.stickers {
            let image = try images.image(at: sticker.image)
            stickers.append(
                MeasuredSticker(sticker: sticker, width: Double(image.width), height: Double(image.height)))
        }
        self.stickers = stickers
        try loadTexts()
    }

    mutating func composed() throws(CardError) -> ComposedCard {
        fitTexts()
        let (placedStickers, textTops) = try place()
        let canvas = try Canvas(width: spec.size.width, height: spec.size.height, .opaque)
        try canvas.draw(spec.background, images: images, dithers: spec.format == .png)
        for sticker in placedStickers { try canvas.draw(sticker, images: images, unit: layout.unit) }
        for (block, top) in zip(texts, textTops) {
            try block.draw(on: canvas, left: layout.left, top: top, columnWidth: layout.columnWidth)
        }
        try canvas.check()
        let bytes = try encode(canvas)
        return ComposedCard(
            bytes: bytes, format: spec.format, width: canvas.width, height: canvas.height, sha256: SHA256.hex(bytes),
            warnings: warnings)
    }

    private func encode(_ canvas: Canvas) throws(CardError) -> [UInt8] {
        try canvas.withPixels { rows, stride throws(CardError) in
            do throws(ImageError) {
                let (start, width, height) = (rows.baseAddress!, canvas.width, canvas.height)
                switch spec.format {
                case .jpeg(let quality):
                    return try encodeJPEG(start, width: width, height: height, rowBytes: stride, quality: quality)
                case .png: return try encodePNG(start, width: width, height: height, rowBytes: stride)
                }
            } catch {
                throw .outOfMemory
            }
        }
    }
}
