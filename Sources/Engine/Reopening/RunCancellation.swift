public import Journal
internal import StepKit
public import Values
public import Workflows

/// What makes a run that is not over a canceled one: a value made of its journal, to be committed by its caller, who
/// holds the run's lock.
public struct RunCancellation: Sendable, Hashable {
    /// A write of which nobody knows whether it happened.
    public struct Doubt: Sendable, Hashable {
        public let address: String
        /// What it keeps, so that no other run does the same a second time.
        public let keys: [LedgerKey]
    }

    /// One `step-canceled` for each step that was not over, in the order of the file, and the run's end.
    public let entries: [JournalEntry]
    /// The keys of `once` that are free again: what they stand for has certainly not happened.
    public let releases: [LedgerKey]
    public let doubts: [Doubt]

    /// - Parameters:
    ///   - entries: the run's journal.
    ///   - workflow: the run's copy; nil when it cannot be read any more. Then every attempt without an end counts as a
    ///     write, and steps that the journal does not name are left out.
    ///   - reserved: the keys that the run has reserved. The ledger is asked for them, not the journal: a process may
    ///     have died between the two.
    public init(_ entries: [JournalEntry], workflow: Workflow?, reserved: [LedgerEntry], at instant: Timestamp) {
        let nodes = workflow?.steps.map { SchedulerNode($0, account: nil) } ?? []
        self.init(entries, nodes: nodes, graph: workflow?.graph, reserved: reserved, at: instant)
    }

    /// - Parameter graph: nil for steps that are each carried out once and wait for nothing.
    init(
        _ entries: [JournalEntry], nodes: [SchedulerNode], graph: StepGraph? = nil, reserved: [LedgerEntry],
        at instant: Timestamp
    ) {
        let (named, traces) = StepTrace.read(entries)
        var places = graph.map { RunGraph(nodes, $0) }
        places?.expand(entries)
        // A step with items is canceled with them.
        let addresses =
            places.map { places in places.indices.filter { !places.isExpanded($0) }.map(places.address) }
            ?? nodes.map(\.address)
        let effects = Dictionary(nodes.map { ($0.address, $0) }) { first, _ in first }
        let known = Set(addresses)
        let open = (addresses + named.filter { !known.contains($0) && !(traces[$0]?.hasItems ?? false) })
            .filter { !(traces[$0]?.state.isFinal ?? false) }
        let doubtful = open.filter { address in
            guard traces[address]?.isInDoubt == true else { return false }
            return effects[StepAddress(address).step].map { $0.effect == .write && $0.doubtRule != .redoInputs } ?? true
        }
        let isDoubtful = Set(doubtful)
        var ends = open.map { address in
            JournalEntry(
                .stepCanceled, address, attempt: traces[address]?.attempts ?? 0, at: instant,
                data: isDoubtful.contains(address) ? ["in-doubt": true] : .null)
        }
        ends.append(JournalEntry(.runEnded, at: instant, data: ["state": .string(RunState.canceled.rawValue)]))
        self.entries = ends
        releases = reserved.filter { !isDoubtful.contains($0.address) }.map(\.key)
        doubts = doubtful.map { address in
            Doubt(address: address, keys: reserved.filter { $0.address == address }.map(\.key))
        }
    }

    /// How many steps it cancels.
    public var stepCount: Int { entries.count - 1 }
}
