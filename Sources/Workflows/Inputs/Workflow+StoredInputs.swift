internal import Diagnostics
internal import Files
internal import StepKit
internal import Tables
public import Values

extension ResolvedInputs {
    /// Copies tables and input files into a run's folder, to `inputs/<input>/<name>`, and tells how the journal keeps
    /// the inputs: a copied one as an object of its path in that folder, `file`, and the path it came `from`. Files that
    /// cells of tables name are copied to `inputs/<input>.files`.
    ///
    /// - Throws: `FileError`.
    public func store(in runFolder: String) throws -> ValueObject {
        var stored = values
        for (input, path) in files.sorted(by: { $0.key < $1.key }) {
            let place = "inputs/\(input)/\(FileSystem.name(of: path))"
            let copy = FileSystem.join(runFolder, place)
            try FileSystem.makeFolder(FileSystem.folder(of: copy))
            if let table = tables[input] {
                try FileSystem.write(table.file.bytes, to: copy)
            } else {
                try FileSystem.copy(path, to: copy)
            }
            stored[input] = ["file": .string(place), "from": .string(path)]
        }
        for (input, files) in tableFiles.sorted(by: { $0.key < $1.key }) {
            try FileCopies.store(files.paths, in: runFolder, at: tableFilesPlace(input))
        }
        return stored
    }

    /// As `values`, with the paths of input files being those of the run's copies.
    ///
    /// - Parameter stored: what `store` has returned.
    /// - Throws: when the copies of a table's files cannot be read.
    public func values(stored: ValueObject, in runFolder: String) throws -> ValueObject {
        var values = values
        for input in files.keys where tables[input] == nil {
            if let place = stored[input]?["file"]?.string { values[input] = .string(FileSystem.join(runFolder, place)) }
        }
        for (input, files) in tableFiles {
            var copies = FileCopies()
            try copies.restore(from: runFolder, at: tableFilesPlace(input))
            values[input] = copies.rows(values[input], files: files.columns)
        }
        return values
    }
}

extension Workflow {
    /// The inputs of an earlier run, from the journal and the copies in its folder.
    ///
    /// - Parameter stored: what `ResolvedInputs.store` has returned.
    public func restoreInputs(_ stored: ValueObject, from runFolder: String) -> ResolvedInputs {
        var resolver = InputResolver(self, GivenInputs(currentFolder: folder))
        resolver.result.values = stored
        for input in inputs {
            var copies = FileCopies()
            if case .table(let columns) = input.type {
                do { try copies.restore(from: runFolder, at: tableFilesPlace(input.name)) } catch {
                    resolver.problems.error(
                        at: nil, "the run's copies of the files of '\(input.name)' cannot be read",
                        why: String(describing: error))
                }
                // A table that was written on the command line is in the journal itself.
                resolver.result.values[input.name] = copies.rows(stored[input.name], files: columns.files)
            }
            guard let place = stored[input.name]?["file"]?.string, let origin = stored[input.name]?["from"]?.string
            else { continue }
            let copy = FileSystem.join(runFolder, place)
            if case .table(let columns) = input.type {
                resolver.restore(input, columns, copy: copy, origin: origin, copies)
            } else if input.type == .file {
                resolver.result.values[input.name] = .string(copy)
                resolver.result.files[input.name] = copy
            }
        }
        resolver.result.diagnostics = resolver.problems.diagnostics.filter { $0.severity == .error }
        return resolver.result
    }
}

extension InputResolver {
    /// Reads the copy of a table; paths in it begin where the table was.
    fileprivate mutating func restore(
        _ input: InputDeclaration, _ columns: [InputDeclaration], copy: String, origin: String, _ copies: FileCopies
    ) {
        do {
            let table = try Table.read(path: copy, name: origin)
            result.files[input.name] = copy
            result.values[input.name] = rows(
                of: table, input, columns, folder: FileSystem.folder(of: origin), copies)
        } catch {
            problems.add(error)
        }
    }
}

/// Where a run keeps its copies of the files that cells of a table name. No input's name has a dot.
private func tableFilesPlace(_ input: String) -> String { "inputs/\(input).files" }
