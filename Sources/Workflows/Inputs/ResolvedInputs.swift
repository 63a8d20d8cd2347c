public import Diagnostics
public import Tables
public import Values

/// The inputs of a run, fitted to their types.
public struct ResolvedInputs: Sendable {
    /// As expressions see them: every declared input, null for one that is left out and has no default. Paths are
    /// absolute, tables are lists of rows.
    public internal(set) var values = ValueObject()
    /// The tables by input, for the places of their rows.
    public internal(set) var tables: [String: Table] = [:]
    /// The files that inputs name, tables and others, by input: absolute paths.
    public internal(set) var files: [String: String] = [:]
    /// The files that cells of tables name, by input: absolute paths, and the columns they stand in.
    var tableFiles: [String: (paths: [String], columns: [String])] = [:]
    /// What is wrong, and what is only worth a note.
    public internal(set) var diagnostics: [Diagnostic] = []
    /// The files that diagnostics speak of.
    public internal(set) var sources: [SourceText] = []

    public init() {}

    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
