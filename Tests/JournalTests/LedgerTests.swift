import Journal
import Testing
import Values

@Suite("The ledger in every store")
struct LedgerTests {
    let key = LedgerKey(scope: "daily", text: "own/17")

    @Test(arguments: StoreKind.allCases)
    func firstStepGetsTheKeyAndKeepsIt(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            #expect(try await store.reserve(key, run: "r1", address: "post", at: at(1)) == nil)
            #expect(try await store.reserve(key, run: "r1", address: "post", at: at(2)) == nil)
            let held = LedgerEntry(key: key, run: "r1", address: "post", state: .reserved, at: at(1))
            #expect(try await store.reserve(key, run: "r2", address: "post", at: at(3)) == held)
            #expect(try await store.reserve(key, run: "r1", address: "post[1]", at: at(4)) == held)
            #expect(try await store.ledger(withPrefix: "", limit: 10) == [held])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func scopesAreApart(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for scope in ["daily", "weekly", ""] {
                let key = LedgerKey(scope: scope, text: "own/17")
                #expect(try await store.reserve(key, run: "r1", address: scope, at: at(1)) == nil)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func completedKeyTellsItsOutputsToAll(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1"))
            _ = try await store.reserve(key, run: "r1", address: "post", at: at(1))
            let outputs: ValueObject = ["post_id": 42, "url": "https://vk.com/wall-12_42"]
            try await store.commit(
                JournalBatch(
                    run: "r1", entries: [JournalEntry(.stepSucceeded, "post", attempt: 1, at: at(5))],
                    ledger: [.complete(key, outputs: outputs)], durability: .durable))
            let done = LedgerEntry(key: key, run: "r1", address: "post", state: .done(outputs), at: at(5))
            #expect(try await store.reserve(key, run: "r2", address: "post", at: at(9)) == done)
            #expect(try await store.reserve(key, run: "r1", address: "post", at: at(9)) == done)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func completionWithoutReservationNamesTheStepOfTheBatch(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1"))
            try await store.commit(
                JournalBatch(
                    run: "r1", entries: [JournalEntry(.stepSucceeded, "post", at: at(5))],
                    ledger: [.complete(key, outputs: [:])]))
            let done = LedgerEntry(key: key, run: "r1", address: "post", state: .done([:]), at: at(5))
            #expect(try await store.ledger(withPrefix: "", limit: 10) == [done])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func completionByAnotherRunNamesThatRunAndItsStep(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r2"))
            _ = try await store.reserve(key, run: "r1", address: "old", at: at(1))
            try await store.commit(
                JournalBatch(
                    run: "r2", entries: [JournalEntry(.stepSucceeded, "new", at: at(5))],
                    ledger: [.complete(key, outputs: ["id": 7])]))
            let done = LedgerEntry(key: key, run: "r2", address: "new", state: .done(["id": 7]), at: at(5))
            #expect(try await store.ledger(withPrefix: "", limit: 10) == [done])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func onlyTheHolderReleasesAndOnlyAReservation(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r1"))
            try await store.add(makeRun("r2"))
            _ = try await store.reserve(key, run: "r1", address: "post", at: at(1))
            func release(_ run: String) async throws {
                try await store.commit(JournalBatch(run: run, entries: [], ledger: [.release(key)]))
            }
            try await release("r2")
            #expect(try await store.ledger(withPrefix: "", limit: 10).count == 1)
            try await store.commit(
                JournalBatch(run: "r1", entries: [], ledger: [.release(key, heldBy: "other")]))
            #expect(try await store.ledger(withPrefix: "", limit: 10).count == 1, "another step has it")
            try await release("r1")
            #expect(try await store.ledger(withPrefix: "", limit: 10).isEmpty)
            try await release("r1")

            #expect(try await store.reserve(key, run: "r2", address: "post", at: at(2)) == nil)
            try await store.commit(
                JournalBatch(run: "r2", entries: [], ledger: [.complete(key, outputs: [:])]))
            try await release("r2")
            #expect(try await store.ledger(withPrefix: "", limit: 10).map(\.state) == [.done([:])])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func listIsSortedByBytesAndLimited(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            // In UTF-8: "B" 42, "a" 61, "z" 7A, "é" C3 A9, "Ж" D0 96, "😀" F0 9F 98 80, "\u{FF01}" EF BC 81.
            let texts = ["a", "B", "😀", "é", "\u{FF01}", "z", "Ж"]
            for text in texts {
                _ = try await store.reserve(LedgerKey(scope: "s", text: text), run: "r", address: "a", at: at(0))
            }
            _ = try await store.reserve(LedgerKey(scope: "", text: "zz"), run: "r", address: "a", at: at(0))
            let all = ["zz", "B", "a", "z", "é", "Ж", "\u{FF01}", "😀"]
            #expect(try await store.ledger(withPrefix: "", limit: 100).map(\.key.text) == all)
            #expect(try await store.ledger(withPrefix: "", limit: 2).map(\.key.text) == ["zz", "B"])
            #expect(try await store.ledger(withPrefix: "z", limit: 100).map(\.key.text) == ["zz", "z"])
            #expect(try await store.ledger(withPrefix: "", limit: -1).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func keysAndPrefixesAreComparedByteForByte(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            let texts = ["e\u{301}", "\u{E9}", "a\u{0}b", "a", "100%_*", ""]
            for text in texts {
                #expect(
                    try await store.reserve(LedgerKey(scope: "s", text: text), run: "r", address: text, at: at(0))
                        == nil)
            }
            func found(_ prefix: String) async throws -> [[UInt8]] {
                try await store.ledger(withPrefix: prefix, limit: 100).map { Array($0.key.text.utf8) }
            }
            #expect(try await found("e") == [[0x65, 0xCC, 0x81]])
            #expect(try await found("\u{E9}") == [[0xC3, 0xA9]])
            #expect(try await found("a") == [[0x61], [0x61, 0x00, 0x62]])
            #expect(try await found("a\u{0}") == [[0x61, 0x00, 0x62]])
            #expect(try await found("%").isEmpty)
            #expect(try await found("100%_").count == 1)
            #expect(try await found("").count == texts.count)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func forgottenKeyIsFreeInAllScopes(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            for (scope, text) in [("weekly", "x"), ("", "x"), ("daily", "x"), ("daily", "xy")] {
                _ = try await store.reserve(
                    LedgerKey(scope: scope, text: text), run: "r1", address: "post", at: at(1))
            }
            #expect(try await store.forget("x").map(\.key.scope) == ["", "daily", "weekly"])
            #expect(try await store.forget("x").isEmpty)
            #expect(try await store.ledger(withPrefix: "", limit: 10).map(\.key.text) == ["xy"])
            let key = LedgerKey(scope: "daily", text: "x")
            #expect(try await store.reserve(key, run: "r2", address: "post", at: at(2)) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func eachKeyGoesToOneOfManyTasks(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            let won = try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<10 {
                    group.addTask {
                        var won = 0
                        for number in 0..<20 {
                            let key = LedgerKey(scope: "s", text: "\(number)")
                            let held = try await store.reserve(key, run: "r\(task)", address: "post", at: at(0))
                            if held == nil { won += 1 }
                        }
                        return won
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(won == 20)
            #expect(try await store.ledger(withPrefix: "", limit: 100).count == 20)
        }
    }
}
