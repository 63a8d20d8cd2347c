public import Values

/// A journal that lives as long as its process: for tests and rehearsals.
public actor MemoryJournalStore: JournalStore {
    private var records: [String: RunRecord] = [:]
    private var entries: [String: [JournalEntry]] = [:]
    private var ledger: [LedgerKey: LedgerEntry] = [:]
    private var holds: [String: AccountHold] = [:]

    public init() {}

    public func add(_ run: RunRecord) throws(JournalError) {
        guard records[run.id] == nil else { throw JournalError(.exists, "run '\(run.id)' exists already") }
        records[run.id] = run
    }

    public func commit(_ batch: JournalBatch) throws(JournalError) {
        guard var record = records[batch.run] else { throw JournalError(.missing, "there is no run '\(batch.run)'") }
        entries[batch.run, default: []] += batch.entries
        if let state = batch.state {
            record.state = state
            record.wakesAt = batch.wakesAt
            record.changedAt = batch.entries.last?.at ?? record.changedAt
            records[batch.run] = record
        }
        let isOver = batch.state?.isFinal ?? false
        holds = holds.filter { $1.run != batch.run || !(isOver || batch.unholds.contains($1.address)) }
        for change in batch.ledger {
            switch change {
            case .complete(let key, let outputs):
                let held = ledger[key].flatMap { $0.run == batch.run ? $0.address : nil }
                ledger[key] = LedgerEntry(
                    key: key, run: batch.run, address: held ?? batch.entries.last?.address ?? "",
                    state: .done(outputs), at: batch.entries.last?.at ?? record.changedAt)
            case .release(let key, let holder):
                if let held = ledger[key], held.run == batch.run, held.state == .reserved,
                    holder == nil || held.address == holder
                {
                    ledger[key] = nil
                }
            }
        }
    }

    public func reopen(_ run: String, at instant: Timestamp) throws(JournalError) {
        guard var record = records[run] else { throw JournalError(.missing, "there is no run '\(run)'") }
        record.state = .running
        record.changedAt = instant
        record.processes += 1
        record.wakesAt = nil
        records[run] = record
    }

    public func run(_ id: String) -> RunRecord? { records[id] }

    public func runs(withPrefix prefix: String) -> [RunRecord] {
        Array(records.values.filter { $0.id.hasPrefix(prefix) }.sorted { $0.id < $1.id }.prefix(10))
    }

    public func runs(in states: Set<RunState>?, file: String?, limit: Int) -> [RunRecord] {
        Array(
            records.values.filter { (states?.contains($0.state) ?? true) && (file == nil || $0.file == file) }
                .sorted { ($0.startedAt, $0.id) > ($1.startedAt, $1.id) }.prefix(max(0, limit)))
    }

    public func entries(of run: String) -> [JournalEntry] { entries[run] ?? [] }

    public func reserve(
        _ key: LedgerKey, run: String, address: String, at instant: Timestamp
    ) -> LedgerEntry? {
        if let held = ledger[key] {
            return held.run == run && held.address == address && held.state == .reserved ? nil : held
        }
        ledger[key] = LedgerEntry(key: key, run: run, address: address, state: .reserved, at: instant)
        return nil
    }

    public func ledger(withPrefix prefix: String, limit: Int) -> [LedgerEntry] {
        Array(
            ledger.values.filter { $0.key.text.utf8.starts(with: prefix.utf8) }.sorted { $0.key < $1.key }
                .prefix(max(0, limit)))
    }

    public func forget(_ text: String) -> [LedgerEntry] {
        let found = ledger.values.filter { $0.key.text.utf8.elementsEqual(text.utf8) }.sorted { $0.key < $1.key }
        for entry in found { ledger[entry.key] = nil }
        return found
    }

    public func forget(_ key: LedgerKey) -> LedgerEntry? { ledger.removeValue(forKey: key) }

    public func reserved(by run: String) -> [LedgerEntry] {
        ledger.values.filter { $0.run == run && $0.state == .reserved }.sorted { $0.key < $1.key }
    }

    public func claim(_ hold: AccountHold) -> AccountHold? {
        if let other = self.hold(on: hold.account) {
            return other.run == hold.run && other.address == hold.address ? nil : other
        }
        holds[hold.account] = hold
        return nil
    }

    public func hold(on account: String) -> AccountHold? {
        holds[account].flatMap { records[$0.run]?.state.isFinal ?? true ? nil : $0 }
    }

    public func holds(by run: String) -> [AccountHold] {
        holds.values.filter { $0.run == run }.sorted { ($0.address, $0.account) < ($1.address, $1.account) }
    }

    public func close() {}
}
