import Threading

/// Lets a number of bodies run at a time; the others wait in the order in which they came.
public actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Tests that compute for long, one at a time.
    fileprivate static let computing = Turns(1)
    /// Tests that start programs. Hundreds of these at once would take longer to answer than a test waits.
    fileprivate static let programs = Turns(6)

    private init(_ count: Int) { free = count }

    fileprivate func take(_ body: @Sendable () async throws -> Void) async throws {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
        defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
        try await body()
    }
}

/// Runs a body that computes for long, one at a time, on a thread of its own: on the shared pool, which has one thread for
/// each core, it would hold up the servers of other tests.
public func computeAlone(_ body: @Sendable () async throws -> Void) async throws {
    try await Turns.computing.take { try await SerialTasks.run(isolation: nil) { try await body() } }
}

/// Runs a body that starts programs, a few at a time.
public func startInTurn(_ body: @Sendable () async throws -> Void) async throws {
    try await Turns.programs.take(body)
}
