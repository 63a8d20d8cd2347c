/// A place in a text file.
public struct SourceLocation: Sendable, Hashable, Comparable {
    /// The file as the user named it.
    public let file: String
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int

    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    public static func < (one: SourceLocation, other: SourceLocation) -> Bool {
        (one.file, one.line, one.column) < (other.file, other.line, other.column)
    }
}

/// A stretch of a text file.
public struct SourceRange: Sendable, Hashable {
    public let start: SourceLocation
    /// In Unicode scalars, on the first line; at least 1 is underlined.
    public let length: Int

    public init(start: SourceLocation, length: Int = 1) {
        self.start = start
        self.length = length
    }
}
