internal import Threading

/// Those who wait until something has been called.
final class CallWatch: Sendable {
    private struct Waiter: Sendable {
        let name: String
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private let waiters = Locked<[Waiter]>([])

    /// Waits until the list of calls has as many of that name.
    func wait(for name: String, count: Int, in store: SandboxStore) async {
        await withCheckedContinuation { continuation in
            waiters.withLock { $0.append(Waiter(name: name, count: count, continuation: continuation)) }
            look(at: store)
        }
    }

    /// Lets those go whose calls have come.
    func look(at store: SandboxStore) {
        let ready = waiters.withLock { waiters in
            guard !waiters.isEmpty, let calls = try? store.use({ $0.calls.map(\.name) }) else { return [Waiter]() }
            let isReady = { (waiter: Waiter) in calls.count { $0 == waiter.name } >= waiter.count }
            defer { waiters.removeAll(where: isReady) }
            return waiters.filter(isReady)
        }
        for waiter in ready { waiter.continuation.resume() }
    }
}
