public import Diagnostics
public import Expressions
public import StepKit

/// A node of a workflow.
public struct Step: Sendable {
    /// Its key under `steps`, after those of the steps that use its file: "post", "batch/post". Unique without regard to
    /// case.
    public let id: String
    /// What people read; the id unless the file names it.
    public let title: String
    public let kind: any StepKind
    public let effect: Effect
    /// The name of the account it uses; nil when its kind needs none.
    public internal(set) var account: String?
    /// The members of `with`, in the order of the file.
    public let arguments: [(name: String, value: Argument)]
    /// The ids that `needs` names.
    public let needs: [String]
    /// `if`; nil runs the step when all it depends on has succeeded.
    public let condition: Expression?
    public let retry: RetryPolicy
    /// For one attempt.
    public let timeout: Duration
    public let once: OnceDeclaration?
    /// Nil for a step that is carried out once.
    public let forEach: ForEach?
    public let continueOnError: Bool
    /// Where its id stands.
    public let range: SourceRange
    /// What its expressions mean; nil in the workflow's own file.
    public private(set) var scope: StepScope?
    /// What is done when its turn comes.
    public private(set) var role = StepRole.call
    /// Whether the run may succeed when it fails, because the part that it belongs to may fail.
    public private(set) var isForgiven = false

    /// - Parameter effect: nil takes the kind's own.
    public init(
        id: String, title: String, kind: any StepKind, effect: Effect? = nil, account: String?,
        arguments: [(name: String, value: Argument)], needs: [String], condition: Expression?, retry: RetryPolicy,
        timeout: Duration, once: OnceDeclaration?, forEach: ForEach? = nil,
        continueOnError: Bool, range: SourceRange
    ) {
        self.id = id
        self.title = title
        self.kind = kind
        self.effect = effect ?? kind.declaration.effect
        self.account = account
        self.arguments = arguments
        self.needs = needs
        self.condition = condition
        self.retry = retry
        self.timeout = timeout
        self.once = once
        self.forEach = forEach
        self.continueOnError = continueOnError
        self.range = range
    }

    /// Whether a rehearsal with `--fetch` carries the step out.
    public var runsInPlan: Bool { effect.runsInPlan && !kind.declaration.asksPerson }
}

/// What is done when a step's turn comes.
public enum StepRole: Sendable {
    /// Its kind is asked.
    case call
    /// Nothing: it stands before the steps of a part.
    case partBegin
    /// Nothing is called: it stands for a part whose steps are all over, and holds its outputs.
    case partEnd(PartEnd)

    /// Whether people know the step by its name.
    public var isShown: Bool { if case .partBegin = self { false } else { true } }
}

/// What comes of a part.
public struct PartEnd: Sendable {
    /// Of the part's file; they are evaluated in `scope`.
    public let outputs: [WorkflowOutput]
    public let scope: StepScope
    /// The ids of the part's own steps.
    public let members: [String]
}

extension Step {
    /// The step with its place among the steps of all files.
    ///
    /// - Parameters:
    ///   - batch: what it goes over with all others of its part; nil for nothing.
    ///   - isForgiven: whether the part may fail without the run failing.
    func placed(at address: String, in scope: StepScope?, batch: ForEach?, isForgiven: Bool) -> Step {
        with(id: address, scope: scope, forEach: forEach ?? batch, role: .call, isForgiven: isForgiven)
    }

    /// What stands before the steps of the part that this one uses.
    func beginning(at address: String, in scope: StepScope?, batch: ForEach?, isForgiven: Bool) -> Step {
        with(
            id: address, scope: scope, arguments: [], forEach: forEach ?? batch, role: .partBegin,
            isForgiven: isForgiven)
    }

    /// What stands after them.
    func ending(at address: String, in scope: StepScope?, batch: ForEach?, isForgiven: Bool, _ end: PartEnd) -> Step {
        with(
            id: address, scope: scope, condition: .some(nil), forEach: batch, role: .partEnd(end),
            isForgiven: isForgiven)
    }

    /// The step without what decides whether it runs.
    public func withoutConditions() -> Step {
        with(
            id: id, scope: scope, condition: .some(nil), forEach: forEach, once: .some(nil), role: role,
            isForgiven: isForgiven)
    }

    /// - Parameters:
    ///   - arguments: nil for those of the step, and so for `condition` and `once`.
    private func with(
        id: String, scope: StepScope?, arguments: [(name: String, value: Argument)]? = nil,
        condition: Expression?? = nil, forEach: ForEach?, once: OnceDeclaration?? = nil, role: StepRole,
        isForgiven: Bool
    ) -> Step {
        let prefix = self.id == id ? "" : scope?.prefix ?? ""
        var step = Step(
            id: id, title: title == self.id ? id : title, kind: kind, effect: effect, account: account,
            arguments: arguments ?? self.arguments, needs: needs.map { prefix + $0 },
            condition: condition ?? self.condition, retry: retry, timeout: timeout, once: once ?? self.once,
            forEach: forEach, continueOnError: continueOnError, range: range)
        step.scope = scope
        step.role = role
        step.isForgiven = isForgiven
        return step
    }
}

/// `once`: what makes a write a thing that happens one time only, over all runs.
public struct OnceDeclaration: Sendable {
    public let key: Argument
    /// True for `scope: global`: the key is the text alone, not the workflow's name and the text.
    public let isGlobal: Bool
    public let range: SourceRange

    public init(key: Argument, isGlobal: Bool, range: SourceRange) {
        self.key = key
        self.isGlobal = isGlobal
        self.range = range
    }
}

/// When and how often a failed attempt is made again.
public struct RetryPolicy: Sendable, Hashable {
    public enum Jitter: String, Sendable, Hashable, CaseIterable {
        /// A uniform draw from zero to the bound.
        case full = "full"
        case none = "none"
    }

    /// Attempts in all, from 1.
    public var maxAttempts: Int
    /// The bound on the first pause.
    public var initial: Duration
    /// What each further bound is multiplied by, from 1.
    public var factor: Double
    /// The largest bound.
    public var max: Duration
    public var jitter: Jitter
    /// No attempt starts later than this after the first; nil for no such limit.
    public var maxElapsed: Duration?
    /// The error classes that are retried; nil for network, timeout, rate-limit and server.
    public var on: Set<ErrorClass>?

    public init(
        maxAttempts: Int = 5, initial: Duration = .seconds(1), factor: Double = 2, max: Duration = .seconds(120),
        jitter: Jitter = .full, maxElapsed: Duration? = nil, on: Set<ErrorClass>? = nil
    ) {
        self.maxAttempts = maxAttempts
        self.initial = initial
        self.factor = factor
        self.max = max
        self.jitter = jitter
        self.maxElapsed = maxElapsed
        self.on = on
    }
}
