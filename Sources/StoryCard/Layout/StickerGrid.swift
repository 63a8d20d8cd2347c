/// Stickers without a place of their own, in rows.
struct StickerGrid {
    let cells: [Box]
    /// Of all of them, in square pixels.
    let shownArea: Double

    /// Divides `area` for the stickers so that they become as large as possible; rows that are not full are centred.
    init(_ stickers: [MeasuredSticker], in area: Box, gap: Double, card: CardSize) {
        let grids = (1...max(stickers.count, 1)).map { columns in
            StickerGrid.cells(count: stickers.count, columns: columns, in: area, gap: gap)
        }
        let areas = grids.map { cells in
            zip(stickers, cells).reduce(0) { $0 + $1.0.shownArea(card: card, cell: $1.1) }
        }
        let best = areas.indices.max { areas[$0] < areas[$1] } ?? 0
        (cells, shownArea) = (grids[best], areas[best])
    }

    private static func cells(count: Int, columns: Int, in area: Box, gap: Double) -> [Box] {
        let rows = (count + columns - 1) / columns
        let width = max((area.width - gap * Double(columns - 1)) / Double(columns), 1)
        let height = max((area.height - gap * Double(rows - 1)) / Double(rows), 1)
        return (0..<count).map { index in
            let row = index / columns
            let inRow = min(columns, count - row * columns)
            let rowWidth = width * Double(inRow) + gap * Double(inRow - 1)
            return Box(
                left: area.left + (area.width - rowWidth) / 2 + Double(index % columns) * (width + gap),
                top: area.top + Double(row) * (height + gap), width: width, height: height)
        }
    }
}
