/// How a table's file is written.
public enum TableFormat: String, Sendable, Hashable, CaseIterable {
    /// Cells between commas or semicolons (RFC 4180), told apart by the first line.
    case csv
    /// Cells between tabs, as spreadsheets call "Unicode text".
    case tsv
    case json
    case yaml

    /// The endings of file names, lower case, without a dot.
    public var endings: [String] {
        switch self {
        case .csv: ["csv"]
        case .tsv: ["tsv", "tab", "txt"]
        case .json: ["json"]
        case .yaml: ["yaml", "yml"]
        }
    }

    /// The format that a file's name tells, upper and lower case alike; nil for an ending that no table has.
    public init?(ofFile name: String) {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = name[name.utf8.index(after: dot)...].lowercased()
        guard let format = TableFormat.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
        self = format
    }
}
