internal import Hashing

/// One card in the making.
struct Composition {
    let spec: CardSpec
    let layout: CardLayout
    let images = ImageFiles()
    let stickers: [MeasuredSticker]
    let logo: MeasuredSticker?
    let code: QRModules?
    var texts: [TextBlock] = []
    var warnings: [String] = []
    var lacksFonts = false

    init(_ spec: CardSpec) throws(CardError) {
        self.spec = spec
        layout = CardLayout(spec.size)
        if case .image(let background) = spec.background, let path = background.path { _ = try images.image(at: path) }
        var stickers: [MeasuredSticker] = []
        for sticker in spec.stickers { stickers.append(try Composition.measured(sticker, images, spec.size)) }
        let flowing = stickers.indices.filter { stickers[$0].sticker.placement == nil }
        for index in flowing { stickers[index].hasNeighbours = flowing.count > 1 }
        self.stickers = stickers
        if let logo = spec.logo { self.logo = try Composition.measured(logo, images, spec.size) } else { logo = nil }
        if let qrCode = spec.qrCode { code = try QRModules(qrCode) } else { code = nil }
    }

    private static func measured(
        _ sticker: CardSticker, _ images: ImageFiles, _ card: CardSize
    ) throws(CardError) -> MeasuredSticker {
        let image = try images.image(at: sticker.image)
        return MeasuredSticker(sticker, width: image.width, height: image.height, card: card)
    }

    mutating func composed(guides: Bool) throws(CardError) -> ComposedCard {
        // The first fonts of a process are looked for meanwhile.
        let fonts = hasTexts ? Fonts() : nil
        let canvas = try Canvas(width: spec.size.width, height: spec.size.height, .opaque)
        let palette = Palette(pictureOf: spec, images: images)
        try canvas.draw(spec, images: images, palette: palette)
        if let fonts { try loadTexts(fonts) }
        let arrangement = try arrange()
        warn(of: arrangement)
        for shape in spec.shapes.indices { try draw(shape, .below, arrangement, canvas, palette) }
        for (index, sticker) in arrangement.stickers.enumerated() {
            try canvas.draw(sticker, .sticker(index), images: images, palette: palette, unit: layout.unit)
        }
        for shape in spec.shapes.indices { try draw(shape, .above, arrangement, canvas, palette) }
        if let logo = arrangement.logo {
            try canvas.draw(logo, .logo, images: images, palette: palette, unit: layout.unit)
        }
        if let code = arrangement.qrCode { canvas.draw(code) }
        for (block, box) in zip(texts, arrangement.texts) { try block.draw(on: canvas, in: box, palette: palette) }
        if guides { canvas.drawGuides(layout, boxes: zip(texts, arrangement.texts).map { $0.inkBox(in: $1) }) }
        try canvas.check()
        let bytes = try encode(canvas)
        return ComposedCard(
            bytes: bytes, format: spec.format, width: canvas.width, height: canvas.height, sha256: SHA256.hex(bytes),
            warnings: warnings, lacksFonts: lacksFonts,
            fontFiles: texts.reduce(into: Set()) { $0.formUnion($1.fontFiles) }.sorted())
    }

    private func draw(
        _ index: Int, _ layer: CardShape.Layer, _ arrangement: Arrangement, _ canvas: Canvas, _ palette: Palette
    ) throws(CardError) {
        let shape = spec.shapes[index]
        let plate = arrangement.plates[index]
        guard shape.layer == layer, shape.around == nil || plate != nil else { return }
        let placed = PlacedShape(shape, layout, plate: plate)
        try canvas.draw(placed, .shape(index), palette: palette, unit: layout.unit)
    }

    private func encode(_ canvas: Canvas) throws(CardError) -> [UInt8] {
        try canvas.withPixels { rows, stride throws(CardError) in
            do throws(ImageError) {
                let rows = PixelRows(
                    start: rows.baseAddress!, width: canvas.width, height: canvas.height, rowBytes: stride)
                switch spec.format {
                case .jpeg(let quality, let fullChroma):
                    return try encodeJPEG(rows, quality: quality, fullChroma: fullChroma)
                case .png: return try encodePNG(rows)
                case .webp(let quality): return try encodeWebP(rows, quality: quality)
                }
            } catch {
                throw .outOfMemory
            }
        }
    }
}
