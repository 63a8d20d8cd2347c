/// Takes the literals of secrets out of any text that leaves the program.
///
/// A secret is found as it is, percent-encoded as in an address or a form, and as JSON may write it, whichever
/// characters are encoded and in whichever case of the digits.
public struct Redactor: Sendable {
    /// The longest first, so that a secret that holds another one is taken whole.
    private let secrets: [[UInt8]]

    /// - Parameter secrets: those shorter than 4 bytes are passed over: they would blank out ordinary words.
    public init(_ secrets: some Sequence<Secret> = []) {
        let texts = Set(secrets.map { Array($0.reveal().utf8) })
        self.secrets = texts.filter { $0.count >= 4 }.sorted { $0.count > $1.count }
    }

    private init(longestFirst secrets: [[UInt8]]) { self.secrets = secrets }

    /// One that knows another secret as well.
    public func hiding(_ secret: Secret) -> Redactor {
        let bytes = Array(secret.reveal().utf8)
        guard bytes.count >= 4, !secrets.contains(bytes) else { return self }
        return Redactor(longestFirst: (secrets + [bytes]).sorted { $0.count > $1.count })
    }

    /// The text with every secret replaced by "(secret)".
    public func redact(_ text: String) -> String {
        guard !secrets.isEmpty else { return text }
        guard let redacted = redacting(Array(text.utf8)) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// The value with every secret in its texts and keys replaced.
    public func redact(_ value: Value) -> Value {
        guard !secrets.isEmpty else { return value }
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
            if let end = endOfSecret(in: bytes, at: position) {
                output = (output ?? []) + bytes[copied..<position] + Array("(secret)".utf8)
                position = end
                copied = position
            } else {
                position += 1
            }
        }
        return output.map { $0 + bytes[copied...] }
    }

    private func endOfSecret(in bytes: [UInt8], at start: Int) -> Int? {
        let first = bytes[start]
        let mayBeEncoded = first == UInt8(ascii: "%") || first == UInt8(ascii: "\\") || first == UInt8(ascii: "+")
        for secret in secrets where mayBeEncoded || secret[0] == first {
            for read in [readPlain, readPercentEncoded, readJSON] {
                if let end = end(of: secret, in: bytes, at: start, read) { return end }
            }
        }
        return nil
    }

    /// Reads one character of an encoding at a place: the bytes that it stands for and how many it takes.
    private typealias Reader = ([UInt8], Int) -> (meaning: [UInt8], length: Int)

    private func end(of secret: [UInt8], in bytes: [UInt8], at start: Int, _ read: Reader) -> Int? {
        var position = start
        var matched = 0
        while matched < secret.count {
            guard position < bytes.count else { return nil }
            if bytes[position] == secret[matched], !isEncodingMark(bytes[position]) {
                matched += 1
                position += 1
                continue
            }
            let (meaning, length) = read(bytes, position)
            guard secret[matched...].starts(with: meaning) else { return nil }
            matched += meaning.count
            position += length
        }
        return position
    }

    /// A + stands for itself where the secret has one, and for a blank elsewhere.
    private func isEncodingMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\")
    }

    private func readPlain(_ bytes: [UInt8], at position: Int) -> (meaning: [UInt8], length: Int) {
        ([bytes[position]], 1)
    }

    private func readPercentEncoded(_ bytes: [UInt8], at position: Int) -> (meaning: [UInt8], length: Int) {
        switch bytes[position] {
        case UInt8(ascii: "+"): ([UInt8(ascii: " ")], 1)
        case UInt8(ascii: "%"):
            hex(bytes, at: position + 1, digits: 2).map { ([UInt8($0)], 3) } ?? ([bytes[position]], 1)
        default: ([bytes[position]], 1)
        }
    }

    /// RFC 8259 §7.
    private func readJSON(_ bytes: [UInt8], at position: Int) -> (meaning: [UInt8], length: Int) {
        guard bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count else { return ([bytes[position]], 1) }
        switch bytes[position + 1] {
        case UInt8(ascii: "b"): return ([0x08], 2)
        case UInt8(ascii: "f"): return ([0x0C], 2)
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "u"):
            guard let unit = hex(bytes, at: position + 2, digits: 4) else { return ([bytes[position]], 1) }
            if let scalar = Unicode.Scalar(unit) { return (Array(String(scalar).utf8), 6) }
            // The first half of a surrogate pair.
            guard position + 7 < bytes.count, bytes[position + 6] == UInt8(ascii: "\\"),
                bytes[position + 7] == UInt8(ascii: "u"), let low = hex(bytes, at: position + 8, digits: 4),
                (0xD800..<0xDC00).contains(unit), (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            else { return ([bytes[position]], 1) }
            return (Array(String(scalar).utf8), 12)
        case let escaped: return ([escaped], 2)
        }
    }

    private func hex(_ bytes: [UInt8], at start: Int, digits: Int) -> UInt32? {
        guard start + digits <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[start..<start + digits] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            value = value << 4 + UInt32(digit)
        }
        return value
    }
}
