import Journal
import Testing
import Values

@Suite("Entries in every store")
struct EntryTests {
    @Test(arguments: StoreKind.allCases)
    func entriesComeBackWholeInTheOrderOfCommits(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1"))
            try await store.add(makeRun("r2"))
            let entries = JournalEntry.Kind.allCases.enumerated().map { index, kind in
                JournalEntry(
                    kind, "outer/step[\(index)]", attempt: index, at: Timestamp(milliseconds: 1_790_000_000_001),
                    data: ["outputs": ["id": .integer(Int64(index)), "text": "«\u{0}»"], "list": [1.25, nil, false]])
            }
            for entry in entries.prefix(4) { try await store.commit(JournalBatch(run: "r1", entries: [entry])) }
            try await store.commit(JournalBatch(run: "r2", entries: [JournalEntry(.runEnded, at: at(1))]))
            try await store.commit(
                JournalBatch(run: "r1", entries: Array(entries.dropFirst(4)), durability: .durable))
            #expect(try await store.entries(of: "r1") == entries)
            #expect(try await store.entries(of: "r2") == [JournalEntry(.runEnded, at: at(1))])
        }
    }

    static let values: [Value] = [
        nil, true, "", "text", "null", 0, .integer(.min), 2.5, [], .object([:]), [nil, []],
        ["é": 1, "e\u{301}": 2],
    ]

    @Test(arguments: values)
    func dataMayBeAnyValue(_ value: Value) async throws {
        for kind in StoreKind.allCases {
            try await kind.withStore { store in
                try await store.add(makeRun("r1"))
                try await store.commit(
                    JournalBatch(run: "r1", entries: [JournalEntry(.looked, "a", at: at(0), data: value)]))
                #expect(try await store.entries(of: "r1").map(\.data) == [value])
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func runWithoutEntriesHasNone(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1"))
            #expect(try await store.entries(of: "r1").isEmpty)
            #expect(try await store.entries(of: "unknown").isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func batchForMissingRunLeavesNothing(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let key = LedgerKey(scope: "daily", text: "own/1")
            let failure = await errorKind { () throws(JournalError) in
                try await store.commit(
                    JournalBatch(
                        run: "r1", entries: [JournalEntry(.stepSucceeded, "a", at: at(0))],
                        ledger: [.complete(key, outputs: [:])]))
            }
            #expect(failure == .missing)
            try await store.add(makeRun("r1"))
            #expect(try await store.entries(of: "r1").isEmpty)
            #expect(try await store.ledger(withPrefix: "", limit: 10).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func manyTasksCommitAtOnceAndEachRunKeepsItsOrder(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let runs = (0..<8).map { "r\($0)" }
            for run in runs { try await store.add(makeRun(run)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for run in runs {
                    group.addTask {
                        for attempt in 1...50 {
                            try await store.commit(
                                JournalBatch(
                                    run: run,
                                    entries: [JournalEntry(.attemptStarted, "a", attempt: attempt, at: at(0))],
                                    durability: attempt % 10 == 0 ? .durable : .grouped))
                        }
                    }
                }
                try await group.waitForAll()
            }
            for run in runs { #expect(try await store.entries(of: run).map(\.attempt) == Array(1...50)) }
        }
    }
}
