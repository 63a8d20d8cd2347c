public import Diagnostics

extension YAMLDocument {
    /// Where a piece of a scalar's text is written.
    ///
    /// Quotes, escapes, folded lines and indentation between the text and the file are followed; should they not fit, the
    /// scalar's own place is given.
    ///
    /// - Parameters:
    ///   - piece: a stretch of `scalar.text`.
    ///   - node: a scalar of this document.
    public func range(of piece: Range<String.Index>, in node: YAMLNode) -> SourceRange {
        guard let text = node.scalar?.text, piece.lowerBound >= text.startIndex, piece.upperBound <= text.endIndex
        else { return node.range }
        let scalars = text.unicodeScalars
        let start = scalars.distance(from: scalars.startIndex, to: piece.lowerBound)
        let length = scalars.distance(from: piece.lowerBound, to: piece.upperBound)
        return range(ofScalars: start..<(start + length), in: node)
    }

    /// Where a piece of a scalar's text is written, given by the Unicode scalars' positions from 0.
    public func range(ofScalars piece: Range<Int>, in node: YAMLNode) -> SourceRange {
        guard let scalar = node.scalar, piece.lowerBound >= 0 else { return node.range }
        let start = Mark(line: node.range.start.line, column: node.range.start.column)
        let written = WrittenText(source: source, start: start, end: node.end, style: scalar.style)
        guard let places = written.places(of: scalar.text), piece.lowerBound < places.count else { return node.range }
        let first = places[piece.lowerBound]
        var length = 1
        for place in places[piece.lowerBound..<min(piece.upperBound, places.count)] where place.line == first.line {
            length = place.column + place.length - first.column
        }
        return SourceRange(
            start: SourceLocation(file: source.file, line: first.line, column: first.column), length: max(1, length))
    }
}
