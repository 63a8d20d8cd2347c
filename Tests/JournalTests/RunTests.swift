import Journal
import Testing
import Values

@Suite("Runs in every store")
struct RunTests {
    @Test(arguments: StoreKind.allCases)
    func addedRunComesBackWhole(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let run = RunRecord(
                id: "r7k2m0ab", workflow: "Снимок дня", file: "/w/é.yaml", lockKey: String(repeating: "f0", count: 32),
                inputs: ["z": 1, "a": [nil, true, 1.5, 9_223_372_036_854_775_807], "m": ["nested": "\u{0}\u{1F600}"]],
                options: ["ignore-once": true], startedAt: Timestamp(milliseconds: 1_790_000_000_999), state: .waiting,
                changedAt: Timestamp(milliseconds: 1_790_000_001_001), processes: 3,
                wakesAt: Timestamp(milliseconds: 1_790_000_900_007))
            try await store.add(run)
            let found = try #require(try await store.run("r7k2m0ab"))
            #expect(found == run)
            #expect(found.inputs.keys == ["z", "a", "m"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func emptyTextsAndNoWakingTimeComeBack(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let run = RunRecord(id: "r1", workflow: "", file: "", lockKey: "", inputs: [:], startedAt: at(0))
            try await store.add(run)
            #expect(try await store.run("r1") == run)
            #expect(try await store.run("r1")?.wakesAt == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func takenIdIsRefusedAndTheFirstRunStays(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1"))
            let failure = await errorKind { () throws(JournalError) in
                try await store.add(makeRun("r1", state: .failed))
            }
            #expect(failure == .exists)
            #expect(try await store.run("r1") == makeRun("r1"))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func unknownRunIsNil(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            #expect(try await store.run("r1") == nil)
            #expect(try await store.run("") == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func prefixFindsAtMostTenOldestFirst(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            for id in ["ab", "b0", "aa"] { try await store.add(makeRun(id)) }
            for digit in (0...9).reversed() { try await store.add(makeRun("c\(digit)")) }
            for digit in 0...3 { try await store.add(makeRun("cz\(digit)")) }
            #expect(try await store.runs(withPrefix: "a").map(\.id) == ["aa", "ab"])
            #expect(try await store.runs(withPrefix: "b0").map(\.id) == ["b0"])
            #expect(try await store.runs(withPrefix: "b00").isEmpty)
            #expect(
                try await store.runs(withPrefix: "c").map(\.id) == [
                    "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9",
                ])
            #expect(try await store.runs(withPrefix: "").map(\.id).prefix(3) == ["aa", "ab", "b0"])
        }
    }

    @Test(arguments: ["%", "_", "*", "?", "'", "\u{10FFFF}"])
    func prefixIsTakenLiterally(_ prefix: String) async throws {
        for kind in StoreKind.allCases {
            try await kind.withStore { store in
                try await store.add(makeRun("r1"))
                #expect(try await store.runs(withPrefix: prefix).isEmpty)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func listIsNewestFirstAndFiltered(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1", file: "/a.yaml", state: .succeeded))
            try await store.add(makeRun("r4", file: "/a.yaml", state: .paused))
            try await store.add(makeRun("r2", file: "/b.yaml", state: .paused))
            try await store.add(makeRun("r3", file: "/b.yaml", state: .waiting))
            func list(_ states: Set<RunState>?, _ file: String?, _ limit: Int = 100) async throws -> [String] {
                try await store.runs(in: states, file: file, limit: limit).map(\.id)
            }
            #expect(try await list(nil, nil) == ["r4", "r3", "r2", "r1"])
            #expect(try await list(nil, nil, 2) == ["r4", "r3"])
            #expect(try await list(nil, nil, 0).isEmpty)
            #expect(try await list(nil, nil, -1).isEmpty)
            #expect(try await list(nil, nil, .max) == ["r4", "r3", "r2", "r1"])
            #expect(try await list([.paused], nil) == ["r4", "r2"])
            #expect(try await list([.paused, .waiting], nil) == ["r4", "r3", "r2"])
            #expect(try await list([.paused, .waiting], "/b.yaml") == ["r3", "r2"])
            #expect(try await list(nil, "/a.yaml") == ["r4", "r1"])
            #expect(try await list([], nil).isEmpty)
            #expect(try await list(nil, "/c.yaml").isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func everyStateIsStored(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1"))
            for state in RunState.allCases {
                try await store.commit(JournalBatch(run: "r1", entries: [], state: state))
                #expect(try await store.run("r1")?.state == state)
                #expect(try await store.runs(in: [state], file: nil, limit: 1).count == 1)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func newStateTakesTimeOfLastEntryAndWakingTime(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1"))
            try await store.commit(
                JournalBatch(
                    run: "r1",
                    entries: [JournalEntry(.stepWaiting, "a", at: at(5)), JournalEntry(.stepWaiting, "b", at: at(7))],
                    state: .waiting, wakesAt: at(60)))
            let waiting = try #require(try await store.run("r1"))
            #expect(waiting.state == .waiting)
            #expect(waiting.changedAt == at(7))
            #expect(waiting.wakesAt == at(60))

            try await store.commit(
                JournalBatch(run: "r1", entries: [JournalEntry(.stepResumed, "a", at: at(9))], wakesAt: at(99)))
            #expect(try await store.run("r1") == waiting)

            try await store.commit(JournalBatch(run: "r1", entries: [], state: .canceled))
            let canceled = try #require(try await store.run("r1"))
            #expect(canceled.state == .canceled)
            #expect(canceled.changedAt == at(7))
            #expect(canceled.wakesAt == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func reopenedRunIsRunningWithOneMoreProcess(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1", state: .waiting, wakesAt: at(60)))
            try await store.reopen("r1", at: at(61))
            try await store.reopen("r1", at: at(62))
            let run = try #require(try await store.run("r1"))
            #expect(run.state == .running)
            #expect(run.processes == 3)
            #expect(run.changedAt == at(62))
            #expect(run.wakesAt == nil)
            #expect(run.startedAt == makeRun("r1").startedAt)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func missingRunCannotBeReopened(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            let failure = await errorKind { () throws(JournalError) in try await store.reopen("r1", at: at(0)) }
            #expect(failure == .missing)
        }
    }
}
