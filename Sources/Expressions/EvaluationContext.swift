public import Values

/// How the steps that a step waits for have ended, as `success()`, `failure()` and `cancelled()` ask it.
public enum RunStatus: String, Sendable, Hashable {
    case succeeded
    case failed
    /// None has failed, but something that is waited for was skipped.
    case skipped
    case canceled
}

/// What expressions are evaluated with.
public struct EvaluationContext: Sendable {
    /// How things have gone so far.
    public var status: RunStatus
    /// The functions that may be called.
    public var functions: FunctionLibrary
    /// The bytes that values made on the way may take, counted as two for each UTF-16 unit of a text and 24 for each
    /// value; GitHub's number is 1 MiB.
    public var memoryLimit: Int
    /// The value of a context, by its name in lower case; nil when there is none of that name.
    let root: @Sendable (String) -> Value?

    /// - Parameter roots: the contexts by name: `steps`, `inputs`, `secrets` …
    public init(
        _ roots: [String: Value] = [:], status: RunStatus = .succeeded, functions: FunctionLibrary = .standard,
        memoryLimit: Int = 1 << 20
    ) {
        var lowercased: [String: Value] = [:]
        for (name, value) in roots { lowercased[CaseFolding.asciiLowercased(name)] = value }
        self.init(status: status, functions: functions, memoryLimit: memoryLimit) { [lowercased] in lowercased[$0] }
    }

    /// - Parameter root: the value of a context by its name in lower case; nil when there is none of that name.
    public init(
        status: RunStatus = .succeeded, functions: FunctionLibrary = .standard, memoryLimit: Int = 1 << 20,
        root: @escaping @Sendable (String) -> Value?
    ) {
        self.status = status
        self.functions = functions
        self.memoryLimit = memoryLimit
        self.root = root
    }
}
