internal import Diagnostics
internal import Expressions
internal import StepKit
internal import YAML

/// A step under `steps`, with or without errors.
struct StepDraft {
    let id: String
    /// Where its id stands.
    let range: SourceRange
    /// Nil when it is no mapping.
    let body: YAMLMapping?
    /// Nil when its kind is not known.
    let info: KindInfo?
    let hasForEach: Bool
    /// The file that it uses; nil for a step of a kind.
    var part: PartDraft?
    /// What `with` mentions.
    var sourceMentions: [Mention] = []
    var onceMentions: [Mention] = []
    /// What `if` mentions and `needs` names.
    var otherMentions: [Mention] = []
    /// Nil when something is wrong.
    var step: Step?

    var mentions: [Mention] { sourceMentions + onceMentions + otherMentions }
}

/// A step that is named by another one.
struct Mention {
    enum Place {
        case range(SourceRange)
        /// A stretch of a scalar, in Unicode scalars.
        case piece(YAMLNode, Range<Int>)
    }

    /// The position of the step that is named.
    let target: Int
    let place: Place
}

extension [Mention] {
    /// The positions named, ascending, each once.
    var targets: [Int] {
        if count < 2 { return map(\.target) }
        return Set(map(\.target)).sorted()
    }
}

/// A step kind, with what the checks ask of it again and again.
struct KindInfo {
    let kind: any StepKind
    let declaration: StepDeclaration
    let parameters: [String: Parameter]
    /// What `steps.<id>` is for a step of this kind.
    let shape: ValueShape

    init(_ kind: any StepKind) {
        self.kind = kind
        declaration = kind.declaration
        parameters = Dictionary(declaration.parameters.map { ($0.name, $0) }) { first, _ in first }
        let outputs = Dictionary(declaration.outputs.map { ($0.name, $0.type.shape) }) { first, _ in first }
        shape = .object(
            members: [
                "outcome": .oneOf(WorkflowReader.outcomes),
                "outputs": .object(members: outputs, open: declaration.hasOpenOutputs),
            ], open: false)
    }
}
