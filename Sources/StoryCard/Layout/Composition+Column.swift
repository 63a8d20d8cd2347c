extension Composition {
    /// What the logo and the QR code leave of the card without its margins, where they keep to an edge.
    ///
    /// What lies in a corner is above or below the column; where texts would be cut there, or letters and stickers become
    /// much smaller, it may be beside it.
    ///
    /// - Parameter ways: to place them; at least one, the best first.
    func bestColumn(around ways: [PlacedMarks]) -> (marks: PlacedMarks, column: Box) {
        let choices = ways.flatMap { marks in columns(around: marks).map { (marks: marks, column: $0) } }
        guard choices.count > 1 else { return choices[0] }
        var (best, bestTrial) = (choices[0], trial(of: choices[0].column))
        for choice in choices.dropFirst() where !bestTrial.isPerfect {
            let other = trial(of: choice.column)
            if other.isBetter(than: bestTrial) { (best, bestTrial) = (choice, other) }
        }
        return best
    }

    /// At least one; that with nothing from a corner beside it first.
    private func columns(around marks: PlacedMarks) -> [Box] {
        let things: [(placement: CardPlacement?, box: Box?)] = [
            (marks.logo?.sticker.placement, marks.logo?.bounds),
            (marks.code?.placement, marks.code?.box),
        ]
        var columns = [layout.inner]
        for case (let placement?, let box?) in things where !placement.isMoved {
            let (x, y) = placement.at.shares
            let side = x == 0 ? Edge.left : x == 1 ? .right : nil
            guard let edge = y == 0 ? Edge.top : y == 1 ? .bottom : side else { continue }
            let corner = edge == side ? nil : side
            columns = columns.flatMap { column in
                let beside = corner.map { remainder(of: column, without: box, at: $0) }
                let columns = [remainder(of: column, without: box, at: edge), beside.flatMap(centred), beside]
                return columns.compactMap(\.self).filter { $0 == columns[0] || $0.width >= layout.inner.width / 2 }
            }
        }
        return columns
    }

    /// Stickers belong in the middle of the card.
    private func centred(_ column: Box) -> Box? {
        guard hasFlowingStickers else { return nil }
        let middle = layout.inner.center.x
        let half = min(middle - column.left, column.right - middle)
        return Box(left: middle - half, top: column.top, width: 2 * half, height: column.height)
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
            letters: blocks.map(\.sizeShare).min() ?? 1, stickers: shownStickers(in: column))
    }

    /// What share of the height and width that they like the stickers in the column have.
    private func shownStickers(in column: Box) -> Double {
        guard hasFlowingStickers else { return 1 }
        let flowing = stickers.filter { $0.sticker.placement == nil }
        let shown = StickerGrid(flowing, in: stickerArea(in: column), gap: layout.gap, card: spec.size).shownArea
        return (shown / flowing.reduce(0) { $0 + $1.shownArea(card: spec.size, cell: nil) }).squareRoot()
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
    /// The size of the stickers, as a share of what they like.
    let stickers: Double

    private var scale: Double { letters * stickers }

    var isPerfect: Bool { overflow < 1 && cuts == 0 && letters == 1 && stickers > 0.95 }

    func isBetter(than other: ColumnTrial) -> Bool {
        if abs(overflow - other.overflow) >= 1 { return overflow < other.overflow }
        if cuts != other.cuts { return cuts < other.cuts }
        if cuts > 0 { return column.width * column.height > other.column.width * other.column.height }
        return scale > other.scale * 1.1
    }
}
