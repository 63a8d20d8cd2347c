/// Where the text, the elements or the members of a value lie in memory.
///
/// Two values that exist at the same time are equal when their storages are. The reverse does not hold: a copy that was
/// made anew lies elsewhere. So a long value that is handed on and on is known again without being read.
public struct ValueStorage: Sendable, Hashable {
    private let address: UInt
    private let count: Int

    fileprivate init?(_ start: UnsafeRawPointer?, _ count: Int) {
        guard let start, count > 0 else { return nil }
        address = UInt(bitPattern: start)
        self.count = count
    }
}

extension Value {
    /// Nil for what has no storage of its own: numbers, what is empty, texts of a few bytes.
    public var storage: ValueStorage? {
        switch self {
        case .string(let text):
            // Up to 15 bytes stand in the string itself, which has a new place whenever it is looked at.
            guard text.utf8.count > 15 else { return nil }
            return text.utf8.withContiguousStorageIfAvailable { ValueStorage($0.baseAddress, $0.count) } ?? nil
        case .array(let elements):
            return elements.withUnsafeBufferPointer { ValueStorage($0.baseAddress, $0.count) }
        case .object(let object): return object.storage
        default: return nil
        }
    }
}

extension ValueObject {
    /// That of the members.
    fileprivate var storage: ValueStorage? {
        withMembers { ValueStorage($0.baseAddress, $0.count) }
    }
}
