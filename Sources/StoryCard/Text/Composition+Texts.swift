extension Composition {
    var hasTexts: Bool { spec.texts.contains { !TextBlock.drawable($0.text).isEmpty } }

    mutating func loadTexts(_ fonts: Fonts) throws(CardError) {
        var told: Set<String> = []
        for (index, text) in spec.texts.enumerated() where !TextBlock.drawable(text.text).isEmpty {
            let layer = CardPart.Layer.text(index)
            let font = try Font(text, layer)
            if let substitute = fonts.substitute(for: font), told.insert(font.family).inserted {
                warnings.append(
                    "The font '\(font.family)' is not installed; '\(substitute)' is used instead. "
                        + "Install it, or name another.")
            }
            let block = try TextBlock(text, number: index + 1, font: font, fonts: fonts)
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

    /// Shares the height of each place among its texts, by what each would like; one with a place of its own has its box.
    mutating func fitTexts() {
        for place in TextPlace.allCases {
            let blocks = flowing(at: place)
            let most = layout.mostTextHeight(
                at: place, hasStickers: stickers.contains { $0.sticker.placement == nil })
            let free = most - gaps(between: blocks)
            let wishes = blocks.map { $0.naturalHeight(width: columnWidth(of: $0.text)) }
            let share = min(free / max(wishes.reduce(0, +), 1), 1)
            for (block, wish) in zip(blocks, wishes) {
                // A text that may keep its size gets all the room there is, so that balancing cannot shrink it.
                block.fit(width: columnWidth(of: block.text), height: share < 1 ? wish * share : free)
            }
        }
        for block in texts where !block.text.flows {
            let height = block.text.height?.pixels(of: Double(spec.size.height)) ?? layout.inner.height * 0.5
            block.fit(width: columnWidth(of: block.text), height: height)
        }
        for block in texts where block.isCut {
            warnings.append("Text \(block.number) does not fit and was cut. Shorten it, or choose a smaller font.")
        }
    }

    private func flowing(at place: TextPlace) -> [TextBlock] {
        texts.filter { $0.text.flows && TextPlace($0.text.placement.at) == place }
    }

    func height(of place: TextPlace) -> Double {
        let blocks = flowing(at: place)
        guard !blocks.isEmpty else { return 0 }
        return blocks.reduce(0) { $0 + $1.height } + gaps(between: blocks)
    }

    private func gaps(between blocks: [TextBlock]) -> Double {
        layout.textGap * Double(max(blocks.count - 1, 0)) + blocks.reduce(0) { $0 + $1.text.spaceAbove }
    }
}
