public import Diagnostics
public import StepKit
public import Values

/// A workflow file, read and checked: every name in it is known, every type that can be known fits.
public struct Workflow: Sendable {
    public let name: String
    public let description: String?
    /// The file as the user named it, for messages.
    public let file: String
    /// The folder from which relative paths in the file are taken, absolute.
    public let folder: String
    public let inputs: [InputDeclaration]
    public let accounts: [AccountDeclaration]
    /// Steps that run at once, from 1.
    public let concurrency: Int
    /// In the order of the file.
    public let steps: [Step]
    public let outputs: [WorkflowOutput]
    public let graph: StepGraph
    /// When `pasteup schedule` has it run: five fields of cron, or a word such as `@daily`. The file never runs by itself.
    public let schedule: String?
    /// What a new run does while one with the same lock key is going on.
    public let overlap: Overlap
    /// The text that the lock key is made of; nil for the file and all inputs.
    public let overlapKey: Argument?
    /// The zone in which people are shown instants, by its name in the system's database; nil for the machine's.
    public let timezone: String?
    /// A run that was interrupted longer ago than this is not recovered without a person's word.
    public let recoverWithin: Duration
    /// What is told how a process has left a run.
    public let hooks: [Hook]
    /// The steps' places in `steps` by id.
    private let places: [String: Int]

    public init(
        name: String, description: String?, file: String, folder: String, inputs: [InputDeclaration],
        accounts: [AccountDeclaration], concurrency: Int, steps: [Step], outputs: [WorkflowOutput], graph: StepGraph,
        schedule: String? = nil, overlap: Overlap = .skip, overlapKey: Argument? = nil, timezone: String? = nil,
        recoverWithin: Duration = .seconds(24 * 3600), hooks: [Hook] = []
    ) {
        self.name = name
        self.description = description
        self.file = file
        self.folder = folder
        self.inputs = inputs
        self.accounts = accounts
        self.concurrency = concurrency
        self.steps = steps
        places = Dictionary(steps.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.outputs = outputs
        self.graph = graph
        self.schedule = schedule
        self.overlap = overlap
        self.overlapKey = overlapKey
        self.timezone = timezone
        self.recoverWithin = recoverWithin
        self.hooks = hooks
    }

    public enum Overlap: String, Sendable, Hashable, CaseIterable {
        /// Ends at once, with success.
        case skip = "skip"
        case wait = "wait"
        /// Ends at once, with exit code 5.
        case fail = "fail"
    }

    public func account(_ name: String) -> AccountDeclaration? { accounts.first { $0.name == name } }

    /// The place in `steps` of the step with this id.
    public func place(of id: String) -> Int? { places[id] }

    /// The step with this id.
    public func step(_ id: String) -> Step? { places[id].map { steps[$0] } }
}

/// An account as the file declares it; its secrets are read when a run starts.
public struct AccountDeclaration: Sendable {
    public let name: String
    public let type: AccountType
    /// Almost always `${{ secrets.NAME }}`; nil: the account of `pasteup login`.
    public let token: Argument?
    /// Nil: the type's public endpoint.
    public let baseURL: Argument?
    /// Fitted to the type's settings, defaults filled in.
    public let settings: ValueObject
    public let range: SourceRange

    public init(
        name: String, type: AccountType, token: Argument?, baseURL: Argument?, settings: ValueObject, range: SourceRange
    ) {
        self.name = name
        self.type = type
        self.token = token
        self.baseURL = baseURL
        self.settings = settings
        self.range = range
    }
}

extension AccountDeclaration {
    func renamed(_ name: String) -> AccountDeclaration {
        AccountDeclaration(
            name: name, type: type, token: token, baseURL: baseURL, settings: settings, range: range)
    }
}

/// A result of the whole workflow.
public struct WorkflowOutput: Sendable {
    public let name: String
    public let value: Argument

    public init(name: String, value: Argument) {
        self.name = name
        self.value = value
    }
}
