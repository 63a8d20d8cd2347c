/// A text that must never be shown: a token, a password.
///
/// Printing it, putting it into a string or a dump gives "(secret)"; the text itself is had by asking for `reveal()`.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) { self.text = text }

    /// The text, for the one place that sends it to its service.
    public func reveal() -> String { text }

    public var isEmpty: Bool { text.isEmpty }
    public var description: String { "(secret)" }
    public var debugDescription: String { "(secret)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Takes the literals of secrets out of any text that leaves the program.
///
/// A secret is found as it is, percent-encoded as in an address or a form, and as JSON writes it.
public struct Redactor: Sendable {
    /// The longest first, so that a secret that holds another one is taken whole.
    private let needles: [[UInt8]]

    /// - Parameter secrets: those shorter than 4 bytes are passed over: they would blank out ordinary words.
    public init(_ secrets: some Sequence<Secret> = []) {
        var forms: Set<[UInt8]> = []
        for secret in secrets {
            let text = secret.reveal()
            guard text.utf8.count >= 4 else { continue }
            forms.insert(Array(text.utf8))
            for spaceAsPlus in [false, true] {
                forms.insert(Array(percentEncoded(text, spaceAsPlus: spaceAsPlus).utf8))
            }
            forms.insert(Array(Value.string(text).json().utf8.dropFirst().dropLast()))
        }
        needles = forms.sorted { $0.count > $1.count }
    }

    /// The text with every secret replaced by "(secret)".
    public func redact(_ text: String) -> String {
        guard !needles.isEmpty else { return text }
        let bytes = Array(text.utf8)
        guard let redacted = redacting(bytes) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// The value with every secret in its texts and keys replaced.
    public func redact(_ value: Value) -> Value {
        guard !needles.isEmpty else { return value }
        switch value {
        case .string(let text): return .string(redact(text))
        case .array(let elements): return .array(elements.map(redact))
        case .object(let object): return .object(ValueObject(object.map { (redact($0.key), redact($0.value)) }))
        default: return value
        }
    }

    /// Nil when there is nothing to replace.
    private func redacting(_ bytes: [UInt8]) -> [UInt8]? {
        var output: [UInt8]?
        var copied = 0
        var position = 0
        while position < bytes.count {
            if let needle = needles.first(where: { bytes[position...].starts(with: $0) }) {
                output = (output ?? []) + bytes[copied..<position] + Array("(secret)".utf8)
                position += needle.count
                copied = position
            } else {
                position += 1
            }
        }
        return output.map { $0 + bytes[copied...] }
    }
}

/// The text with every byte but the unreserved ones of RFC 3986 §2.3 as `%XX`.
///
/// - Parameter spaceAsPlus: the blank as `+`, as `application/x-www-form-urlencoded` has it.
public func percentEncoded(_ text: String, spaceAsPlus: Bool = false) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            output.append(byte)
        case UInt8(ascii: " ") where spaceAsPlus:
            output.append(UInt8(ascii: "+"))
        default:
            output.append(UInt8(ascii: "%"))
            output.append(digits[Int(byte >> 4)])
            output.append(digits[Int(byte & 15)])
        }
    }
    return String(decoding: output, as: UTF8.self)
}
