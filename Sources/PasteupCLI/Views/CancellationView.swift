internal import Engine
internal import Journal
internal import Values

/// What `cancel` did.
struct CancellationView {
    private let cancellation: RunCancellation
    private let record: RunRecord
    private let state: StateFolder

    init(_ cancellation: RunCancellation, _ record: RunRecord, _ state: StateFolder) {
        self.cancellation = cancellation
        self.record = record
        self.state = state
    }

    var text: String {
        let steps = unfinished
        var line = "run \(record.id) is canceled"
        if !steps.isEmpty {
            line += "; \(steps.count == 1 ? "1 step was" : "\(steps.count) steps were") not finished: \(names(steps))"
        }
        let keys = cancellation.releases.map { "'\(shown($0.text))'" }
        return line + ".\n" + (keys.isEmpty ? "" : "Free again for another run: \(names(keys)).\n")
    }

    private var unfinished: [String] { cancellation.entries.map(\.address).filter { !$0.isEmpty } }

    /// The names are promises.
    var json: String {
        let object: ValueObject = [
            "run": .string(record.id), "state": .string(RunState.canceled.rawValue),
            "unfinished": .array(unfinished.map(Value.string)),
            "freed": .array(cancellation.releases.map { .object($0.members) }),
            "in-doubt": .array(
                cancellation.doubts.map { doubt in
                    ["step": .string(doubt.address), "keys": .array(doubt.keys.map { .object($0.members) })]
                }),
        ]
        return Value.object(object).json() + "\n"
    }

    /// One warning for each write of which nobody knows whether it happened.
    var doubts: [String] {
        cancellation.doubts.map { doubt in
            let start = "step '\(doubt.address)' may have happened: its answer never came."
            guard !doubt.keys.isEmpty else { return start + " Look at the service before you run the workflow again." }
            let commands = doubt.keys.map { LedgerText.forget($0, state) }.joined(separator: "; ")
            return
                "\(start) Its key \(names(doubt.keys.map { "'\(shown($0.text))'" })) stays reserved, so that no run does it "
                + "twice. If it did not happen, free the key with: \(commands)"
        }
    }
}

/// The first five names, and how many more there are.
func names(_ all: [String]) -> String {
    let shown = all.prefix(5).joined(separator: ", ")
    return all.count > 5 ? "\(shown) and \(all.count - 5) more" : shown
}
