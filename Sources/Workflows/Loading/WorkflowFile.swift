public import Diagnostics
internal import Files
internal import Glibc

/// The content of a workflow file, not yet looked at.
public struct WorkflowFile: Sendable {
    /// As the user named it.
    public let name: String
    /// The folder from which relative paths in it are taken, absolute.
    public let folder: String
    public let bytes: [UInt8]

    public init(name: String, folder: String, bytes: [UInt8]) {
        self.name = name
        self.folder = folder
        self.bytes = bytes
    }

    /// Its lines, for showing diagnostics.
    public var source: SourceText { SourceText(file: name, bytes: bytes) }

    /// What the reader of YAML takes as well.
    private static let maxBytes = 16 << 20

    /// Reads a file.
    ///
    /// - Throws: one diagnostic without a place when it is missing, a folder, unreadable, or larger than 16 MiB.
    public static func read(path: String) throws(DiagnosticsError) -> WorkflowFile {
        do throws(FileError) {
            let bytes = try FileSystem.read(path, maxBytes: maxBytes)
            let folder = FileSystem.folder(of: path)
            return WorkflowFile(
                name: path, folder: FileSystem.realPath(folder) ?? FileSystem.join(FileSystem.currentFolder, folder),
                bytes: bytes)
        } catch {
            throw DiagnosticsError([diagnostic(for: error, path: path)])
        }
    }

    private static func diagnostic(for error: FileError, path: String) -> Diagnostic {
        switch error.code {
        case ENOENT, ENOTDIR:
            let folder = FileSystem.folder(of: path)
            let near = nearest(FileSystem.name(of: path), among: (try? FileSystem.list(folder)) ?? [])
            return Diagnostic(
                at: nil, "there is no file '\(path)'",
                fix: near.map { "Did you mean '\(folder == "." ? $0 : FileSystem.join(folder, $0))'?" })
        case EISDIR:
            return Diagnostic(at: nil, "'\(path)' is a folder, not a workflow file", fix: "Name a file in it")
        case EFBIG:
            return Diagnostic(
                at: nil, "'\(path)' is larger than \(maxBytes >> 20) MiB", why: "A file of that size is no workflow",
                fix: "Put large tables into CSV or JSON files of their own")
        default:
            return Diagnostic(at: nil, "'\(path)' cannot be read", why: error.reason)
        }
    }
}
