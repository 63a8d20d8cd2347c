internal import Accounts
internal import Files
internal import HTTP
internal import Instagram
internal import StepKit
internal import Threading
internal import VK
internal import Values

/// Keeps the tokens of a run's accounts fresh: before each call, one that ends soon is replaced.
///
/// What came back is on disk before it is used, under a lock of the account's, so that two processes never spend the same
/// refresh token. A token that the user has set elsewhere is remembered by a fingerprint, with the time at which it was
/// first seen; the token itself is not copied.
final class TokenUpkeep: Sendable {
    private struct Keeping: Sendable {
        var token: Secret
        /// When it is looked at again.
        var next: Timestamp
    }

    private let session: Session
    private let refreshers: [String: any TokenRefresher]
    /// The tokens as the user has set them, by account.
    private let origins: [String: Secret]
    private let kept = Locked<[String: Keeping]>([:])
    /// New tokens that could not be kept yet, by account: what is on disk is spent.
    private let unsaved = Locked<[String: TokenRecord]>([:])
    /// Where each account's token is kept, found while its first token was known.
    private let places = Locked<[String: TokenPlace]>([:])

    init(_ session: Session, _ client: any HTTPClient, origins: [String: Secret]) {
        self.session = session
        self.origins = origins
        refreshers = Dictionary(
            uniqueKeysWithValues: TokenUpkeep.refreshers(client, now: { session.now }).map { ($0.accountType, $0) })
    }

    static func refreshers(_ client: any HTTPClient, now: @escaping @Sendable () -> Timestamp) -> [any TokenRefresher] {
        [InstagramTokens(client: client, now: now), VKTokens(client: client, now: now)]
    }

    /// What a run asks before each call.
    var renewal: @Sendable (Account) async -> Account { { [self] in await current($0) } }

    /// The account with the token that is good now.
    private func current(_ account: Account) async -> Account {
        let now = session.now
        if let keeping = kept.withLock({ $0[account.name] }), now < keeping.next {
            return account.with(token: keeping.token)
        }
        guard let refresher = refreshers[account.type], let place = place(of: account) else { return account }
        do {
            save(account, place)
            let record = try latest(account, place) ?? place.firstSeen(account, at: now)
            guard let due = refresher.due(record) else {
                note(account, account.token, next: now + .seconds(3600))
                return account
            }
            if due > now {
                if try latest(account, place) == nil { try? place.write(record) }
                let token = record.token.isEmpty ? account.token : record.token
                note(account, token, next: min(due, nextLook(account, now)))
                return account.with(token: token)
            }
            let token = try await refresh(place, account, refresher, record)
            return account.with(token: token)
        } catch {
            session.tell(
                warning: "the token of \(account.phrase) could not be looked after: \(error)".withoutFullStop)
            note(account, account.token, next: now + .seconds(3600))
            return account
        }
    }

    /// - Returns: the new token, or the old one when the service gave none.
    private func refresh(
        _ place: TokenPlace, _ account: Account, _ refresher: any TokenRefresher, _ seen: TokenRecord
    ) async throws -> Secret {
        let lock = try await place.lock()
        defer { withExtendedLifetime(lock) {} }
        let now = session.now
        // Another process may have been faster.
        var record = try latest(account, place) ?? seen
        if record.token.isEmpty { record.token = account.token }
        if let due = refresher.due(record), due > now {
            note(account, record.token, next: min(due, now + .seconds(3600)))
            return record.token
        }
        session.output.hide(adding: [record.token] + [record.refreshToken].compactMap { $0 })
        do {
            // A refresh token is good once: what cannot be kept is not asked for.
            try place.write(place.withoutOrigin(record, account))
        } catch let error as FileError {
            session.tell(
                warning: "the token of \(account.phrase) is not refreshed: a new one could not be kept. \(error). "
                    + "Make room for it before the old one ends")
            note(account, record.token, next: now + .seconds(60))
            return record.token
        }
        do {
            let fresh = try await refresher.refresh(record, baseURL: record.baseURL ?? account.baseURL)
            session.output.hide(adding: [fresh.token] + [fresh.refreshToken].compactMap { $0 })
            unsaved.withLock { $0[account.name] = fresh }
            if let failure = save(account, place) {
                session.tell(
                    warning:
                        "the new token of \(account.phrase) could not be kept, and the old one is void: \(failure). "
                        + "Make room for it while this run goes on, or sign in anew: pasteup login \(account.type)")
            }
            note(
                account, fresh.token,
                next: min(refresher.due(fresh) ?? .init(milliseconds: .max), nextLook(account, now)))
            return fresh.token
        } catch let error as StepError {
            var tried = record
            tried.tried = now
            tried = place.withoutOrigin(tried, account)
            try? place.write(tried)
            let end = record.expires.map { " It ends on \($0.localText)." } ?? ""
            session.tell(
                warning: "the token of \(account.phrase) could not be refreshed: \(error.sentence)\(end) "
                    + "Sign in anew before it ends: pasteup login \(account.type)")
            note(account, record.token, next: now + .seconds(600))
            return record.token
        }
    }

    /// What is known of the account's token: what could not be kept before what is on disk.
    private func latest(_ account: Account, _ place: TokenPlace) throws -> TokenRecord? {
        try unsaved.withLock { $0[account.name] } ?? place.read()
    }

    /// Keeps the new token that could not be kept before.
    ///
    /// - Returns: why it still cannot; nil when nothing is left to be kept.
    @discardableResult private func save(_ account: Account, _ place: TokenPlace) -> (any Error)? {
        guard let record = unsaved.withLock({ $0[account.name] }) else { return nil }
        do { try place.write(record) } catch { return error }
        unsaved.withLock { $0[account.name] = nil }
        return nil
    }

    /// When an account is looked at again that is not due before.
    private func nextLook(_ account: Account, _ now: Timestamp) -> Timestamp {
        now + (unsaved.withLock { $0[account.name] } == nil ? .seconds(3600) : .seconds(1))
    }

    private func note(_ account: Account, _ token: Secret, next: Timestamp) {
        kept.withLock { $0[account.name] = Keeping(token: token, next: next) }
    }

    private func place(of account: Account) -> TokenPlace? {
        if let place = places.withLock({ $0[account.name] }) { return place }
        guard let origin = origins[account.name],
            let place = TokenPlace(
                of: origin, token: account.token, type: account.type, environment: session.environment)
        else { return nil }
        places.withLock { $0[account.name] = place }
        return place
    }
}

/// Where a token is kept: with an account of `pasteup login`, or in place of one that the user has set.
struct TokenPlace: Sendable {
    private enum Kind: Sendable {
        case account(AccountFolder, String)
        case origin(TokenFolder, Secret)
    }

    private let kind: Kind

    /// The record as it is kept: a token that the user has set elsewhere is not copied.
    func withoutOrigin(_ record: TokenRecord, _ account: Account) -> TokenRecord {
        guard case .origin = kind, record.token == account.token else { return record }
        var record = record
        record.token = Secret("")
        return record
    }

    /// Nil where there is no folder for it.
    ///
    /// - Parameter token: the one that is in use now; an account of `pasteup login` is known by it.
    init?(of origin: Secret, token: Secret, type: String, environment: [String: String]) {
        if let accounts = AccountFolder(environment: environment),
            let found = try? accounts.records().first(where: {
                $0.type == type && ($0.token == origin || $0.token == token)
            })
        {
            kind = .account(accounts, found.name)
        } else if let tokens = TokenFolder(environment: environment) {
            kind = .origin(tokens, origin)
        } else {
            return nil
        }
    }

    func read() throws -> TokenRecord? {
        switch kind {
        case .account(let folder, let name): try folder.record(named: name)
        case .origin(let folder, let origin): try folder.record(inPlaceOf: origin)
        }
    }

    func write(_ record: TokenRecord) throws {
        switch kind {
        case .account(let folder, let name):
            var record = record
            record.name = name
            try folder.save(record)
        case .origin(let folder, let origin): try folder.keep(record, inPlaceOf: origin)
        }
    }

    func lock() async throws -> any Sendable {
        switch kind {
        case .account(let folder, let name): try await folder.lock(name)
        case .origin(let folder, let origin): try await folder.lock(for: origin)
        }
    }

    /// A record of the user's own token, without it.
    func firstSeen(_ account: Account, at now: Timestamp) -> TokenRecord {
        TokenRecord(type: account.type, token: Secret(""), obtained: now)
    }
}
