public import Files
internal import Values

/// The files that a run has copies of. What it began with it goes on with, whatever becomes of the originals.
public struct FileCopies: Sendable {
    /// By the absolute path of the original: that of the copy.
    private var paths: [String: String] = [:]

    public init() {}

    /// The copy of a file; nil for none.
    public subscript(original: String) -> String? { paths[original] }

    /// Copies files into a run's folder, each under its own name in a folder with a number, and notes where each came from.
    ///
    /// - Parameters:
    ///   - originals: absolute paths.
    ///   - place: the folder for the copies, below the run's.
    public static func store(
        _ originals: [String], in runFolder: String, at place: String
    ) throws(FileError) {
        var seen: Set<String> = []
        let originals = originals.filter { seen.insert($0).inserted }
        guard !originals.isEmpty else { return }
        var index = ValueObject()
        for (number, original) in originals.enumerated() {
            let name = "\(number + 1)/\(FileSystem.name(of: original))"
            let copy = FileSystem.join(runFolder, "\(place)/\(name)")
            try FileSystem.makeFolder(FileSystem.folder(of: copy))
            try FileSystem.copy(original, to: copy)
            index[original] = .string(name)
        }
        try FileSystem.write(
            Array(Value.object(index).json(.indented).utf8), to: FileSystem.join(runFolder, "\(place)/index.json"))
    }

    /// Adds what `store` has left at a place; nothing where it has stored nothing.
    ///
    /// - Throws: `FileError` or `JSONError` when that cannot be read.
    public mutating func restore(from runFolder: String, at place: String) throws {
        let folder = FileSystem.join(runFolder, place)
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(FileSystem.join(folder, "index.json")) } catch {
            guard error.isMissing else { throw error }
            return
        }
        for (original, name) in try Value(json: bytes).object ?? [:] {
            paths[original] = name.string.map { FileSystem.join(folder, $0) }
        }
    }

    /// Rows with the copies in place of the files that cells of these columns name.
    func rows(_ rows: Value?, files columns: [String]) -> Value? {
        guard let list = rows?.array, !columns.isEmpty, !paths.isEmpty else { return rows }
        return .array(
            list.map { row in
                guard var cells = row.object else { return row }
                for column in columns {
                    if let copy = cells[column]?.string.flatMap({ self[$0] }) { cells[column] = .string(copy) }
                }
                return .object(cells)
            })
    }
}

extension [InputDeclaration] {
    /// The names of those that are files.
    var files: [String] { filter { $0.type == .file }.map(\.name) }
}
