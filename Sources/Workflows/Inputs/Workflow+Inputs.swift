internal import Diagnostics
internal import Files
internal import StepKit
internal import Tables
internal import TimeZones
internal import Values
internal import YAML

extension Workflow {
    /// The value of every input, fitted to its type, with all that is wrong with what was given. Nothing is changed on
    /// disk; tables and input files are read or looked for.
    public func resolveInputs(_ given: GivenInputs) -> ResolvedInputs {
        var resolver = InputResolver(self, given)
        return resolver.resolve()
    }

    /// Where clocks hang that dates of this file are read off.
    var zone: TimeZone { timezone.flatMap { try? TimeZone.named($0) } ?? .machine }
}

/// Makes values of what was given.
struct InputResolver {
    let workflow: Workflow
    let given: GivenInputs
    var result = ResolvedInputs()
    var problems = Problems()

    init(_ workflow: Workflow, _ given: GivenInputs) {
        self.workflow = workflow
        self.given = given
    }

    mutating func resolve() -> ResolvedInputs {
        var sources = given.sources
        assignUnnamedPaths(to: &sources)
        let file = given.file.flatMap { readFile($0) }
        for input in workflow.inputs {
            result.values[input.name] = value(of: input, sources[input.name], file) ?? .null
        }
        for name in sources.keys.sorted() where !workflow.inputs.contains(where: { $0.name == name }) {
            problems.error(at: nil, "unknown input '\(name)'", fix: hint(for: name))
        }
        result.diagnostics = problems.diagnostics
        return result
    }

    private mutating func value(
        of input: InputDeclaration, _ source: GivenInputs.Source?, _ file: InputFile?
    ) -> Value? {
        switch source {
        case .texts(let texts): return value(of: input, texts)
        case .path(let path):
            guard case .table(let columns) = input.type else {
                if input.type == .file { return fit(input, .string(path), given.currentFolder) }
                problems.error(
                    at: nil, "input '\(input.name)' is \(input.type.phrase), not a table or a file",
                    fix: "Give it as -i \(input.name)=\(input.example)")
                return nil
            }
            return table(input, columns, FileSystem.join(given.currentFolder, path), shownAs: path)
        case nil: break
        }
        if let node = file?.nodes[input.name], !node.isNull { return value(of: input, node, folder: file!.folder) }
        guard input.isRequired else { return defaultValue(of: input) }
        problems.error(
            at: nil, "input '\(input.name)' is missing", why: input.description,
            fix: input.type.isTable
                ? "Give it as --input-file \(input.name)=\(input.example)"
                : "Give it as -i \(input.name)=\(input.example)")
        return nil
    }

    private mutating func defaultValue(of input: InputDeclaration) -> Value? {
        guard !input.defaultValue.isNull else { return .null }
        switch input.type {
        case .file: return fit(input, input.defaultValue, workflow.folder)
        case .table(let columns):
            if let path = input.defaultValue.string {
                return table(input, columns, FileSystem.join(workflow.folder, path), shownAs: path)
            }
            return table(
                input, columns, written: input.defaultValue.json(), shownAs: "the default of '\(input.name)'",
                workflow.folder)
        default: return input.defaultValue
        }
    }

    // MARK: The command line

    private mutating func value(of input: InputDeclaration, _ texts: [String]) -> Value? {
        if texts.count > 1 {
            guard input.type == .list else {
                problems.error(at: nil, "input '\(input.name)' is given \(texts.count) times", fix: "Give it once")
                return nil
            }
            return .array(texts.map(Value.string))
        }
        let text = texts[0]
        if text.isEmpty, input.type != .string {
            problems.error(
                at: nil, "input '\(input.name)' is empty, not \(input.type.phrase)", why: input.description,
                fix: input.isRequired
                    ? "Give it as -i \(input.name)=\(input.example)" : "Leave it out if it is not given")
            return nil
        }
        guard case .table(let columns) = input.type else { return fit(input, .string(text), given.currentFolder) }
        if text.utf8.first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "[") {
            return table(input, columns, written: text, shownAs: "-i \(input.name)", given.currentFolder)
        }
        return table(input, columns, FileSystem.join(given.currentFolder, text), shownAs: text)
    }

    private mutating func fit(_ input: InputDeclaration, _ value: Value, _ folder: String) -> Value? {
        do {
            let fitted = try input.fit(value, InputSite(folder: folder, zone: workflow.zone))
            if input.type == .file, let path = fitted.string { result.files[input.name] = path }
            return fitted
        } catch {
            problems.error(
                at: nil, "input '\(input.name)' \(error.problem)", why: input.description,
                fix: input.repair(value.string) { "Give it as -i \(input.name)=\($0)" })
            return nil
        }
    }

    private mutating func assignUnnamedPaths(to sources: inout [String: GivenInputs.Source]) {
        guard !given.unnamedPaths.isEmpty else { return }
        let takers = workflow.inputs.filter { $0.type.isTable || $0.type == .file }
        guard takers.count == 1, given.unnamedPaths.count == 1 else {
            for path in given.unnamedPaths {
                problems.error(
                    at: nil, "for which input '\(path)' is meant is not said",
                    why: takers.isEmpty
                        ? "'\(workflow.name)' takes no table and no file"
                        : takers.count > 1 ? "There are \(takers.map(\.name).joined(separator: ", "))" : nil,
                    fix: takers.first.map { "Write --input-file \($0.name)=\(path)" })
            }
            return
        }
        sources[takers[0].name] = .path(given.unnamedPaths[0])
    }

    func hint(for name: String) -> String {
        let names = workflow.inputs.map(\.name)
        if let near = nearest(name, among: names) { return "Did you mean '\(near)'?" }
        return names.isEmpty ? "'\(workflow.name)' takes none" : "There are \(names.joined(separator: ", "))"
    }

    // MARK: Tables

    mutating func table(
        _ input: InputDeclaration, _ columns: [InputDeclaration], _ path: String, shownAs name: String
    ) -> Value? {
        do {
            let file = try TableFile.read(path: path, name: name)
            result.files[input.name] = path
            return table(input, columns, file, folder: FileSystem.folder(of: path))
        } catch {
            problems.add(error)
            return nil
        }
    }

    private mutating func table(
        _ input: InputDeclaration, _ columns: [InputDeclaration], written text: String, shownAs name: String,
        _ folder: String
    ) -> Value? {
        table(input, columns, TableFile(name: name, format: .json, bytes: Array(text.utf8)), folder: folder)
    }

    private mutating func table(
        _ input: InputDeclaration, _ columns: [InputDeclaration], _ file: TableFile, folder: String
    ) -> Value? {
        do {
            let table = try Table(file)
            problems.add(table.notes)
            return rows(of: table, input, columns, folder: folder)
        } catch {
            result.sources.append(file.source)
            problems.add(error)
            return nil
        }
    }

    mutating func rows(
        of table: Table, _ input: InputDeclaration, _ columns: [InputDeclaration], folder: String,
        _ copies: FileCopies = FileCopies()
    ) -> Value? {
        let errorsBefore = problems.count
        let rows = table.fitted(to: columns, InputSite(folder: folder, zone: workflow.zone, copies: copies), &problems)
        if problems.count > errorsBefore { result.sources.append(table.source) }
        result.tables[input.name] = table
        let files = columns.files
        if !files.isEmpty {
            result.tableFiles[input.name] = (rows.flatMap { row in files.compactMap { row[$0]?.string } }, files)
        }
        return .array(rows)
    }
}

extension InputType {
    var isTable: Bool { if case .table = self { true } else { false } }
}
