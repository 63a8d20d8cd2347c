/// Where everything goes.
struct Arrangement {
    var stickers: [PlacedSticker] = []
    var logo: PlacedSticker?
    var qrCode: PlacedCode?
    /// In the order of the composition's texts: the outer box of each.
    var texts: [Box] = []
}

extension Composition {
    func arrange() throws(CardError) -> Arrangement {
        var arrangement = Arrangement()
        if let logo { arrangement.logo = try placed(logo, .logo, cell: nil) }
        if let code { arrangement.qrCode = PlacedCode(code, layout) }
        let column = column(around: arrangement)
        let (top, center, bottom) = (height(of: .top), height(of: .center), height(of: .bottom))
        let start = column.top + (top > 0 ? top + layout.gap : 0)
        let end = column.bottom - (bottom > 0 ? bottom + layout.gap : 0)
        let isGroup = center > 0 && stickers.contains { $0.sticker.placement == nil }
        let area = Box(
            left: column.left, top: start, width: column.width,
            height: max(end - start - (isGroup ? center + layout.gap : 0), 1))
        let stickersBottom = try place(&arrangement.stickers, in: area)
        var next: [TextPlace: Double] = [
            .top: column.top, .center: isGroup ? stickersBottom + layout.gap : (start + end - center) / 2,
            .bottom: column.bottom - bottom,
        ]
        arrangement.texts = texts.map { block in
            guard block.text.flows else { return box(of: block) }
            let place = TextPlace(block.text.placement.at)
            let top = (next[place]! + block.text.spaceAbove).rounded()
            next[place] = top + block.height + layout.textGap
            let width = columnWidth(of: block.text)
            return Box(
                left: column.left + (column.width - width) / 2, top: top, width: width, height: block.height)
        }
        return arrangement
    }

    /// What the logo and the QR code leave of the card without its margins: where they keep to an edge, it ends there.
    private func column(around arrangement: Arrangement) -> Box {
        var column = layout.inner
        let corners: [(CardPlacement?, Box?)] = [
            (spec.logo?.placement, arrangement.logo?.bounds), (spec.qrCode?.placement, arrangement.qrCode?.box),
        ]
        for case (let placement?, let box?) in corners where !placement.isMoved {
            switch placement.at.shares.y {
            case 0:
                let bottom = column.bottom
                column.top = max(column.top, box.bottom + layout.gap)
                column.height = max(bottom - column.top, 1)
            case 1: column.height = max(min(column.bottom, box.top - layout.gap) - column.top, 1)
            default: break
            }
        }
        return column
    }

    func columnWidth(of text: CardText) -> Double {
        text.width?.pixels(of: Double(spec.size.width)) ?? layout.inner.width
    }

    /// Of a text with a place of its own.
    private func box(of block: TextBlock) -> Box {
        let text = block.text
        let height = text.height?.pixels(of: Double(spec.size.height)) ?? block.height
        var box = layout.box(
            width: columnWidth(of: text), height: height, at: text.placement, in: layout.inner)
        box.top = (box.top + (height - block.height) * text.placement.at.shares.y).rounded()
        box.left.round()
        box.height = block.height
        return box
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

    private func placed(
        _ measured: MeasuredSticker, _ layer: CardPart.Layer, cell: Box?
    ) throws(CardError) -> PlacedSticker {
        let sticker = measured.sticker
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
