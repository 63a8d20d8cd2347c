/// The logo and the QR code with their places.
struct PlacedMarks {
    var logo: PlacedSticker?
    var code: PlacedCode?
}

extension Composition {
    /// The ways to place the logo and the QR code, the best first; at least one, and more than one only where the place of
    /// one of them is not given and there are both.
    ///
    /// Such a one keeps off the other; when neither's place is given, the code has the corner where it is looked for.
    func placedMarks() throws(CardError) -> [PlacedMarks] {
        guard let logo else { return [PlacedMarks(code: codes(off: nil).first)] }
        guard logo.sticker.placement != nil else {
            let code = codes(off: nil).first
            let logos = try logos(logo, off: code?.box)
            return logos.prefix(code == nil ? 1 : 2).map { PlacedMarks(logo: $0, code: code) }
        }
        let placed = try placed(logo, .logo, cell: nil)
        let codes = codes(off: placed.bounds)
        return codes.isEmpty ? [PlacedMarks(logo: placed)] : codes.prefix(2).map { PlacedMarks(logo: placed, code: $0) }
    }

    private func logos(_ logo: MeasuredSticker, off other: Box?) throws(CardError) -> [PlacedSticker] {
        var places: [PlacedSticker] = []
        for corner in Composition.corners {
            places.append(try placed(logo, .logo, cell: nil, at: CardPlacement(corner)))
        }
        return free(places, off: other, \.bounds)
    }

    private func codes(off other: Box?) -> [PlacedCode] {
        guard let code else { return [] }
        let places = code.code.placement.map { [$0] } ?? Composition.corners.map { CardPlacement($0) }
        return free(places.map { PlacedCode(code, at: $0, layout) }, off: other, \.box)
    }

    /// The best first.
    private static let corners: [CardAnchor] = [.bottomRight, .bottomLeft, .topRight, .topLeft]

    /// Those that keep off `other`; where none does, the one that hides the least of it.
    private func free<Place>(_ places: [Place], off other: Box?, _ box: (Place) -> Box) -> [Place] {
        func overlap(_ place: Place) -> Double {
            guard let other = other?.inset(by: -layout.gap / 2) else { return 0 }
            let box = box(place).inset(by: -layout.gap / 2)
            let width = min(box.right, other.right) - max(box.left, other.left)
            let height = min(box.bottom, other.bottom) - max(box.top, other.top)
            return max(width, 0) * max(height, 0)
        }
        let free = places.filter { overlap($0) == 0 }
        return free.isEmpty ? places.min { overlap($0) < overlap($1) }.map { [$0] } ?? [] : free
    }
}
