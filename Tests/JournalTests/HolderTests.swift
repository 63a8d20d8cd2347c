import Journal
import Testing
import Values

/// Keys by the run that has them, and keys forgotten one by one.
@Suite struct HolderTests {
    private let daily = LedgerKey(scope: "daily", text: "own/1")
    private let global = LedgerKey(scope: "", text: "own/1")

    @Test(arguments: StoreKind.allCases)
    func tellsWhatARunHasReservedAndNotDone(kind: StoreKind) async throws {
        try await kind.withStore { store in
            for id in ["a", "b"] { try await store.add(makeRun(id)) }
            for (text, run) in [("2", "a"), ("1", "a"), ("3", "b"), ("4", "a")] {
                #expect(
                    try await store.reserve(LedgerKey(scope: "daily", text: text), run: run, address: "post", at: at(0))
                        == nil)
            }
            try await store.commit(
                JournalBatch(
                    run: "a", entries: [JournalEntry(.stepSucceeded, "post", at: at(1))],
                    ledger: [.complete(LedgerKey(scope: "daily", text: "4"), outputs: [:])]))
            #expect(try await store.reserved(by: "a").map(\.key.text) == ["1", "2"])
            #expect(try await store.reserved(by: "b").map(\.key.text) == ["3"])
            #expect(try await store.reserved(by: "c").isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func forgetsTheKeyOfOneScope(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("a"))
            for key in [daily, global] { _ = try await store.reserve(key, run: "a", address: "post", at: at(0)) }
            #expect(try await store.forget(daily)?.key == daily)
            #expect(try await store.ledger(withPrefix: "", limit: 9).map(\.key) == [global])
            #expect(try await store.forget(daily) == nil)
        }
    }
}
