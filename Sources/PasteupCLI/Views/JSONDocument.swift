internal import Values

/// A large JSON document that is written while it is made: two blanks a level, members in their order.
///
/// A long value is written in full once. Where it comes again stands `{"same-as": "/steps/0/with/rows"}`, with a JSON
/// Pointer (RFC 6901) to its first place: a list of 10,000 rows that is given to each of its rows would be 100 million
/// rows otherwise.
struct JSONDocument {
    enum Bracket {
        case object, list
    }

    private struct Level {
        let bracket: Bracket
        var count = 0
        /// Of the member that is being written; nil in a list.
        var name: String?

        /// The last member or element, as a pointer names it.
        var token: String {
            guard let name else { return String(count - 1) }
            guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
            return name.reduce(into: "") { token, character in
                token += character == "~" ? "~0" : character == "/" ? "~1" : String(character)
            }
        }
    }

    /// From so many bytes on, text is handed over.
    private static let pieceSize = 1 << 16

    private let write: (String) -> Void
    private var text: [UInt8] = []
    private var levels: [Level] = []
    private var written = WrittenValues()

    /// - Parameter write: is given the text in pieces, each of which ends after a whole member or element.
    init(_ write: @escaping (String) -> Void) { self.write = write }

    /// Begins an object or a list.
    ///
    /// - Parameter name: the member's name; nil for an element of a list, and for the whole.
    mutating func open(_ bracket: Bracket, _ name: String? = nil) {
        begin(name)
        text.append(UInt8(ascii: bracket == .object ? "{" : "["))
        levels.append(Level(bracket: bracket))
    }

    /// Ends what was begun last; with the outermost, the document.
    mutating func close() {
        guard let level = levels.popLast() else { return }
        if level.count > 0 { newLine() }
        text.append(UInt8(ascii: level.bracket == .object ? "}" : "]"))
        if levels.isEmpty { text.append(UInt8(ascii: "\n")) }
        if levels.isEmpty || text.count >= JSONDocument.pieceSize { handOver() }
    }

    /// Writes a member or an element.
    mutating func add(_ value: Value, _ name: String? = nil) {
        begin(name)
        content(value)
        if text.count >= JSONDocument.pieceSize { handOver() }
    }

    private mutating func begin(_ name: String?) {
        guard !levels.isEmpty else { return }
        let last = levels.count - 1
        if levels[last].count > 0 { text.append(UInt8(ascii: ",")) }
        levels[last].count += 1
        levels[last].name = name
        newLine()
        guard let name else { return }
        text += Value.string(name).json().utf8
        text += ": ".utf8
    }

    private mutating func content(_ value: Value) {
        let here = levels
        if let place = written.place(of: value, at: JSONDocument.pointer(here)) {
            return content(["same-as": .string(place)])
        }
        switch value {
        case .array(let elements) where !elements.isEmpty:
            text.append(UInt8(ascii: "["))
            levels.append(Level(bracket: .list))
            for element in elements { add(element) }
            close()
        case .object(let members) where !members.isEmpty:
            text.append(UInt8(ascii: "{"))
            levels.append(Level(bracket: .object))
            for (name, value) in members { add(value, name) }
            close()
        default: text += value.json().utf8
        }
    }

    private static func pointer(_ levels: [Level]) -> String { levels.reduce(into: "") { $0 += "/" + $1.token } }

    private mutating func newLine() {
        text.append(UInt8(ascii: "\n"))
        text += repeatElement(UInt8(ascii: " "), count: 2 * levels.count)
    }

    private mutating func handOver() {
        write(String(decoding: text, as: UTF8.self))
        text.removeAll(keepingCapacity: true)
    }
}
