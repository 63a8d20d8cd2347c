internal import Hashing
internal import Values

/// The long values that a document has in full already, and where.
///
/// A value that is handed on is known again by its storage, in no time; one that was made anew by its digest.
struct WrittenValues {
    /// A shorter value is written again: a reader would rather have it at hand. The longest caption of a photo and the
    /// longest usual post are below it.
    static let shortest = 8192
    /// So many bytes of values, at most, are kept so that they can be known by their storage; the second half of it is
    /// for values that no earlier one equals.
    private static let mostKept = 64 << 20

    private var byStorage: [ValueStorage: String] = [:]
    private var byDigest: [[UInt8]: String] = [:]
    /// Keeps the storages of `byStorage` from being given to other values.
    private var kept: [Value] = []
    private var keptBytes = 0

    /// Where a long value stands in full already; nil for any other, which stands there from now on.
    mutating func place(of value: Value, at place: @autoclosure () -> String) -> String? {
        guard isLong(value) else { return nil }
        let storage = value.storage
        if let storage, let earlier = byStorage[storage] { return earlier }
        var bytes: [UInt8] = []
        spell(value, &bytes)
        let digest = SHA256.digest(bytes)
        let earlier = byDigest[digest]
        let here = earlier ?? place()
        if earlier == nil { byDigest[digest] = here }
        let limit = earlier == nil ? WrittenValues.mostKept : WrittenValues.mostKept / 2
        if let storage, keptBytes + bytes.count <= limit {
            keptBytes += bytes.count
            kept.append(value)
            byStorage[storage] = here
        }
        return earlier
    }

    private func isLong(_ value: Value) -> Bool {
        switch value {
        case .string, .array, .object:
            if isWritten(value) { return true }
            var left = WrittenValues.shortest
            measure(value, &left)
            return left < 0
        default: return false
        }
    }

    /// Takes off what the value takes as JSON, roughly, until nothing is left. What stands elsewhere takes hardly any room.
    private func measure(_ value: Value, _ left: inout Int) {
        guard !isWritten(value) else { return left -= 2 }
        switch value {
        case .string(let text): left -= text.utf8.count + 2
        case .array(let elements):
            left -= elements.count + 2
            for element in elements where left >= 0 { measure(element, &left) }
        case .object(let members):
            left -= 2
            for (name, value) in members where left >= 0 {
                left -= name.utf8.count + 4
                measure(value, &left)
            }
        default: left -= 4
        }
    }

    private func isWritten(_ value: Value) -> Bool {
        guard !byStorage.isEmpty, let storage = value.storage else { return false }
        return byStorage[storage] != nil
    }

    /// The value as bytes that no other value has. What stands elsewhere is spelled by its place, after a byte that JSON
    /// does not have.
    private func spell(_ value: Value, _ bytes: inout [UInt8]) {
        if !byStorage.isEmpty, let storage = value.storage, let place = byStorage[storage] {
            bytes.append(0)
            bytes += place.utf8
            return
        }
        switch value {
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for element in elements {
                spell(element, &bytes)
                bytes.append(UInt8(ascii: ","))
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (name, value) in members {
                bytes += Value.string(name).json().utf8
                bytes.append(UInt8(ascii: ":"))
                spell(value, &bytes)
                bytes.append(UInt8(ascii: ","))
            }
            bytes.append(UInt8(ascii: "}"))
        default: bytes += value.json().utf8
        }
    }
}
