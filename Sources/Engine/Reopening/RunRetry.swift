public import Journal
internal import StepKit
public import Values
public import Workflows

/// What makes a failed run go on: a value made of its journal, to be committed by its caller, who holds the run's lock.
///
/// The steps that failed run again, and those that were skipped because of them. What has succeeded keeps its outputs, a
/// condition that was false stays so unless it stands after a step that runs again, and a `once` that was posted stays
/// posted. A failure that `continue-on-error` has accepted stays when a later step has succeeded without it.
public struct RunRetry: Sendable, Hashable {
    /// A write that failed while nobody knew whether it had happened: it is looked for before it is sent again.
    public struct Doubt: Sendable, Hashable {
        public let address: String
        /// The key that it gave back when it failed: it must have it again before it is looked for, because what is
        /// found is noted under it.
        public let key: LedgerKey?
        let question: PauseRequest
    }

    /// The steps that run again, in the order of the file.
    public let steps: [String]
    public let doubts: [Doubt]
    private let attempts: [String: Int]

    /// - Parameters:
    ///   - entries: the run's journal.
    ///   - workflow: the run's copy.
    public init(_ entries: [JournalEntry], workflow: Workflow) {
        self.init(entries, nodes: workflow.steps.map { SchedulerNode($0, account: nil) }, graph: workflow.graph)
    }

    init(_ entries: [JournalEntry], nodes: [SchedulerNode], graph: StepGraph) {
        let traces = StepTrace.read(entries).traces
        var places = RunGraph(nodes, graph)
        places.expand(entries)
        let byIndex = places.indices.map { traces[places.address(of: $0)] ?? StepTrace() }
        let again = RunRetry.again(byIndex, places)
        steps = again.map(places.address)
        attempts = traces.mapValues(\.attempts)
        doubts = again.compactMap { step in
            let (node, trace) = (places[step], byIndex[step])
            guard trace.state == .failed, let error = trace.error, error.errorClass == .inDoubt,
                node.effect == .write, node.doubtRule != .redoInputs
            else { return nil }
            return Doubt(
                address: places.address(of: step), key: node.hasOnce ? trace.key : nil,
                question: PauseRequest(.inDoubt, message: error.sentence, answer: .doubt))
        }
    }

    /// What is added to the journal.
    ///
    /// - Parameter held: the doubts whose key was reserved again. One whose key another run has by now is not looked
    ///   for: its step runs again from the start, and is skipped with the name of that run.
    public func entries(at instant: Timestamp, holding held: Set<String>) -> [JournalEntry] {
        let looked = Dictionary(uniqueKeysWithValues: doubts(holding: held).map { ($0.address, $0) })
        return steps.flatMap { address -> [JournalEntry] in
            func entry(_ kind: JournalEntry.Kind, _ data: Value = .null) -> JournalEntry {
                JournalEntry(kind, address, attempt: attempts[address] ?? 0, at: instant, data: data)
            }
            var added = [entry(.stepReset)]
            guard let doubt = looked[address] else { return added }
            if let key = doubt.key { added.append(entry(.onceReserved, key.journalValue)) }
            added.append(entry(.stepPaused, ["pause": doubt.question.journalValue]))
            return added
        }
    }

    /// The steps that are looked for first; a process that goes on with the run resumes them without an answer.
    public func doubts(holding held: Set<String>) -> [Doubt] {
        doubts.filter { $0.key == nil || held.contains($0.address) }
    }

    // MARK: Which steps

    /// Spreads from the failed steps: down to what was skipped for want of them, and from there up to what was skipped
    /// because nothing needed it any more. A step with items is no step to run again, but what waits for all of them is
    /// found through it.
    private static func again(_ traces: [StepTrace], _ nodes: RunGraph) -> [Int] {
        var found = Set(
            nodes.indices.filter { step in
                if traces[step].isKeptByFailure { return true }
                guard traces[step].state == .failed else { return false }
                let waiters =
                    nodes.waiters(of: step) + (nodes.isItem(step) ? nodes.waiters(of: nodes.step(of: step)) : [])
                return !nodes[step].continuesOnError || !waiters.contains { traces[$0].state == .succeeded }
            })
        var open = Array(found)
        while let step = open.popLast() {
            var next = nodes.waiters(of: step).filter { traces[$0].isSkippedForWant || nodes.isExpanded($0) }
            if nodes.isExpanded(step) {
                next += nodes.items(of: step).filter { traces[$0].isSkippedForWant || traces[$0].isSkippedAsNotNeeded }
            } else {
                next += nodes.dependencies(of: step)
                    .filter { traces[$0].isSkippedAsNotNeeded || nodes.isExpanded($0) }
                if nodes.isItem(step) { next.append(nodes.step(of: step)) }
                if nodes.isGroup(step) { next += nodes.members(of: step).filter { traces[$0].isSkippedForWant } }
            }
            for step in next where found.insert(step).inserted { open.append(step) }
        }
        return found.filter { !nodes.isExpanded($0) }.sorted()
    }
}

extension StepTrace {
    /// What it waits for did not succeed, or a condition that may have asked for that was false.
    fileprivate var isSkippedForWant: Bool {
        guard state == .skipped else { return false }
        return switch skipReason {
        case .dependency, .conditionFalse: true
        default: false
        }
    }

    fileprivate var isSkippedAsNotNeeded: Bool {
        guard state == .skipped, case .servesOnlySkipped? = skipReason else { return false }
        return true
    }

    /// Another item's failure has kept it from starting.
    fileprivate var isKeptByFailure: Bool {
        guard state == .skipped, case .failFast? = skipReason else { return false }
        return true
    }
}
