public import StepKit
public import Workflows

/// What the scheduler must know of a step.
public struct SchedulerNode: Sendable, Hashable {
    public enum Condition: Sendable, Hashable {
        /// Runs when all it waits for has succeeded.
        case none
        /// As `none`, and the expression must hold.
        case plain
        /// The expression asks for the status itself: it is evaluated whatever became of what it waits for.
        case asksStatus
    }

    /// What is done when its turn comes.
    public enum Role: Sendable, Hashable {
        /// An attempt at its call.
        case call
        /// Nothing: it has succeeded when what it waits for has, and stands before the steps of a part.
        case begin
        /// Nothing is called: it adds up what became of the steps of a part.
        /// - Parameter members: the ids of those steps.
        case end(_ members: [String])
    }

    public let address: String
    /// The first part of the kind's name: `vk` of `vk.upload`.
    public let service: String
    public let effect: Effect
    public let doubtRule: DoubtRule
    public let account: String?
    public let retry: RetryPolicy
    public let timeout: Duration
    /// Between two looks for a write in doubt.
    public let settle: Duration
    public let condition: Condition
    public let hasOnce: Bool
    public let continuesOnError: Bool
    /// How many items are under way at once; nil for no such limit.
    public let maxParallel: Int?
    /// Whether the first failed item keeps the others from starting.
    public let failFast: Bool
    /// Whether the condition says the same for every item, and can be asked before there are any.
    public let asksBeforeItems: Bool
    public let role: Role
    /// Whether the run may succeed when it fails, because the part that it belongs to may fail.
    public let isForgiven: Bool

    public init(
        address: String, service: String = "", effect: Effect = .pure, doubtRule: DoubtRule = .ask,
        account: String? = nil,
        retry: RetryPolicy = RetryPolicy(), timeout: Duration = .seconds(60), settle: Duration = .seconds(5),
        condition: Condition = .none, hasOnce: Bool = false, continuesOnError: Bool = false,
        maxParallel: Int? = nil, failFast: Bool = false, asksBeforeItems: Bool = false,
        role: Role = .call, isForgiven: Bool = false
    ) {
        self.address = address
        self.service = service
        self.effect = effect
        self.doubtRule = doubtRule
        self.account = account
        self.retry = retry
        self.timeout = timeout
        self.settle = settle
        self.condition = condition
        self.hasOnce = hasOnce
        self.continuesOnError = continuesOnError
        self.maxParallel = maxParallel
        self.failFast = failFast
        self.asksBeforeItems = asksBeforeItems
        self.role = role
        self.isForgiven = isForgiven
    }
}
