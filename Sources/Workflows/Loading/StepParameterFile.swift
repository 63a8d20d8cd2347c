public import Diagnostics
public import StepKit
public import Values
internal import YAML

/// A file that holds the parameters of one step, as they stand under its `with`: values, no expressions.
public struct StepParameterFile: Sendable {
    /// Fitted to the parameters' types; those with a default that the file leaves out are absent.
    public let values: ValueObject
    public let source: SourceText
    private let document: YAMLDocument

    /// Reads and checks a file.
    ///
    /// - Parameters:
    ///   - file: its name as the user gave it.
    ///   - kind: whose parameters they are.
    ///   - subject: what they make, for messages: "the card".
    /// - Throws: every error of the file.
    public init(
        bytes: [UInt8], file: String, kind: StepDeclaration, subject: String
    ) throws(DiagnosticsError) {
        document = try YAMLDocument.load(bytes: bytes, file: file)
        source = document.source
        let (root, isWorkflow) = (document.root, document.root["steps"] != nil)
        guard root.mapping != nil, !isWorkflow else {
            throw DiagnosticsError([
                Diagnostic(
                    at: root["steps"]?.useRange ?? root.useRange,
                    isWorkflow ? "the file is a workflow" : "the file is \(root.typeName), not a mapping",
                    why: "It holds what stands under 'with' of a step \(kind.name)",
                    fix: "Begin with '\(kind.parameters.first?.name ?? "")'")
            ])
        }
        var reader = WorkflowReader(
            document: document, file: WorkflowFile(name: file, folder: "/", bytes: bytes),
            catalog: StepCatalog(kinds: [], accountTypes: []), files: WorkflowFile.fromDisk)
        reader.refuseExpressions(in: root)
        var argument: Argument?
        if !reader.problems.hasErrors {
            argument = reader.argument(root, type: .object(kind.parameters), at: ArgumentSite(.parameter, subject))
        }
        try reader.problems.throwIfErrors()
        values = argument?.literal?.object ?? ValueObject()
    }

    /// Where the value of a path stands, such as "texts[0].font", or the nearest that is written around it.
    public func place(of path: String) -> SourceRange {
        var node = document.root
        for part in path.split(whereSeparator: { $0 == "." || $0 == "[" || $0 == "]" }) {
            let next =
                Int(part).map { index in
                    node.sequence.flatMap { index < $0.count ? $0[index] : nil }
                } ?? node[String(part)]
            guard let next else { break }
            node = next
        }
        return node.useRange
    }

    /// Where a text stands for the first time as a value; nil where it does not.
    public func place(ofText matches: (String) -> Bool) -> SourceRange? {
        func find(_ node: YAMLNode) -> SourceRange? {
            switch node.content {
            case .scalar(let scalar): matches(scalar.text) ? node.useRange : nil
            case .sequence(let elements): elements.compactMap(find).first
            case .mapping(let mapping): mapping.pairs.compactMap { find($0.value) }.first
            }
        }
        return find(document.root)
    }
}

extension WorkflowReader {
    fileprivate mutating func refuseExpressions(in node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar):
            guard scalar.text.contains("${{") else { return }
            problems.error(
                at: node.useRange, "expressions have no values here", why: "There is no run that could give them",
                fix: "Write an example in its place")
        case .sequence(let elements): for element in elements { refuseExpressions(in: element) }
        case .mapping(let mapping): for pair in mapping.pairs { refuseExpressions(in: pair.value) }
        }
    }
}
