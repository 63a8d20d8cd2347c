public import Diagnostics

/// Where the elements of a list are written, so that messages can name the row of a table.
public struct ItemOrigins: Sendable {
    /// The place of a row, counted from 0, or of one cell of it.
    public let location: @Sendable (_ row: Int, _ column: String?) -> SourceLocation?

    public init(_ location: @escaping @Sendable (_ row: Int, _ column: String?) -> SourceLocation?) {
        self.location = location
    }
}

/// Where one item is written.
struct ItemOrigin: Sendable {
    let table: ItemOrigins
    let row: Int

    func location(column: String? = nil) -> SourceLocation? { table.location(row, column) }
}
