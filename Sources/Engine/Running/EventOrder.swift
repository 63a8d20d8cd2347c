internal import Threading

/// Passes events on so that what an attempt says comes after the entry that it began.
final class EventOrder: Sendable {
    private let observe: @Sendable (RunEvent) -> Void
    /// What came while entries were being committed; nil while none are.
    private let held = Locked<[RunEvent]?>(nil)

    init(_ observe: @escaping @Sendable (RunEvent) -> Void) { self.observe = observe }

    /// Passes the event on, or keeps it until `release`.
    func report(_ event: RunEvent) {
        let isHeld = held.withLock { held in
            held?.append(event)
            return held != nil
        }
        if !isHeld { observe(event) }
    }

    func hold() { held.withLock { $0 = [] } }

    /// Passes these on, and then what was kept.
    func release(after events: [RunEvent]) {
        var next = events
        repeat {
            for event in next { observe(event) }
            next = held.withLock { held in
                defer { held = held?.isEmpty == false ? [] : nil }
                return held ?? []
            }
        } while !next.isEmpty
    }
}
