public import Values

extension Value {
    /// A whole number, in quotes or not: services write ids, codes and counts either way.
    public var looseInteger: Int64? { integer ?? string.flatMap { Int64($0) } }
}
