internal import Diagnostics
internal import Files
internal import Threading
internal import Values
internal import Workflows

/// The workflow files that steps of a workflow use: remembered as they are read, kept with a run, and given again.
final class PartFiles: Sendable {
    /// By path.
    private let files = Locked<[String: WorkflowFile]>([:])
    /// The folder of the run whose copies are read; nil reads the files themselves.
    private let runFolder: String?

    init(of runFolder: String? = nil) { self.runFolder = runFolder }

    /// What the loader asks.
    var reader: WorkflowFiles {
        { name, path throws(DiagnosticsError) in
            let file: WorkflowFile
            if let folder = self.runFolder {
                file = try PartFiles.copy(of: path, shownAs: name, in: folder)
            } else {
                file = try WorkflowFile.read(path: path, shownAs: name)
            }
            self.files.withLock { $0[path] = file }
            return file
        }
    }

    /// For showing what is wrong in them.
    var sources: [SourceText] { files.withLock { $0.values.map(\.source) } }

    // MARK: Kept with a run

    private static let index = "inputs/parts.json"

    /// Copies the files that have been read into the run's folder.
    func store(in runFolder: String) throws(FileError) {
        let files = files.withLock { $0 }.sorted { $0.key < $1.key }
        guard !files.isEmpty else { return }
        try FileSystem.makeFolder(FileSystem.join(runFolder, "inputs/parts"))
        var index = ValueObject()
        for (number, file) in files.enumerated() {
            let copy = "inputs/parts/\(number + 1).yaml"
            try FileSystem.write(file.value.bytes, to: FileSystem.join(runFolder, copy))
            index[file.key] = ["copy": .string(copy), "folder": .string(file.value.folder)]
        }
        try FileSystem.write(
            Array(Value.object(index).json(.indented).utf8), to: FileSystem.join(runFolder, PartFiles.index))
    }

    private static func copy(
        of path: String, shownAs name: String, in runFolder: String
    ) throws(DiagnosticsError) -> WorkflowFile {
        do {
            let index = try Value(json: FileSystem.read(FileSystem.join(runFolder, PartFiles.index)))
            if let copy = index[path]?["copy"]?.string, let folder = index[path]?["folder"]?.string {
                return WorkflowFile(
                    name: name, folder: folder, bytes: try FileSystem.read(FileSystem.join(runFolder, copy)))
            }
        } catch {
            throw DiagnosticsError([
                Diagnostic(at: nil, "the run's copy of '\(name)' cannot be read", why: String(describing: error))
            ])
        }
        throw DiagnosticsError([Diagnostic(at: nil, "the run has no copy of '\(name)'")])
    }

    /// The files of a run that are not any more as its copies are.
    static func changed(in runFolder: String) -> [String] {
        guard let bytes = try? FileSystem.read(FileSystem.join(runFolder, index)), let index = try? Value(json: bytes)
        else { return [] }
        return (index.object ?? [:]).compactMap { path, entry in
            guard let copy = entry["copy"]?.string, let now = try? FileSystem.read(path),
                let then = try? FileSystem.read(FileSystem.join(runFolder, copy)), now != then
            else { return nil }
            return path
        }
    }
}
