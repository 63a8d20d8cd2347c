internal import Diagnostics
internal import Files
internal import StepKit
internal import Tables
public import Values

extension ResolvedInputs {
    /// Copies tables and input files into a run's folder, to `inputs/<input>/<name>`, and tells how the journal keeps
    /// the inputs: a copied one as an object of its path in that folder, `file`, and the path it came `from`.
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
        return stored
    }

    /// As `values`, with the paths of input files being those of the run's copies.
    ///
    /// - Parameter stored: what `store` has returned.
    public func values(stored: ValueObject, in runFolder: String) -> ValueObject {
        var values = values
        for input in files.keys where tables[input] == nil {
            if let place = stored[input]?["file"]?.string { values[input] = .string(FileSystem.join(runFolder, place)) }
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
            guard let place = stored[input.name]?["file"]?.string, let origin = stored[input.name]?["from"]?.string
            else { continue }
            let copy = FileSystem.join(runFolder, place)
            if case .table(let columns) = input.type {
                resolver.restore(input, columns, copy: copy, origin: origin)
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
        _ input: InputDeclaration, _ columns: [InputDeclaration], copy: String, origin: String
    ) {
        do {
            let table = try Table.read(path: copy, name: origin)
            result.files[input.name] = copy
            result.values[input.name] = rows(of: table, input, columns, folder: FileSystem.folder(of: origin))
        } catch {
            problems.add(error)
        }
    }
}
