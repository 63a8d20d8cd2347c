internal import Hashing
internal import Journal
public import StepKit
internal import Values
internal import Workflows

/// Holds of accounts, over all runs of the journal: at most one open question about an account at a time.
extension Runner {
    /// The event, or what it becomes when another run is being asked about the account already.
    func claimed(_ event: SchedulerEvent) async throws(JournalError) -> SchedulerEvent {
        guard case .failed(let index, let error) = event, let pause = error.pause, pause.kind.holdsAccount,
            error.errorClass.isAboutAccount, let account = account(of: index)
        else { return event }
        guard let other = try await claim(account, index), other.run != record.id else { return event }
        return .failedOnHold(index, error, other)
    }

    /// Steps that ran side by side may all have met a question; when one is settled, the next holds the account.
    func holdFurther() async throws(JournalError) {
        for index in holding.sorted() {
            if let account = account(of: index) { _ = try await claim(account, index) }
        }
    }

    private func claim(_ account: Account, _ index: Int) async throws(JournalError) -> AccountHold? {
        try await services.journal.claim(
            AccountHold(
                account: account.identity, run: record.id, address: scheduler.address(of: index),
                at: services.clock.now.wall))
    }

    func checkAccount(_ index: Int) async throws(JournalError) -> SchedulerEvent {
        guard let account = account(of: index),
            let hold = try await services.journal.hold(on: account.identity), hold.run != record.id
        else { return .accountFree(index) }
        return .accountHeld(index, hold)
    }

    /// The steps that hold an account since an earlier process.
    func holdingSteps() async throws(JournalError) -> Set<Int> {
        Set(try await services.journal.holds(by: record.id).compactMap { scheduler.nodes.node(at: $0.address) })
    }

    /// The steps whose question about their account is settled by what is about to be journalled.
    ///
    /// Not yet when the call is sent again with an answer, nor when it waits because too many answers were refused: the
    /// other writes of the account would meet the same.
    mutating func freed(by entries: [JournalEntry]) -> [String] {
        var freed: [String] = []
        for entry in entries {
            guard let index = scheduler.nodes.node(at: entry.address) else { continue }
            switch entry.kind {
            case .stepSucceeded, .stepFailed, .stepSkipped, .stepCanceled, .stepReset: break
            case .stepWaiting where lastErrors[index]?.errorClass != .captcha: break
            case .stepPaused:
                let kind = entry.data["pause"]?["kind"]?.string.flatMap(PauseKind.init)
                guard kind?.holdsAccount == true else { break }
                holding.insert(index)
                continue
            default: continue
            }
            if holding.remove(index) != nil { freed.append(entry.address) }
        }
        return freed
    }

    private func account(of index: Int) -> Account? {
        step(index).account.flatMap { services.accounts[$0] }
    }
}

extension ErrorClass {
    fileprivate var isAboutAccount: Bool { self == .captcha || self == .validation || self == .auth }
}

extension Account {
    /// The account as all processes know it, whatever a workflow calls it: a hash that does not give its token away.
    public var identity: String { String(SHA256.hex("pasteup\n" + (session ?? token).reveal()).prefix(32)) }
}
