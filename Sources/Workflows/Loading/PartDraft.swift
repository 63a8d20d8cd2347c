internal import Diagnostics
internal import StepKit
internal import Values

/// A part as it was read: a workflow file that a step uses.
struct PartDraft {
    /// As it is shown.
    let file: String
    let folder: String
    let inputs: [InputDeclaration]
    let outputs: [WorkflowOutput]
    let steps: [StepDraft]
    /// By id in lower case: the position in `steps`.
    let positions: [String: Int]
    /// Those that it declares, and those of the file that uses it.
    let accounts: [AccountDraft]
    /// Where the step names it.
    let use: SourceRange
}

/// How many steps may still come from parts: a few small files that use one another ten times each would be millions.
final class PartBudget {
    /// How many steps all parts of a workflow may have together.
    static let maxSteps = 10_000

    private var left = PartBudget.maxSteps
    private(set) var isExhausted = false

    /// Takes the steps of a part; false when there are too many.
    func take(_ steps: Int) -> Bool {
        left -= steps
        if left < 0 { isExhausted = true }
        return !isExhausted
    }
}

/// Where a part is used.
struct PartOrigin {
    /// The real paths of the files that are being read, outermost first.
    let chain: [String]
    /// The accounts that its steps may use without declaring them.
    let accounts: [AccountDraft]
    let timeout: Duration
    let retry: RetryPolicy
}

/// What stands for a part among the kinds of steps: its inputs are the parameters, its outputs the outputs.
struct PartKind: StepKind {
    static let name = "workflow"

    let declaration: StepDeclaration

    /// - Parameters:
    ///   - inputs: nil when nobody knows which there are, and so for `outputs`.
    init(
        file: String, description: String?, inputs: [InputDeclaration]?, outputs: [(name: String, type: ValueType)]?
    ) {
        declaration = StepDeclaration(
            file, description ?? "The steps of \(file).", effect: .pure,
            parameters: (inputs ?? []).map {
                Parameter(
                    $0.name, $0.type.valueType, required: $0.isRequired,
                    default: $0.defaultValue.isNull ? Value?.none : $0.defaultValue, $0.description ?? "")
            },
            outputs: (outputs ?? []).map { Output($0.name, $0.type, "") }, hasOpenParameters: inputs == nil,
            hasOpenOutputs: outputs == nil)
    }

    func run(_ call: StepCall) async throws -> StepResult { .succeeded([:]) }
}
