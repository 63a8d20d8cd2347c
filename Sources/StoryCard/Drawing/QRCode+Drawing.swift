internal import CPangoCairo
internal import CQREncode
internal import CSSColors

/// The modules of a QR code.
struct QRModules {
    let code: CardQRCode
    /// Along each side, without the quiet zone.
    let count: Int
    /// Row after row, whether it is dark.
    let isDark: [Bool]

    init(_ code: CardQRCode) throws(CardError) {
        self.code = code
        let bytes = Array(code.text.utf8)
        guard !bytes.isEmpty, bytes.count <= 3000 else { throw .code(bytes: bytes.count) }
        let level =
            switch code.correction {
            case .low: QR_ECLEVEL_L
            case .medium: QR_ECLEVEL_M
            case .quartile: QR_ECLEVEL_Q
            case .high: QR_ECLEVEL_H
            }
        // Version 0 lets the library take the smallest that holds the bytes.
        guard let encoded = QRcode_encodeData(Int32(bytes.count), bytes, 0, level) else {
            throw .code(bytes: bytes.count)
        }
        defer { QRcode_free(encoded) }
        count = Int(encoded.pointee.width)
        isDark = UnsafeBufferPointer(start: encoded.pointee.data, count: count * count).map { $0 & 1 == 1 }
    }

    /// Modules of the plate's side: four on each side stay empty (ISO/IEC 18004, 6.3.8).
    var plateCount: Int { count + 8 }
}

/// A QR code with its place on the card.
struct PlacedCode {
    let modules: QRModules
    let placement: CardPlacement
    /// The plate, on whole pixels.
    let box: Box
    /// Pixels of a module's side.
    let module: Int

    /// With fewer pixels many phones fail.
    static let legibleModule = 4

    init(_ modules: QRModules, at placement: CardPlacement, _ layout: CardLayout) {
        self.modules = modules
        self.placement = placement
        let asked = modules.code.size?.pixels(of: Double(layout.size.width)) ?? 220 * layout.unit
        // Whole pixels for each module, so that their edges are sharp; the quiet zone takes what is left over.
        // Unless a size is asked for, no smaller than what every phone reads.
        module = max(Int(asked) / modules.plateCount, modules.code.size == nil ? PlacedCode.legibleModule : 1)
        let side = max(Double(module * modules.plateCount), asked.rounded())
        var box = layout.box(width: side, height: side, at: placement, in: layout.inner)
        box.left.round()
        box.top.round()
        self.box = box
    }
}

extension Canvas {
    func draw(_ placed: PlacedCode) {
        let code = placed.modules.code
        setColor(code.ground)
        addRectangle(placed.box, radius: code.radius.pixels(of: placed.box.width))
        cairo_fill(cairo)
        setColor(code.color)
        cairo_new_path(cairo)
        let (count, side) = (placed.modules.count, Double(placed.module))
        let edge = ((placed.box.width - Double(count) * side) / 2).rounded(.down)
        for row in 0..<count {
            for column in 0..<count where placed.modules.isDark[row * count + column] {
                cairo_rectangle(
                    cairo, placed.box.left + edge + Double(column) * side, placed.box.top + edge + Double(row) * side,
                    side, side)
            }
        }
        cairo_fill(cairo)
    }

    /// The margins, the zones that a story's player covers, and boxes of texts, drawn over everything.
    func drawGuides(_ layout: CardLayout, boxes: [Box]) {
        let accent = CardColor(red: 255, green: 0, blue: 140)
        let whole = layout.whole
        if layout.size.isStory {
            setColor(accent, opacity: 0.28)
            cairo_new_path(cairo)
            cairo_rectangle(cairo, 0, 0, whole.width, layout.inner.top)
            cairo_rectangle(cairo, 0, layout.inner.bottom, whole.width, whole.height - layout.inner.bottom)
            cairo_fill(cairo)
        }
        let line = max((2 * layout.unit).rounded(), 1)
        cairo_set_line_width(cairo, line)
        setColor(accent)
        addRectangle(layout.inner, radius: 0)
        cairo_stroke(cairo)
        setColor(CardColor(red: 0, green: 200, blue: 255))
        for box in boxes {
            addRectangle(box.inset(by: -line), radius: 0)
            cairo_stroke(cairo)
        }
    }
}
