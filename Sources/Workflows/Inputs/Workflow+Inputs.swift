public import Diagnostics
internal import Files
internal import StepKit
public import Values

extension Workflow {
    /// The value of every input, fitted to its type; null for one that is left out and has no default. Paths of files
    /// become absolute.
    ///
    /// - Parameters:
    ///   - given: what the command line says, as text. A list is JSON when it begins with `[`, else its elements are
    ///     separated by commas.
    ///   - currentFolder: absolute; where given relative paths begin. Those of defaults begin at the file's folder.
    /// - Throws: every problem, without places: first those of declared inputs in the order of the file.
    public func resolveInputs(
        given: [String: String], currentFolder: String
    ) throws(DiagnosticsError) -> ValueObject {
        var problems = Problems()
        var values = ValueObject()
        for input in inputs {
            if let text = given[input.name] {
                values[input.name] = input.value(of: text, currentFolder: currentFolder, &problems) ?? .null
            } else if input.isRequired {
                problems.error(
                    at: nil, "input '\(input.name)' is missing", why: input.description,
                    fix: "Give it as -i \(input.name)=\(input.example)")
            } else if input.type == .file, let path = input.defaultValue.string {
                values[input.name] = .string(FileSystem.join(folder, path))
            } else {
                values[input.name] = input.defaultValue
            }
        }
        let names = inputs.map(\.name)
        for name in given.keys.sorted() where !names.contains(name) {
            let near = nearest(name, among: names).map { "Did you mean '\($0)'?" }
            problems.error(
                at: nil, "unknown input '\(name)'",
                fix: near
                    ?? (names.isEmpty ? "'\(self.name)' takes none" : "There are \(names.joined(separator: ", "))"))
        }
        try problems.throwIfErrors()
        return values
    }
}

extension InputDeclaration {
    fileprivate func value(of text: String, currentFolder: String, _ problems: inout Problems) -> Value? {
        if text.isEmpty, type != .string {
            problems.error(
                at: nil, "input '\(name)' is empty, not \(type.valueType.phrase)", why: description,
                fix: isRequired ? "Give it as -i \(name)=\(example)" : "Leave it out if it is not given")
            return nil
        }
        do {
            let value = try type.valueType.fit(type == .list ? try elements(of: text) : .string(text))
            if type == .file, let path = value.string { return .string(FileSystem.join(currentFolder, path)) }
            return value
        } catch let error as TypeMismatch {
            problems.error(at: nil, "input '\(name)' \(error.problem)", why: description, fix: suggestion(for: text))
        } catch {
            problems.error(
                at: nil, "input '\(name)' begins with '[' and is not JSON", why: String(describing: error),
                fix: "Give it as -i '\(name)=[\"one\", \"two\"]', or as -i \(name)=one,two")
        }
        return nil
    }

    private func elements(of text: String) throws(JSONError) -> Value {
        let first = text.utf8.first { $0 != UInt8(ascii: " ") }
        if first == UInt8(ascii: "[") { return try Value(json: text) }
        return .array(
            text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                var part = part
                while part.first == " " { part.removeFirst() }
                while part.last == " " { part.removeLast() }
                return .string(String(part))
            })
    }

    private func suggestion(for text: String) -> String? {
        if case .choice(let options) = type, let near = nearest(text, among: options) {
            return "Did you mean '\(near)'?"
        }
        return "Give it as -i \(name)=\(example)"
    }

    /// A value of the type, for showing how to write one.
    fileprivate var example: String {
        switch type {
        case .string: "text"
        case .integer: "12"
        case .number: "1.5"
        case .boolean: "true"
        case .file: "photo.jpg"
        case .list: "one,two"
        case .choice(let options): options.first ?? ""
        }
    }
}
