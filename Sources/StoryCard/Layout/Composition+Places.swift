extension Composition {
    /// The stickers' places, and the top of each text.
    func place() throws(CardError) -> (stickers: [PlacedSticker], textTops: [Double]) {
        let (top, center, bottom) = (height(of: .top), height(of: .center), height(of: .bottom))
        let start = layout.safeTop + (top > 0 ? top + layout.gap : 0)
        let end = layout.safeBottom - (bottom > 0 ? bottom + layout.gap : 0)
        let isGroup = center > 0 && stickers.contains { $0.sticker.center == nil }
        let area = Box(
            left: layout.left, top: start, width: layout.columnWidth,
            height: max(end - start - (isGroup ? center + layout.gap : 0), 1))
        let (placed, stickersBottom) = try placeStickers(in: area)
        let centerTop = isGroup ? stickersBottom + layout.gap : (start + end - center) / 2
        var next: [CardText.Place: Double] = [
            .top: layout.safeTop, .center: centerTop, .bottom: layout.safeBottom - bottom,
        ]
        let tops = texts.map { block in
            let top = next[block.text.at]!.rounded()
            next[block.text.at] = top + block.height + layout.textGap
            return top
        }
        return (placed, tops)
    }

    /// - Returns: the stickers, and where those that were placed here end.
    private func placeStickers(in area: Box) throws(CardError) -> (stickers: [PlacedSticker], bottom: Double) {
        let grid = StickerGrid(
            stickers.filter { $0.sticker.center == nil }, in: area, gap: layout.gap, card: spec.size)
        var cells = grid.cells.makeIterator()
        var bottom = area.top
        var placed: [PlacedSticker] = []
        for (index, measured) in stickers.enumerated() {
            if let center = measured.sticker.center {
                placed.append(try placedSticker(index, center: center, cell: nil))
            } else if let cell = cells.next() {
                let center = CardPoint(x: cell.left + cell.width / 2, y: cell.top + cell.height / 2)
                placed.append(try placedSticker(index, center: center, cell: cell))
                bottom = max(bottom, center.y + measured.height(card: spec.size, cell: cell) / 2)
            }
        }
        return (placed, bottom)
    }

    private func placedSticker(_ index: Int, center: CardPoint, cell: Box?) throws(CardError) -> PlacedSticker {
        let (measured, sticker) = (stickers[index], spec.stickers[index])
        let factor = measured.factor(card: spec.size, cell: cell)
        let (width, height) = ((measured.width * factor).rounded(), (measured.height * factor).rounded())
        guard width + height <= Double(CardSize.sidesTogether) else {
            throw .number(
                name: "longer side", place: "sticker \(index + 1)", value: max(width, height),
                range: 1...Double(CardSize.sides.upperBound))
        }
        var placed = PlacedSticker(
            path: sticker.image, center: center, width: max(Int(width), 1), height: max(Int(height), 1),
            rotation: sticker.rotation, radius: sticker.radius ?? 48 * layout.unit, shadow: sticker.shadow)
        if sticker.rotation == 0 {
            // On whole pixels the picture is not resampled a second time.
            placed.center.x = (center.x - width / 2).rounded() + Double(placed.width) / 2
            placed.center.y = (center.y - height / 2).rounded() + Double(placed.height) / 2
        }
        return placed
    }
}
