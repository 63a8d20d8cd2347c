/// An object whose members keep their order. Two objects are equal when they have equal members in any order, as in
/// JSON.
///
/// Keys are compared byte for byte: "é" as one scalar and as two are different keys.
public struct ValueObject: Sendable {
    /// A key that equals the same bytes only; a String equals its canonical equivalents, too.
    private struct Name: Sendable, Hashable {
        let text: String

        static func == (one: Name, other: Name) -> Bool { one.text.hasSameBytes(as: other.text) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Up to so many members are looked through: to find one among few costs less than to keep a table of them.
    private static let maxUnindexed = 8

    private var members: [(key: String, value: Value)] = []
    /// The places of the members; nil while there are few.
    private var places: [Name: Int]?

    public init() {}

    /// A later member of the same name replaces an earlier one.
    public init(_ members: some Sequence<(String, Value)>) {
        self.members.reserveCapacity(members.underestimatedCount)
        for (key, value) in members { self[key] = value }
    }

    public var keys: [String] { members.map(\.key) }
    public var count: Int { members.count }
    public var isEmpty: Bool { members.isEmpty }
    public var values: [Value] { members.map(\.value) }

    func withMembers<Result>(_ body: (UnsafeBufferPointer<(key: String, value: Value)>) -> Result) -> Result {
        members.withUnsafeBufferPointer(body)
    }

    public subscript(key: String) -> Value? {
        get { place(of: key).map { members[$0].value } }
        set {
            let place = place(of: key)
            if let newValue {
                if let place { members[place].value = newValue } else { append(key, newValue) }
            } else if let place {
                members.remove(at: place)
                index()
            }
        }
    }

    private func place(of key: String) -> Int? {
        if let places { return places[Name(text: key)] }
        return members.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    private mutating func append(_ key: String, _ value: Value) {
        members.append((key, value))
        if places == nil { index() } else { places?[Name(text: key)] = members.count - 1 }
    }

    private mutating func index() {
        guard members.count > ValueObject.maxUnindexed else {
            places = nil
            return
        }
        places = Dictionary(uniqueKeysWithValues: members.enumerated().map { (Name(text: $1.key), $0) })
    }
}

extension ValueObject: Hashable {
    public static func == (one: ValueObject, other: ValueObject) -> Bool {
        one.count == other.count && one.members.allSatisfy { other[$0.key] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        // The order of the members does not count.
        var sum = 0
        for (key, value) in members {
            var member = Hasher()
            member.combine(Name(text: key))
            member.combine(value)
            sum ^= member.finalize()
        }
        hasher.combine(sum)
    }
}

extension ValueObject: Sequence {
    public func makeIterator() -> IndexingIterator<[(key: String, value: Value)]> { members.makeIterator() }

    public var underestimatedCount: Int { members.count }
}

extension ValueObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension String {
    fileprivate func hasSameBytes(as other: String) -> Bool {
        // Equal bytes are equal texts: most others are told apart by that, or by their length.
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
