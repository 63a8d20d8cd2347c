internal import Diagnostics
internal import Files
internal import StepKit
internal import Tables
internal import Values
internal import YAML

/// A file of inputs, read.
struct InputFile {
    let nodes: YAMLMapping
    /// Absolute; where relative paths in it begin.
    let folder: String
}

extension InputResolver {
    /// Reads a YAML or JSON file of inputs; unknown names in it are told.
    mutating func readFile(_ path: String) -> InputFile? {
        let absolute = FileSystem.join(given.currentFolder, path)
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(absolute, maxBytes: 16 << 20) } catch {
            problems.error(
                at: nil, "the inputs cannot be read: \(error.reason)", why: "'\(path)' was given with --inputs")
            return nil
        }
        result.sources.append(SourceText(file: path, bytes: bytes))
        let root: YAMLNode
        do { root = try YAMLDocument.load(bytes: bytes, file: path).root } catch {
            problems.add(error)
            return nil
        }
        guard let mapping = root.mapping else {
            problems.error(
                at: root.useRange, "the inputs are \(root.typeName), not a mapping", fix: "Write 'name: value' lines")
            return nil
        }
        for pair in mapping.pairs where !workflow.inputs.contains(where: { $0.name == pair.name }) {
            problems.error(at: pair.key.useRange, "unknown input '\(pair.name)'", fix: hint(for: pair.name))
        }
        return InputFile(nodes: mapping, folder: FileSystem.folder(of: absolute))
    }

    mutating func value(of input: InputDeclaration, _ node: YAMLNode, folder: String) -> Value? {
        if case .table(let columns) = input.type {
            if let path = node.string {
                return table(input, columns, FileSystem.join(folder, path), shownAs: path)
            }
            do {
                let table = try Table(elements: node, file: node.location.file)
                return rows(of: table, input, columns, folder: folder)
            } catch {
                problems.add(error)
                return nil
            }
        }
        do {
            let site = InputSite(folder: folder, zone: workflow.zone)
            let fitted = try input.fit(InputResolver.value(of: node, for: input.type), site)
            if input.type == .file, let path = fitted.string { result.files[input.name] = path }
            return fitted
        } catch {
            problems.error(
                at: node.useRange, "input '\(input.name)' \(error.problem)", why: input.description,
                fix: input.repair(node.scalar?.text) { "Write '\(input.name): \($0)'" })
            return nil
        }
    }

    /// Where text is wanted, numbers and booleans are taken as written: `017` stays "017".
    private static func value(of node: YAMLNode, for type: InputType) -> Value {
        switch type {
        case .string, .choice, .date, .file: node.scalar.map { .string($0.text) } ?? node.value
        default: node.value
        }
    }
}
