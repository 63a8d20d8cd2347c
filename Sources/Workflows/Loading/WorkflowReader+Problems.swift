internal import Diagnostics
internal import Files
internal import StepKit
internal import Values
internal import YAML

/// What a step kind says of parameters that fit their types, and what the machine says of files.
extension WorkflowReader {
    mutating func reportProblems(
        of kind: any StepKind, _ arguments: [(name: String, value: Argument)], _ body: YAMLMapping, _ draft: StepDraft,
        _ owner: String
    ) {
        let call = PlannedCall(parameters: arguments.map { PlannedMember($0.name, $0.value.written) })
        for problem in kind.problems(in: call) {
            let what =
                problem.isClause
                ? "\(owner): \(problem.problem)" : "'\(problem.pathText)' of \(owner) \(problem.problem)"
            problems.add(
                Diagnostic(
                    problem.severity == .error ? .error : .warning,
                    at: range(of: problem.path, in: body) ?? draft.range, what, why: problem.why, fix: problem.fix,
                    code: .parameterValue))
        }
    }

    /// The value at the path, or what of the path there is.
    private func range(of path: [TypeMismatch.PathElement], in body: YAMLMapping) -> SourceRange? {
        var place = body.pair("with")?.value
        var range = path.isEmpty ? nil : body.pair("with")?.key.useRange
        for element in path {
            switch element {
            case .member(let name):
                guard let pair = place?.mapping?.pair(name) else { return range }
                place = pair.value
                range = pair.value.isNull || pair.value.mapping != nil ? pair.key.useRange : pair.value.useRange
            case .index(let index):
                guard let elements = place?.sequence, elements.indices.contains(index) else { return range }
                place = elements[index]
                range = elements[index].useRange
            }
        }
        return range ?? body.pair("uses")?.value.useRange
    }

    // MARK: Comments taken for values

    /// Tells of a value that is null because a `#` begins a comment: `top: #FF9500`, `message: #coffee`.
    ///
    /// - Returns: whether it was told of as an error.
    mutating func reportComment(_ node: YAMLNode, type: ValueType, _ label: String) -> Bool {
        guard node.alias == nil, let scalar = node.scalar, scalar.text.isEmpty, node.isNull, type.isWrittenAsText,
            let line = document.source.line(node.range.start.line)
        else { return false }
        let scalars = Array(line.unicodeScalars)
        guard
            let mark = scalars.indices.dropFirst(max(0, node.range.start.column - 1)).first(where: {
                scalars[$0] != " "
            }),
            scalars[mark] == "#", mark > 0, scalars.indices.contains(mark + 1),
            !scalars[mark + 1].properties.isWhitespace, scalars[mark + 1] != "#"
        else { return false }
        var text = String(String.UnicodeScalarView(scalars[mark...]))
        while text.last == " " { text.removeLast() }
        let range = SourceRange(
            start: SourceLocation(file: document.source.file, line: node.range.start.line, column: mark + 1),
            length: text.unicodeScalars.count)
        problems.add(
            Diagnostic(
                type == .color ? .error : .warning, at: range, "\(label) is empty: '\(text)' is a comment",
                why: "In YAML a '#' after a blank begins one", fix: "Put it in quotes: \"\(text)\"",
                code: .commentForValue))
        return type == .color
    }

    // MARK: Files

    /// Notes a file that a parameter names, to be looked for when all steps are known.
    mutating func noteFile(_ path: String, _ range: SourceRange, at site: ArgumentSite) {
        guard site.kind == .parameter else { return }
        let path = FileSystem.join(file.folder, path)
        if site.namesNewFile {
            newFiles.insert(path)
        } else {
            namedFiles.append(NamedFile(path: path, range: range, label: site.label))
        }
    }

    /// A file that a step reads.
    struct NamedFile {
        let path: String
        let range: SourceRange
        let label: String
    }

    /// Warns of files that are not there, unless a step makes them.
    mutating func warnOfMissingFiles() {
        for named in namedFiles where !newFiles.contains(named.path) && !FileSystem.exists(named.path) {
            let folder = FileSystem.folder(of: named.path)
            let near = nearest(FileSystem.name(of: named.path), among: (try? FileSystem.list(folder)) ?? [])
            problems.add(
                Diagnostic(
                    .warning, at: named.range, "\(named.label) names a file that is not there",
                    why: "Relative paths begin at the workflow file's folder, so it would be '\(named.path)'",
                    fix: near.map { "Did you mean '\($0)'?" } ?? "Check the path", code: .missingFile))
        }
    }
}

extension ValueType {
    /// Whether an author may well write `#` as its first character.
    fileprivate var isWrittenAsText: Bool {
        switch self {
        case .string, .color: true
        default: false
        }
    }
}

extension Argument {
    /// What is written, with expressions as what is known only later.
    var written: PlannedValue {
        switch self {
        case .literal(let value, _): .known(value)
        case .template: .after([])
        case .list(let elements, _): .list(elements.map(\.written))
        case .object(let members, _): .object(members.map { PlannedMember($0.name, $0.value.written) })
        }
    }
}
