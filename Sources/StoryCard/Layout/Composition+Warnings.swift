extension Composition {
    /// What an author should look at: texts under the player's controls, beyond the card's edge or over one another,
    /// and what lies over their plates.
    mutating func warn(of arrangement: Arrangement) {
        var things: [(name: String, box: Box)] = []
        if let logo = arrangement.logo { things.append(("the logo", logo.bounds)) }
        if let code = arrangement.qrCode { things.append(("the QR code", code.box)) }
        for (name, box) in things where arrangement.plates.contains(where: { $0?.inset(by: 3).meets(box) ?? false }) {
            warnings.append("\(capitalized(name)) lies over the plate around texts. Move it, or shorten them.")
        }
        for (block, box) in zip(texts, arrangement.texts) {
            things.append(("text \(block.number)", block.visibleBox(in: box).turned(degrees: block.rotation)))
        }
        for (name, box) in things {
            if !layout.whole.inset(by: -1).holds(box) {
                warnings.append("\(capitalized(name)) reaches beyond the card's edge. Move it, or make it smaller.")
            } else if spec.size.isStory, box.top < layout.inner.top - 1 || box.bottom > layout.inner.bottom + 1 {
                let zone = Int(layout.inner.top)
                warnings.append(
                    "\(capitalized(name)) reaches into the \(box.top < layout.inner.top - 1 ? "top" : "bottom") \(zone) "
                        + "pixels, where a story's player has its own controls. Move it towards the middle.")
            }
        }
        for (index, one) in things.enumerated() {
            for other in things[..<index] where one.box.inset(by: 3).meets(other.box.inset(by: 3)) {
                warnings.append("\(capitalized(one.name)) lies over \(other.name). Move one of them.")
            }
        }
        if let code = arrangement.qrCode, code.module < PlacedCode.legibleModule {
            warnings.append(
                "The QR code's modules have \(code.module) \(code.module == 1 ? "pixel" : "pixels") each, too small "
                    + "for many phones. Make it larger, or shorten the link.")
        }
    }
}

extension Box {
    fileprivate func holds(_ other: Box) -> Bool {
        left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom
    }
}

private func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
