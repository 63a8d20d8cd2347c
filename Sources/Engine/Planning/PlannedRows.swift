/// The items of a step of a plan, each made when it is asked for: all at once they would take as much room as what all of
/// them are given.
public struct PlannedRows: RandomAccessCollection, Sendable {
    public let startIndex = 0
    public let endIndex: Int
    private let make: @Sendable (Int) -> PlannedStep

    /// - Parameter make: makes the item in a row, counted from 0; is asked again when the row is.
    public init(count: Int, make: @escaping @Sendable (Int) -> PlannedStep) {
        endIndex = count
        self.make = make
    }

    public subscript(row: Int) -> PlannedStep { make(row) }
}
