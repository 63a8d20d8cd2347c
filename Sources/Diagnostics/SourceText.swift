/// The content of a text file, as lines, so that a message can show the line it speaks of.
///
/// Lines end at LF, CRLF or CR, as YAML 1.2 (section 5.4) and spreadsheets have them; a byte order mark at the beginning
/// is no part of the first line. A break at the end is followed by one more, empty line.
public struct SourceText: Sendable {
    /// The file as the user named it.
    public let file: String
    /// Without their breaks; never empty.
    public let lines: [Substring]

    public init(file: String, text: String) {
        self.file = file
        lines = Self.split(text)
    }

    /// Bytes that are not UTF-8 are shown as U+FFFD.
    public init(file: String, bytes: [UInt8]) {
        self.init(file: file, text: String(decoding: bytes, as: UTF8.self))
    }

    /// The line without its break, nil for one that the file does not have.
    ///
    /// - Parameter number: from 1.
    public func line(_ number: Int) -> Substring? {
        lines.indices.contains(number - 1) ? lines[number - 1] : nil
    }

    private static func split(_ text: String) -> [Substring] {
        var text = text
        text.makeContiguousUTF8()
        let bytes = text.utf8
        var lines: [Substring] = []
        var start = bytes.startIndex
        if text.unicodeScalars.first == "\u{FEFF}" { start = text.unicodeScalars.index(after: start) }
        var place = start
        while place < bytes.endIndex {
            let byte = bytes[place]
            let next = bytes.index(after: place)
            guard byte == 0x0A || byte == 0x0D else {
                place = next
                continue
            }
            lines.append(text[start..<place])
            let isPair = byte == 0x0D && next < bytes.endIndex && bytes[next] == 0x0A
            place = isPair ? bytes.index(after: next) : next
            start = place
        }
        lines.append(text[start...])
        return lines
    }
}
