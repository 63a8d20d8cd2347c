internal import Glibc

/// Where everything goes.
struct Arrangement {
    var stickers: [PlacedSticker] = []
    var logo: PlacedSticker?
    var qrCode: PlacedCode?
    /// In the order of the composition's texts: the outer box of each.
    var texts: [Box] = []
    /// By the spec's shapes: where those lie that lie around texts.
    var plates: [Box?] = []
}

extension Composition {
    mutating func arrange() throws(CardError) -> Arrangement {
        var arrangement = Arrangement()
        let (marks, column) = bestColumn(around: try placedMarks())
        (arrangement.logo, arrangement.qrCode) = (marks.logo, marks.code)
        fitTexts(in: column)
        let (center, bottom) = (height(of: .center), height(of: .bottom))
        let isGroup = center > 0 && hasFlowingStickers
        let (start, end) = middle(of: column)
        let area = stickerArea(in: column)
        let stickersBottom = try place(&arrangement.stickers, in: area)
        var boxes: [Int: Box] = [:]
        for (place, top) in [
            (CardTextPlace.top, column.top),
            (.center, isGroup ? stickersBottom + layout.gap : (start + end - center) / 2),
            (.bottom, column.bottom - bottom),
        ] {
            for (number, box) in flow(at: place, from: top + padding(at: place), in: column) { boxes[number] = box }
        }
        arrangement.texts = texts.map { block in boxes[block.number] ?? box(of: block, on: arrangement.stickers.first) }
        arrangement.plates = spec.shapes.map { plate(of: $0, arrangement.texts, in: column) }
        warnOfCutTexts()
        return arrangement
    }

    var hasFlowingStickers: Bool { stickers.contains { $0.sticker.placement == nil } }

    /// What the texts at top and bottom leave of the column.
    private func middle(of column: Box) -> (start: Double, end: Double) {
        let (top, bottom) = (height(of: .top), height(of: .bottom))
        return (
            column.top + (top > 0 ? top + layout.gap : 0), column.bottom - (bottom > 0 ? bottom + layout.gap : 0)
        )
    }

    /// What the texts leave of the column for stickers.
    func stickerArea(in column: Box) -> Box {
        let (start, end) = middle(of: column)
        let center = height(of: .center)
        return Box(
            left: column.left, top: start, width: column.width,
            height: max(end - start - (center > 0 ? center + layout.gap : 0), 1))
    }

    /// The outer boxes of the texts there, one below another, by their numbers.
    private func flow(at place: CardTextPlace, from start: Double, in column: Box) -> [(number: Int, box: Box)] {
        var next = start
        return flowing(at: place).enumerated().map { index, block in
            let top = (next + (index > 0 ? block.text.spaceAbove : 0)).rounded()
            next = top + block.flowHeight + layout.textGap
            let width = columnWidth(of: block.text, in: column.width)
            let box = Box(
                left: (column.left + (column.width - width) / 2).rounded(), top: top - block.trimmedTop, width: width,
                height: block.height)
            return (block.number, box)
        }
    }

    /// Around texts; nil of a shape that is no plate, or has no texts to lie around.
    private func plate(of shape: CardShape, _ boxes: [Box], in column: Box) -> Box? {
        guard let place = shape.around else { return nil }
        let numbers = flowing(at: place).map(\.number)
        let inner = zip(texts, boxes).filter { numbers.contains($0.0.number) }.map { block, box in
            block.isTrimmed ? block.visibleBox(in: box) : block.inkBox(in: box)
        }
        guard let top = inner.map(\.top).min(), let bottom = inner.map(\.bottom).max(),
            let left = inner.map(\.left).min(), let right = inner.map(\.right).max()
        else { return nil }
        var plate = Box(left: left, top: top, width: right - left, height: bottom - top).inset(by: -shape.padding)
        if let width = shape.width.map({ min($0.pixels(of: Double(spec.size.width)), column.width) }) {
            plate.left = (column.left + (column.width - width) / 2).rounded()
            plate.width = width
        }
        if let height = shape.height?.pixels(of: Double(spec.size.height)) {
            plate.top += (plate.height - height) / 2
            plate.height = height
        }
        plate.left += shape.placement.x.pixels(of: Double(spec.size.width))
        plate.top += shape.placement.y.pixels(of: Double(spec.size.height))
        return plate
    }

    /// Of a text on the sticker, or with a place of its own.
    private func box(of block: TextBlock, on sticker: PlacedSticker?) -> Box {
        let text = block.text
        if text.isOnSticker {
            if let sticker { return box(of: block, writtenOn: sticker) }
            fit(block)
        }
        let height = text.height?.pixels(of: Double(spec.size.height)) ?? block.height
        var box = layout.box(
            width: columnWidth(of: text, in: layout.inner.width), height: height, at: text.placement, in: layout.inner)
        box.top = (box.top + (height - block.height) * text.placement.at.shares.y).rounded()
        box.left.round()
        box.height = block.height
        return box
    }

    /// In the middle of the sticker's lower border, turned with it; fitted to it.
    private func box(of block: TextBlock, writtenOn sticker: PlacedSticker) -> Box {
        let border = sticker.sticker.border
        let lower = border.map { $0.bottom ?? $0.width } ?? 0
        let isOnBorder = lower >= 40 * layout.unit
        let height = isOnBorder ? lower * 0.78 : Double(sticker.pictureHeight) * 0.22
        let middle = sticker.box.height / 2 - (isOnBorder ? lower / 2 : lower + Double(sticker.pictureHeight) * 0.14)
        let width = min(
            block.text.width?.pixels(of: Double(spec.size.width)) ?? .infinity, Double(sticker.pictureWidth) * 0.94)
        block.fit(width: max(width, 1), height: block.text.height?.pixels(of: Double(spec.size.height)) ?? height)
        block.turn = sticker.sticker.rotation
        let angle = block.turn * .pi / 180
        let center = CardPoint(
            x: sticker.box.center.x - middle * sin(angle), y: sticker.box.center.y + middle * cos(angle))
        return Box(
            left: center.x - width / 2, top: center.y - block.height / 2, width: width, height: block.height)
    }

    // MARK: Stickers

    /// - Returns: where those that were placed in the area end.
    private func place(_ placed: inout [PlacedSticker], in area: Box) throws(CardError) -> Double {
        let grid = StickerGrid(
            stickers.filter { $0.sticker.placement == nil }, in: area, gap: layout.gap, card: spec.size)
        var cells = grid.cells.makeIterator()
        var bottom = area.top
        for (index, measured) in stickers.enumerated() {
            let cell = measured.sticker.placement == nil ? cells.next() : nil
            let sticker = try self.placed(measured, .sticker(index), cell: cell)
            if cell != nil { bottom = max(bottom, sticker.bounds.bottom) }
            placed.append(sticker)
        }
        return bottom
    }

    /// - Parameter placement: in place of the sticker's own.
    func placed(
        _ measured: MeasuredSticker, _ layer: CardPart.Layer, cell: Box?, at placement: CardPlacement? = nil
    ) throws(CardError) -> PlacedSticker {
        var sticker = measured.sticker
        if let placement { sticker.placement = placement }
        let (picture, whole) = measured.size(card: spec.size, cell: cell)
        guard whole.width + whole.height <= Double(CardSize.sidesTogether) else {
            throw .number(
                CardPart(layer, "scale"), value: sticker.scale,
                range: 0.01...max((sticker.scale * Double(CardSize.sidesTogether) / (whole.width + whole.height)), 0.01)
            )
        }
        let frame = cell ?? (sticker.frame == .margins ? layout.inner : layout.whole)
        // What is turned keeps inside the frame with its corners.
        let turned = Box(left: 0, top: 0, width: whole.width, height: whole.height).turned(degrees: sticker.rotation)
        let outer = layout.box(
            width: turned.width, height: turned.height, at: sticker.placement ?? CardPlacement(.center), in: frame)
        var box = Box(
            left: outer.center.x - whole.width / 2, top: outer.center.y - whole.height / 2, width: whole.width,
            height: whole.height)
        if sticker.rotation == 0 {
            // On whole pixels the picture is not resampled a second time.
            box.left.round()
            box.top.round()
        }
        let shorter = min(whole.width, whole.height)
        return PlacedSticker(
            sticker: sticker, box: box, pictureWidth: picture.width, pictureHeight: picture.height,
            radius: sticker.radius?.pixels(of: shorter) ?? 48 * layout.unit)
    }
}
