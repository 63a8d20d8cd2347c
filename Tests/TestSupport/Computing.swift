import Threading

/// One body at a time, each on a thread of its own: for tests that compute for long. On the shared pool, which has one
/// thread for each core, they would hold up the servers of other tests.
public func computeAlone(_ body: @Sendable () async throws -> Void) async throws {
    await Turns.shared.begin()
    let result: Result<Void, any Error>
    do { result = .success(try await SerialTasks.run(isolation: nil) { try await body() }) } catch {
        result = .failure(error)
    }
    await Turns.shared.end()
    try result.get()
}

private actor Turns {
    static let shared = Turns()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().resume()
    }
}
