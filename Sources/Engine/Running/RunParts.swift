internal import Journal
internal import StepKit
internal import Threading
internal import Values

/// The parts that a run's steps have finished, in memory and in the journal.
final class RunParts: Sendable {
    private struct Name: Hashable {
        let address: String
        let key: String
        let part: String
    }

    private let run: String
    private let services: RunServices
    private let values = Locked<[Name: Value]>([:])

    init(run: String, services: RunServices) {
        self.run = run
        self.services = services
    }

    /// Takes in what an earlier process has kept.
    func restore(_ entry: JournalEntry) {
        guard let part = entry.data["part"]?.string, let key = entry.data["key"]?.string else { return }
        let name = Name(address: entry.address, key: key, part: part)
        values.withLock { $0[name] = entry.data["value"] ?? .null }
    }

    func parts(of address: String, attempt: Int, key: String, _ redactor: Redactor) -> any StepParts {
        Parts(all: self, address: address, attempt: attempt, key: key, redactor: redactor)
    }

    /// The parts of all other steps, and of the step under another key, as far as they are objects.
    func objects(besides address: String, key: String) -> [ValueObject] {
        values.withLock { $0.filter { $0.key.address != address || $0.key.key != key }.compactMap(\.value.object) }
    }

    private struct Parts: StepParts {
        let all: RunParts
        let address: String
        let attempt: Int
        let key: String
        let redactor: Redactor

        subscript(part: String) -> Value? {
            let name = Name(address: address, key: key, part: part)
            return all.values.withLock { $0[name] }.flatMap { $0.isNull ? nil : $0 }
        }

        /// - Throws: `JournalError`.
        func keep(_ value: Value, as part: String) async throws {
            let value = redactor.redact(value)
            let entry = JournalEntry(
                .partKept, address, attempt: attempt, at: all.services.clock.now.wall,
                data: ["part": .string(part), "key": .string(key), "value": value])
            try await all.services.journal.commit(
                JournalBatch(run: all.run, entries: [entry], durability: .durable))
            all.restore(entry)
            all.services.observe(.entry(entry))
        }
    }
}
