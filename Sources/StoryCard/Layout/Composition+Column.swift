extension Composition {
    /// What the logo and the QR code leave of the card without its margins, where they keep to an edge.
    ///
    /// What lies in a corner is above or below the column; where texts would be cut there, or their letters become much
    /// smaller, it may be beside it.
    func column(around arrangement: Arrangement) -> Box {
        let columns = columns(around: arrangement)
        guard columns.count > 1 else { return columns[0] }
        var best = trial(of: columns[0])
        for column in columns.dropFirst() where !best.isPerfect {
            let other = trial(of: column)
            if other.isBetter(than: best) { best = other }
        }
        return best.column
    }

    /// At least one; that with nothing from a corner beside it first.
    private func columns(around arrangement: Arrangement) -> [Box] {
        let things: [(placement: CardPlacement?, box: Box?)] = [
            (spec.logo?.placement, arrangement.logo?.bounds), (spec.qrCode?.placement, arrangement.qrCode?.box),
        ]
        // A sticker is as wide as it likes, and belongs in the middle of the card.
        let hasStickers = stickers.contains { $0.sticker.placement == nil }
        var columns = [layout.inner]
        for case (let placement?, let box?) in things where !placement.isMoved {
            let (x, y) = placement.at.shares
            let side = x == 0 ? Edge.left : x == 1 ? .right : nil
            guard let edge = y == 0 ? Edge.top : y == 1 ? .bottom : side else { continue }
            let corner = edge == side || hasStickers ? nil : side
            columns = columns.flatMap { column in
                let beside = corner.map { remainder(of: column, without: box, at: $0) }
                return [remainder(of: column, without: box, at: edge)]
                    + [beside].compactMap(\.self).filter { $0.width >= layout.inner.width / 2 }
            }
        }
        return columns
    }

    private enum Edge { case left, top, right, bottom }

    /// Of a column that ends, at that edge, before the box.
    private func remainder(of column: Box, without box: Box, at edge: Edge) -> Box {
        var (left, top, right, bottom) = (column.left, column.top, column.right, column.bottom)
        switch edge {
        case .left: left = max(left, box.right + layout.gap)
        case .top: top = max(top, box.bottom + layout.gap)
        case .right: right = min(right, box.left - layout.gap)
        case .bottom: bottom = min(bottom, box.top - layout.gap)
        }
        return Box(left: left, top: top, width: max(right - left, 1), height: max(bottom - top, 1))
    }

    private func trial(of column: Box) -> ColumnTrial {
        fitTexts(in: column)
        let heights = CardTextPlace.allCases.map { height(of: $0) }.filter { $0 > 0 }
        let needed = heights.reduce(layout.gap * Double(max(heights.count - 1, 0)), +)
        let blocks = CardTextPlace.allCases.flatMap { flowing(at: $0) }
        return ColumnTrial(
            column: column, overflow: max(needed - column.height, 0), cuts: blocks.count(where: \.isCut),
            letters: blocks.map(\.sizeShare).min() ?? 1)
    }
}

/// How well the texts that flow fit into a column.
private struct ColumnTrial {
    let column: Box
    /// How much higher they are than the column, in pixels.
    let overflow: Double
    /// How many are cut.
    let cuts: Int
    /// The size of those that became smallest, as a share of what was asked for.
    let letters: Double

    var isPerfect: Bool { overflow < 1 && cuts == 0 && letters == 1 }

    func isBetter(than other: ColumnTrial) -> Bool {
        if abs(overflow - other.overflow) >= 1 { return overflow < other.overflow }
        if cuts != other.cuts { return cuts < other.cuts }
        if cuts > 0 { return column.width * column.height > other.column.width * other.column.height }
        return letters > other.letters * 1.1
    }
}
