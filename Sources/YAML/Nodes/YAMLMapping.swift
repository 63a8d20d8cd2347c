/// A mapping whose pairs keep the order of the file. Every key is a scalar, and no two have the same text.
public struct YAMLMapping: Sendable, Hashable {
    public struct Pair: Sendable, Hashable {
        public let key: YAMLNode
        public let value: YAMLNode

        /// The text of the key.
        public var name: String { key.scalar?.text ?? "" }
    }

    /// Pairs from `<<` stand where it stands, without those whose key is written out in the mapping itself.
    public let pairs: [Pair]

    init(_ pairs: [Pair]) { self.pairs = pairs }

    /// In order of the file.
    public var keys: [String] { pairs.map(\.name) }

    /// The pair with that key, compared byte for byte.
    public func pair(_ key: String) -> Pair? { pairs.first { $0.name.utf8.elementsEqual(key.utf8) } }

    public subscript(key: String) -> YAMLNode? { pair(key)?.value }
}
