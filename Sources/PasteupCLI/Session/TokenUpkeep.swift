internal import Accounts
internal import Files
internal import HTTP
internal import Instagram
internal import StepKit
internal import Threading
internal import VK
internal import Values

/// Keeps the tokens of a run's accounts fresh: before each call the one that is kept is read, and replaced when it ends
/// soon.
///
/// What came back is on disk before it is used, under a lock of the account's, so that two processes never spend the same
/// refresh token. A token that the user has set elsewhere is remembered by a fingerprint, with the time at which it was
/// first seen; the token itself is not copied.
final class TokenUpkeep: Sendable {
    private let session: Session
    private let refreshers: [String: any TokenRefresher]
    /// Where each account's token is kept, found while its first token was known.
    private let places: [String: TokenPlace]
    /// When an account is looked after again, where that went wrong.
    private let pauses = Locked<[String: Timestamp]>([:])
    /// The token in use, by account.
    private let known: Locked<[String: Secret]>
    /// New tokens that could not be kept yet, by account: what is on disk is spent.
    private let unsaved = Locked<[String: TokenRecord]>([:])

    init(_ session: Session, _ client: any HTTPClient, _ preparation: RunPreparation) {
        self.session = session
        refreshers = Dictionary(
            uniqueKeysWithValues: TokenUpkeep.refreshers(client, now: { session.now }).map { ($0.accountType, $0) })
        known = Locked(preparation.accounts.mapValues(\.token))
        var places: [String: TokenPlace] = [:]
        for (name, account) in preparation.accounts {
            guard let origin = preparation.origins[name] else { continue }
            places[name] = TokenPlace(
                of: origin, token: account.token, type: account.type, environment: session.environment)
        }
        self.places = places
    }

    static func refreshers(_ client: any HTTPClient, now: @escaping @Sendable () -> Timestamp) -> [any TokenRefresher] {
        [InstagramTokens(client: client, now: now), VKTokens(client: client, now: now)]
    }

    /// What a run asks before each call.
    var renewal: @Sendable (Account) async -> Account { { [self] in await current($0) } }

    /// What a run asks when a token was refused.
    var replacement: @Sendable (Account) async -> Account? { { [self] in await replaced($0) } }

    /// How a person gets an account another token, as a sentence.
    var advice: @Sendable (Account) -> String? { { [places] in places[$0.name]?.advice(type: $0.type) } }

    /// The account with the token that is good now.
    private func current(_ account: Account) async -> Account {
        let now = session.now
        let account = account.with(token: known.withLock { $0[account.name] } ?? account.token)
        guard let refresher = refreshers[account.type], let place = places[account.name] else { return account }
        let isPaused = pauses.withLock { $0[account.name] }.map { now < $0 } ?? false
        do {
            save(account, place)
            let kept = try latest(account, place)
            let record = kept ?? place.firstSeen(account, at: now)
            guard !isPaused, let due = refresher.due(record), due <= now else {
                if kept == nil, refresher.due(record) != nil { try? place.write(record) }
                return use(record, for: account)
            }
            return account.with(token: try await refresh(place, account, refresher, record))
        } catch {
            if !isPaused {
                session.tell(
                    warning: "the token of \(account.phrase) could not be looked after: \(error)".withoutFullStop)
                pause(account, until: now + .seconds(3600))
            }
            return account
        }
    }

    /// The account with a token that the service has not refused: one that another process has kept meanwhile, else a
    /// fresh one, where there is a refresh token. Nil when there is neither.
    private func replaced(_ account: Account) async -> Account? {
        guard let refresher = refreshers[account.type], let place = places[account.name] else { return nil }
        guard let record = try? latest(account, place),
            let token = try? await refresh(place, account, refresher, record, refused: account.token),
            token != account.token
        else { return nil }
        return account.with(token: token)
    }

    /// - Parameter refused: the token that the service no longer takes, whenever it was to end.
    /// - Returns: the new token, or the old one when the service gave none.
    private func refresh(
        _ place: TokenPlace, _ account: Account, _ refresher: any TokenRefresher, _ seen: TokenRecord,
        refused: Secret? = nil
    ) async throws -> Secret {
        let lock = try await place.lock()
        defer { withExtendedLifetime(lock) {} }
        let now = session.now
        // Another process may have been faster.
        var record = try latest(account, place) ?? seen
        if record.token.isEmpty { record.token = account.token }
        if let refused {
            let isVain = record.tried.map { $0 + .seconds(60) > now } ?? false
            guard record.token == refused, record.refreshToken != nil, !isVain else {
                return use(record, for: account).token
            }
        } else if let due = refresher.due(record), due > now {
            return use(record, for: account).token
        }
        session.output.hide(adding: [record.token] + [record.refreshToken].compactMap { $0 })
        let former = record
        do {
            // A refresh token is good once: what cannot be kept is not asked for, and that it was is known beforehand.
            if record.refreshToken != nil { record.asked = now }
            try place.write(place.withoutOrigin(record, account))
        } catch let error as FileError {
            session.tell(
                warning: "the token of \(account.phrase) is not refreshed: a new one could not be kept. \(error). "
                    + "Make room for it before the old one ends")
            pause(account, until: now + .seconds(60))
            return use(former, for: account).token
        }
        do {
            let fresh = try await refresher.refresh(record, baseURL: record.baseURL ?? account.baseURL)
            unsaved.withLock { $0[account.name] = fresh }
            if let failure = save(account, place) {
                session.tell(
                    warning:
                        "the new token of \(account.phrase) could not be kept, and the old one is void: \(failure). "
                        + "Make room for it while this run goes on, or sign in anew: pasteup login \(account.type)")
            }
            return use(fresh, for: account).token
        } catch let error as StepError {
            var tried = former
            tried.tried = now
            if error.errorClass == .inDoubt { tried.asked = record.asked }
            try? place.write(place.withoutOrigin(tried, account))
            session.tell(warning: RefreshFailure(error, of: tried, account.phrase, now: now).warning)
            pause(account, until: now + .seconds(600))
            return use(former, for: account).token
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

    /// The account with the record's token, which is shown nowhere from here on.
    private func use(_ record: TokenRecord, for account: Account) -> Account {
        guard !record.token.isEmpty, record.token != account.token else { return account }
        session.output.hide(adding: [record.token] + [record.refreshToken].compactMap { $0 })
        known.withLock { $0[account.name] = record.token }
        return account.with(token: record.token)
    }

    private func pause(_ account: Account, until next: Timestamp) {
        pauses.withLock { $0[account.name] = next }
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

    /// How a person puts another token there, as a sentence; nil for one that the user has set elsewhere.
    func advice(type: String) -> String? {
        guard case .account(_, let name) = kind else { return nil }
        return "It is the one of a sign-in: get another with 'pasteup login \(type)"
            + (name == type ? "'." : " --name \(name)'.")
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
