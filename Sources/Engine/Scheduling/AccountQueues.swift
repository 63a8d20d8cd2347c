internal import Workflows

/// Lets one write of an account go at a time, in the order of the file, and none while a person is asked about the
/// account.
struct AccountQueues: Sendable {
    private struct Queue: Sendable {
        var waiting = StepQueue()
        /// The write that has its turn.
        var admitted: Int?
        /// The paused steps that hold the account.
        var holders: Set<Int> = []
    }

    private var queues: [String: Queue] = [:]

    /// - Returns: the step whose turn it is now, if that has changed.
    mutating func enqueue(_ step: Int, _ account: String) -> Int? {
        if queues[account]?.admitted == step { return step }
        queues[account, default: Queue()].waiting.insert(step)
        return admit(account)
    }

    /// The step is through, or has given its turn up.
    mutating func leave(_ step: Int, _ account: String) -> Int? {
        guard queues[account]?.admitted == step else { return nil }
        queues[account]?.admitted = nil
        return admit(account)
    }

    /// The step is in doubt since an earlier process: nothing else of the account is written before that is settled.
    mutating func takeTurn(_ step: Int, _ account: String) {
        if queues[account]?.admitted == nil { queues[account, default: Queue()].admitted = step }
    }

    /// The step's turn came, but a person must be asked about the account first.
    mutating func postpone(_ step: Int, _ account: String) {
        guard queues[account]?.admitted == step else { return }
        queues[account]?.admitted = nil
        queues[account]?.waiting.insert(step)
    }

    func isHeld(_ account: String) -> Bool { queues[account].map { !$0.holders.isEmpty } ?? false }

    mutating func hold(_ account: String, by step: Int) { queues[account, default: Queue()].holders.insert(step) }

    /// The question about the account that this step was paused on is answered, or is being tried out: the step itself
    /// goes first, since an answer is good for a short time.
    mutating func unhold(_ account: String, by step: Int) -> Int? {
        guard let queue = queues[account], queue.holders.contains(step) else { return nil }
        queues[account]?.holders.remove(step)
        if queue.holders.count == 1, queue.admitted == nil, queues[account]?.waiting.remove(step) == true {
            queues[account]?.admitted = step
            return step
        }
        return admit(account)
    }

    private mutating func admit(_ account: String) -> Int? {
        guard queues[account]?.admitted == nil, queues[account]?.holders.isEmpty == true,
            let next = queues[account]?.waiting.removeFirst()
        else { return nil }
        queues[account]?.admitted = next
        return next
    }
}
