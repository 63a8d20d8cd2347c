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
    /// Whether it uses a file, readable or not.
    let usesFile: Bool
    /// The file that it uses; nil for a step of a kind, and where something is wrong with the file.
    var part: PartDraft?
    /// The step whose list it goes over: itself, or the one that its `of` leads to; nil without one.
    var root: Int?
    /// Nil also when something is wrong with it.
    var forEach: ForEach?
    /// What `item` is, where it is a root.
    var itemShape = ValueShape.any
    /// What the list mentions, or the step that `of` names.
    var listMentions: [Mention] = []
    /// What `with` mentions.
    var sourceMentions: [Mention] = []
    var onceMentions: [Mention] = []
    /// What `if` mentions.
    var conditionMentions: [Mention] = []
    /// What `needs` names.
    var otherMentions: [Mention] = []
    /// Nil when something is wrong.
    var step: Step?

    var mentions: [Mention] { sourceMentions + onceMentions + conditionMentions + otherMentions + listMentions }
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
    /// What it is for one with `for-each`, seen from outside of its batch.
    let listShape: ValueShape

    init(_ kind: any StepKind) {
        self.kind = kind
        declaration = kind.declaration
        parameters = Dictionary(declaration.parameters.map { ($0.name, $0) }) { first, _ in first }
        let outputs = Dictionary(declaration.outputs.map { ($0.name, $0.type.shape) }) { first, _ in first }
        let one = ValueShape.object(members: outputs, open: declaration.hasOpenOutputs)
        shape = KindInfo.shape(one)
        listShape = KindInfo.shape(.list(of: one))
    }

    private static func shape(_ outputs: ValueShape) -> ValueShape {
        .object(members: ["outcome": .oneOf(WorkflowReader.outcomes), "outputs": outputs], open: false)
    }
}
