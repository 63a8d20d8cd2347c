/// A cell of CSV or TSV.
struct Cell {
    /// Without quotes.
    let text: String
    /// Of the first character, quotes included.
    let place: Place

    /// Without blanks around it.
    var trimmed: String {
        let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isBlank($0) }),
            let last = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    var isBlank: Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}

/// What cannot be cut into cells.
struct CellFault: Error {
    enum Kind { case unclosedQuote, textAfterQuote, quoteAfterBlank }

    let kind: Kind
    let place: Place
}

/// Cuts a text into rows of cells, in one pass.
struct CellScanner {
    var separator: UInt8
    /// Of the row that was read last, from 1; a row may have several lines.
    private(set) var rowNumber = 0
    private let bytes: [UInt8]
    private var index = 0
    private var line: Int32 = 1
    private var column: Int32 = 1

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    init(_ bytes: [UInt8], separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
    }

    /// The cells of the next line, at least one; nil at the end.
    mutating func nextRow() throws(CellFault) -> [Cell]? {
        guard index < bytes.count else { return nil }
        rowNumber += 1
        var cells: [Cell] = []
        while true {
            cells.append(try nextCell())
            guard index < bytes.count else { return cells }
            if bytes[index] == separator {
                step()
                continue
            }
            stepOverLineBreak()
            return cells
        }
    }

    /// Takes the line `sep=;` at the beginning, in which spreadsheets name the separator; nil where there is none.
    mutating func takeSeparatorLine() -> UInt8? {
        guard bytes.count > 4, String(decoding: bytes[0..<4], as: UTF8.self).lowercased() == "sep=",
            [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].contains(bytes[4]),
            bytes.count == 5 || isLineBreak(bytes[5])
        else { return nil }
        for _ in 0..<5 { step() }
        if index < bytes.count { stepOverLineBreak() }
        rowNumber = 1
        return bytes[4]
    }

    /// The separators in the first line that is not empty, outside quotes.
    func separatorsOfFirstLine() -> Set<UInt8> {
        var found: Set<UInt8> = []
        var isQuoted = false
        for byte in bytes[index...].drop(while: isLineBreak) {
            if byte == Self.quote { isQuoted.toggle() }
            if isQuoted { continue }
            if isLineBreak(byte) { break }
            if [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].contains(byte) { found.insert(byte) }
        }
        return found
    }

    private mutating func nextCell() throws(CellFault) -> Cell {
        let start = place
        if index < bytes.count, bytes[index] == Self.quote { return try quotedCell(start) }
        let from = index
        while index < bytes.count, bytes[index] != separator, !isLineBreak(bytes[index]) {
            if bytes[index] == Self.quote, bytes[from..<index].allSatisfy({ $0 == UInt8(ascii: " ") }) {
                throw CellFault(kind: .quoteAfterBlank, place: place)
            }
            step()
        }
        return Cell(text: String(decoding: bytes[from..<index], as: UTF8.self), place: since(start))
    }

    private mutating func quotedCell(_ start: Place) throws(CellFault) -> Cell {
        step()
        var text: [UInt8] = []
        while true {
            guard index < bytes.count else { throw CellFault(kind: .unclosedQuote, place: start) }
            let byte = bytes[index]
            if isLineBreak(byte) {
                stepOverLineBreak()
                text.append(Self.lineFeed)
                continue
            }
            step()
            guard byte == Self.quote else {
                text.append(byte)
                continue
            }
            guard index < bytes.count, bytes[index] == Self.quote else { break }
            step()
            text.append(Self.quote)
        }
        guard index == bytes.count || bytes[index] == separator || isLineBreak(bytes[index]) else {
            throw CellFault(kind: .textAfterQuote, place: place)
        }
        return Cell(text: String(decoding: text, as: UTF8.self), place: since(start))
    }

    private var place: Place { Place(line: line, column: column) }

    /// The stretch from a place to here, as far as it lies on one line.
    private func since(_ start: Place) -> Place {
        Place(line: start.line, column: start.column, length: start.line == line ? max(1, column - start.column) : 1)
    }

    private func isLineBreak(_ byte: UInt8) -> Bool { byte == Self.lineFeed || byte == Self.carriageReturn }

    /// Goes one byte on; bytes that continue a character do not count as a column.
    private mutating func step() {
        index += 1
        if index == bytes.count || bytes[index] & 0xC0 != 0x80 { column += 1 }
    }

    private mutating func stepOverLineBreak() {
        let isPair =
            bytes[index] == Self.carriageReturn && index + 1 < bytes.count && bytes[index + 1] == Self.lineFeed
        index += isPair ? 2 : 1
        line += 1
        column = 1
    }
}
