public import Diagnostics

/// A YAML file that has been read: one document, UTF-8, YAML 1.2 core schema.
public struct YAMLDocument: Sendable {
    public let root: YAMLNode
    public let source: SourceText

    /// What a file may cost.
    enum Limit {
        /// In bytes.
        static let size = 16 << 20
        /// Lists and mappings inside each other, aliases followed.
        static let depth = 200
        /// Values, counted again for every alias that repeats them.
        static let nodes = 1_000_000
        /// Reading stops after so many errors.
        static let errors = 50
    }

    /// Reads a file's content.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - file: its name as the user gave it.
    /// - Throws: every error up to the first that hides the rest of the file.
    public static func load(bytes: [UInt8], file: String) throws(DiagnosticsError) -> YAMLDocument {
        guard bytes.count <= Limit.size else {
            throw DiagnosticsError([
                Diagnostic(
                    at: SourceRange(start: SourceLocation(file: file, line: 1, column: 1)),
                    "the file has \(bytes.count) bytes, more than \(Limit.size >> 20) MiB",
                    why: "A file of that size is no workflow",
                    fix: "Put large tables into CSV or JSON files of their own")
            ])
        }
        let content: ArraySlice<UInt8>
        do throws(EncodingFault) {
            content = try Encoding.check(bytes)
        } catch {
            throw DiagnosticsError([error.diagnostic(file: file)])
        }
        let source = SourceText(file: file, bytes: bytes)
        var builder = NodeBuilder(source: source)
        return YAMLDocument(root: try builder.build(EventReader(content)), source: source)
    }

    public static func load(text: String, file: String) throws(DiagnosticsError) -> YAMLDocument {
        try load(bytes: Array(text.utf8), file: file)
    }
}
