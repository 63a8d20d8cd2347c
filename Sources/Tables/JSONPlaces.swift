/// Finds where the elements of a JSON list, and the members of its objects, are written.
///
/// The text must have been read as JSON before: nothing is checked here.
struct JSONPlaces {
    struct Element {
        var place: Place
        /// Of the values of an object's members, in order.
        var cells: [Place] = []
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read() -> [Element] {
        var elements: [Element] = []
        var cursor = Cursor(bytes)
        cursor.skipTo(anyOf: "[")
        cursor.step()
        while let byte = cursor.skipBlanks(and: ","), byte != UInt8(ascii: "]") {
            if byte == UInt8(ascii: "{") {
                var element = Element(place: cursor.place)
                cursor.step()
                while let byte = cursor.skipBlanks(and: ","), byte != UInt8(ascii: "}") {
                    cursor.skipValue()
                    _ = cursor.skipBlanks(and: ":")
                    element.cells.append(cursor.placeOfValue())
                }
                cursor.step()
                elements.append(element)
            } else {
                elements.append(Element(place: cursor.placeOfValue()))
            }
        }
        return elements
    }

    private struct Cursor {
        private let bytes: [UInt8]
        private var index = 0
        private var line: Int32 = 1
        private var column: Int32 = 1

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var place: Place { Place(line: line, column: column) }

        mutating func step() {
            guard index < bytes.count else { return }
            let byte = bytes[index]
            index += 1
            // A break is LF, CRLF or CR, as in `SourceText`.
            if byte == 0x0A || (byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A)) {
                line += 1
                column = 1
            } else if index == bytes.count || bytes[index] & 0xC0 != 0x80 {
                column += 1
            }
        }

        mutating func skipTo(anyOf stops: StaticString) {
            while index < bytes.count, !contains(stops, bytes[index]) { step() }
        }

        /// - Returns: the byte behind blanks and a separator.
        mutating func skipBlanks(and separator: StaticString) -> UInt8? {
            while index < bytes.count, contains(" \t\r\n", bytes[index]) || contains(separator, bytes[index]) { step() }
            return index < bytes.count ? bytes[index] : nil
        }

        /// Skips a value, and tells its stretch as far as it lies on one line.
        mutating func placeOfValue() -> Place {
            var start = place
            skipValue()
            if start.line == line { start.length = max(1, column - start.column) }
            return start
        }

        mutating func skipValue() {
            guard index < bytes.count else { return }
            switch bytes[index] {
            case UInt8(ascii: "\""): skipText()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                var depth = 0
                repeat {
                    switch bytes[index] {
                    case UInt8(ascii: "\""):
                        skipText()
                        continue
                    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                    case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                    default: break
                    }
                    step()
                } while depth > 0 && index < bytes.count
            default: skipTo(anyOf: " \t\r\n,]}")
            }
        }

        private mutating func skipText() {
            step()
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                if bytes[index] == UInt8(ascii: "\\") { step() }
                step()
            }
            step()
        }

        private func contains(_ set: StaticString, _ byte: UInt8) -> Bool {
            set.withUTF8Buffer { $0.contains(byte) }
        }
    }
}
