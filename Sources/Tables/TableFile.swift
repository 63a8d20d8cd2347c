public import Diagnostics
internal import Files
internal import Glibc

/// The content of a table's file, not yet looked at.
public struct TableFile: Sendable, Hashable {
    /// As messages name it.
    public let name: String
    public let format: TableFormat
    public let bytes: [UInt8]

    /// The largest file that is read. A row of a content plan takes some 300 bytes.
    public static let maxBytes = 64 << 20

    public init(name: String, format: TableFormat, bytes: [UInt8]) {
        self.name = name
        self.format = format
        self.bytes = bytes
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - name: how messages call it; the path when left out.
    /// - Throws: one diagnostic without a place when the ending is none of a table's, or the file is missing, a folder,
    ///   unreadable, or larger than 64 MiB.
    public static func read(path: String, name: String? = nil) throws(DiagnosticsError) -> TableFile {
        let name = name ?? path
        guard let format = TableFormat(ofFile: path) else {
            throw DiagnosticsError([
                Diagnostic(
                    at: nil, "'\(name)' has an ending that no table has",
                    why: "The ending tells how a table is written: .csv, .tsv, .txt (with tabs), .json or .yaml",
                    fix: "Rename it, or save it from the spreadsheet as CSV")
            ])
        }
        do throws(FileError) {
            return TableFile(name: name, format: format, bytes: try FileSystem.read(path, maxBytes: maxBytes))
        } catch {
            throw DiagnosticsError([diagnostic(for: error, path: path, name: name)])
        }
    }

    /// Its lines, for showing diagnostics.
    public var source: SourceText {
        SourceText(file: name, bytes: (try? TableText(self))?.bytes ?? bytes)
    }

    private static func diagnostic(for error: FileError, path: String, name: String) -> Diagnostic {
        switch error.code {
        case ENOENT, ENOTDIR:
            let folder = FileSystem.folder(of: path)
            let near = nearest(FileSystem.name(of: path), among: (try? FileSystem.list(folder)) ?? [])
            return Diagnostic(at: nil, "there is no file '\(name)'", fix: near.map { "Is it '\($0)' in that folder?" })
        case EISDIR:
            return Diagnostic(at: nil, "'\(name)' is a folder, not a table", fix: "Name a file in it")
        case EFBIG:
            return Diagnostic(
                at: nil, "'\(name)' is larger than \(maxBytes >> 20) MiB",
                why: "The rows of a table are kept in memory", fix: "Split it into several files")
        default:
            return Diagnostic(at: nil, "'\(name)' cannot be read", why: error.reason)
        }
    }
}
