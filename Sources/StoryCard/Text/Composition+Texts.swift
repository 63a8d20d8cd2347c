extension Composition {
    var hasTexts: Bool { spec.texts.contains { !TextBlock.drawable($0.text).isEmpty } }

    mutating func loadTexts(_ fonts: Fonts) throws(CardError) {
        var told: Set<String> = []
        for (index, text) in spec.texts.enumerated() where !TextBlock.drawable(text.text).isEmpty {
            let layer = CardPart.Layer.text(index)
            let font = try Font(text, layer)
            let substitute = fonts.substitute(for: font)
            if let substitute, told.insert(font.family).inserted {
                warnings.append(
                    "The font '\(font.family)' is not installed; '\(substitute)' is used instead. "
                        + "Install it, or name another.")
            }
            let block = try TextBlock(text, number: index + 1, font: font, fonts: fonts)
            if substitute != nil || block.missingGlyphs > 0 { lacksFonts = true }
            if block.missingGlyphs > 0 {
                let count = block.missingGlyphs == 1 ? "1 character" : "\(block.missingGlyphs) characters"
                warnings.append(
                    "No installed font has \(count) of text \(index + 1); boxes are drawn. "
                        + "Install a font for them (on Debian: fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji)."
                )
            }
            texts.append(block)
        }
    }

    /// Makes texts fit: those of one place into their part of the column, one with a place of its own into its box.
    func fitTexts(in column: Box) {
        var free = column.height
        for place in [CardTextPlace.top, .bottom, .center] {
            let blocks = flowing(at: place)
            guard !blocks.isEmpty else { continue }
            let most = layout.mostTextHeight(at: place, in: column, free: free, hasStickers: hasFlowingStickers)
            fit(blocks, width: column.width, height: max(most - height(around: blocks, at: place), 1))
            free = max(free - height(of: place) - layout.gap, 1)
        }
        for block in texts where !block.text.flows && !block.text.isOnSticker { fit(block) }
    }

    /// With a place of its own.
    func fit(_ block: TextBlock) {
        let height = block.text.height?.pixels(of: Double(spec.size.height)) ?? layout.inner.height * 0.5
        block.fit(width: columnWidth(of: block.text, in: layout.inner.width), height: height)
    }

    /// Makes all of them smaller by one factor, so that what is large stays larger, but none smaller than it may become;
    /// what does not fit even so is cut, the longest first.
    private func fit(_ blocks: [TextBlock], width: Double, height: Double) {
        func total(_ scale: Double, isTrial: Bool) -> Double {
            blocks.reduce(0) { sum, block in
                block.fit(width: columnWidth(of: block.text, in: width), scale: scale, isTrial: isTrial)
                return sum + block.flowHeight
            }
        }
        if total(1, isTrial: false) <= height { return }
        if total(0, isTrial: true) <= height {
            var (low, high) = (0.0, 1.0)
            for _ in 0..<7 {
                let middle = (low + high) / 2
                if total(middle, isTrial: true) <= height { low = middle } else { high = middle }
            }
            _ = total(low, isTrial: false)
            return
        }
        var rest = height
        for (index, block) in blocks.sorted(by: { $0.flowHeight < $1.flowHeight }).enumerated() {
            let share = rest / Double(blocks.count - index)
            block.fit(
                width: columnWidth(of: block.text, in: width), height: max(block.height - block.flowHeight + share, 1),
                scale: 0)
            rest -= block.flowHeight
        }
    }

    mutating func warnOfCutTexts() {
        for block in texts where block.isCut {
            warnings.append("Text \(block.number) does not fit and was cut. Shorten it, or choose a smaller font.")
        }
    }

    /// From the topmost to the lowest.
    func flowing(at place: CardTextPlace) -> [TextBlock] {
        let blocks = texts.filter { $0.text.flows && CardTextPlace($0.text.placement.at) == place }
        return blocks.enumerated().sorted {
            ($0.element.text.order, $0.offset) < ($1.element.text.order, $1.offset)
        }.map(\.element)
    }

    /// Of the texts there, with the plate around them.
    func height(of place: CardTextPlace) -> Double {
        let blocks = flowing(at: place)
        guard !blocks.isEmpty else { return 0 }
        return blocks.reduce(0) { $0 + $1.flowHeight } + height(around: blocks, at: place)
    }

    /// What lies between them, and between them and the edge of their plate.
    private func height(around blocks: [TextBlock], at place: CardTextPlace) -> Double {
        blocks.dropFirst().reduce(2 * padding(at: place)) { $0 + layout.textGap + $1.text.spaceAbove }
    }

    /// Of the plate around the texts there.
    func padding(at place: CardTextPlace) -> Double {
        spec.shapes.filter { $0.around == place }.map(\.padding).max() ?? 0
    }

    /// What an author asks for may pass the margins, but not what stands beside the column; a plate around the text ends
    /// there as well.
    func columnWidth(of text: CardText, in column: Double) -> Double {
        let width = text.width?.pixels(of: Double(spec.size.width))
        guard column < layout.inner.width else { return width ?? column }
        let most = max(column - (text.flows ? 2 * padding(at: CardTextPlace(text.placement.at)) : 0), 1)
        return width.map { min($0, most) } ?? most
    }
}
