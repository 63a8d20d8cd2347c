import Journal
import Testing
import Values

@Suite("Holds of accounts in every store")
struct HoldTests {
    private func hold(_ run: String, _ address: String = "post", account: String = "a", seconds: Int64 = 1)
        -> AccountHold
    {
        AccountHold(account: account, run: run, address: address, at: at(seconds))
    }

    @Test(arguments: StoreKind.allCases)
    func firstStepHoldsTheAccountAndOthersAreTold(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            for run in ["r1", "r2"] { try await store.add(makeRun(run)) }
            #expect(try await store.hold(on: "a") == nil)
            #expect(try await store.claim(hold("r1")) == nil)
            #expect(try await store.claim(hold("r1", seconds: 5)) == nil, "it has it already")
            #expect(try await store.claim(hold("r2")) == hold("r1"))
            #expect(try await store.claim(hold("r1", "other")) == hold("r1"))
            #expect(try await store.hold(on: "a") == hold("r1"))
            #expect(try await store.claim(hold("r2", account: "b")) == nil)
            #expect(try await store.holds(by: "r2") == [hold("r2", account: "b")])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aBatchEndsAHoldOfItsOwnRunAlone(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            for run in ["r1", "r2"] { try await store.add(makeRun(run)) }
            _ = try await store.claim(hold("r1"))
            try await store.commit(JournalBatch(run: "r2", entries: [], unholds: ["post"]))
            try await store.commit(JournalBatch(run: "r1", entries: [], unholds: ["card"]))
            #expect(try await store.hold(on: "a") == hold("r1"))
            try await store.commit(JournalBatch(run: "r1", entries: [], unholds: ["post"]))
            #expect(try await store.hold(on: "a") == nil)
            #expect(try await store.claim(hold("r2")) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases, RunState.allCases)
    func onlyTheEndOfItsRunEndsAHold(_ kind: StoreKind, _ state: RunState) async throws {
        try await kind.withStore { store in
            for run in ["r1", "r2"] { try await store.add(makeRun(run)) }
            _ = try await store.claim(hold("r1"))
            try await store.commit(JournalBatch(run: "r1", entries: [], state: state))
            #expect(try await store.hold(on: "a") == (state.isFinal ? nil : hold("r1")))
            #expect(try await store.claim(hold("r2")) == (state.isFinal ? nil : hold("r1")))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aRunThatIsNotThereHoldsNothing(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.add(makeRun("r2"))
            _ = try await store.claim(hold("gone"))
            #expect(try await store.hold(on: "a") == nil)
            #expect(try await store.claim(hold("r2")) == nil)
            #expect(try await store.hold(on: "a") == hold("r2"))
        }
    }
}
