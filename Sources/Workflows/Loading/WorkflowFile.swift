public import Diagnostics
internal import Files
internal import Glibc

/// Reads a file that a step uses.
///
/// The first argument is how messages name it, the second its absolute path.
public typealias WorkflowFiles = @Sendable (_ name: String, _ path: String) throws(DiagnosticsError) -> WorkflowFile

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

    /// Reads files as they are.
    public static let fromDisk: WorkflowFiles = { name, path throws(DiagnosticsError) in
        try read(path: path, shownAs: name)
    }

    /// What the reader of YAML takes as well.
    private static let maxBytes = 16 << 20

    /// Reads a file.
    ///
    /// - Parameter name: how messages name it; nil for the path.
    /// - Throws: one diagnostic without a place when it is missing, a folder, unreadable, or larger than 16 MiB.
    public static func read(path: String, shownAs name: String? = nil) throws(DiagnosticsError) -> WorkflowFile {
        do throws(FileError) {
            let bytes = try FileSystem.read(path, maxBytes: maxBytes)
            let folder = FileSystem.folder(of: path)
            return WorkflowFile(
                name: name ?? path,
                folder: FileSystem.realPath(folder) ?? FileSystem.join(FileSystem.currentFolder, folder),
                bytes: bytes)
        } catch {
            throw DiagnosticsError([diagnostic(for: error, path: path, shownAs: name ?? path)])
        }
    }

    private static func diagnostic(for error: FileError, path: String, shownAs name: String) -> Diagnostic {
        switch error.code {
        case ENOENT, ENOTDIR:
            let folder = FileSystem.folder(of: path)
            let names = (try? FileSystem.list(folder)) ?? []
            let written = FileSystem.name(of: path)
            let near =
                [".yaml", ".yml"].map { written + $0 }.first(where: names.contains) ?? nearest(written, among: names)
            let shown = FileSystem.folder(of: name)
            return Diagnostic(
                at: nil, "there is no file '\(name)'",
                fix: near.map { "Did you mean '\(shown == "." ? $0 : FileSystem.join(shown, $0))'?" })
        case EISDIR:
            return Diagnostic(at: nil, "'\(name)' is a folder, not a workflow file", fix: "Name a file in it")
        case EFBIG:
            return Diagnostic(
                at: nil, "'\(name)' is larger than \(maxBytes >> 20) MiB", why: "A file of that size is no workflow",
                fix: "Put large tables into CSV or JSON files of their own")
        default:
            return Diagnostic(at: nil, "'\(name)' cannot be read", why: error.reason)
        }
    }
}
