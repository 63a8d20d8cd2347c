internal import Hashing
internal import Values

/// Who has signed in, and what was handed out.
struct SignIns: Sendable {
    /// A code that waits to be exchanged, once.
    struct Code: Sendable, Hashable {
        var text: String
        var isVK: Bool
        var redirect: String
        /// Of VK ID: base64url of SHA-256 of the verifier.
        var challenge: String?
        var device: String?
        var rights: [String]
        var made: Timestamp
        var isUsed = false
    }

    struct Token: Sendable, Hashable {
        var text: String
        var isVK: Bool
        /// Of Instagram: an hour's, to be exchanged.
        var isShort = false
        /// Of VK ID: gives the next pair. A new one has another.
        var refresh: String?
        var device: String?
        var session: String
        var rights: [String]
        var issued: Timestamp
        var expires: Timestamp
        var isRevoked = false
    }

    private(set) var codes: [Code] = []
    private(set) var tokens: [Token] = []
    /// Refresh tokens that were used, with their sessions: using one again ends the session.
    private var spent: [String: String] = [:]
    // What the next sign-in does.
    private(set) var denies = false
    private(set) var drops: [String] = []
    private(set) var shape = Shape.data
    /// Whether a refresh ends the token before it at once.
    private(set) var endsOld = false

    /// How Instagram's token endpoint answers: as documented, and as was seen.
    enum Shape: String, Sendable, CaseIterable {
        case data = "data"
        case flat = "flat"
        /// `user_id` is a number, `permissions` a list.
        case numbers = "numbers"
    }

    init() {}

    func instagramToken(_ text: String) -> Token? { tokens.first { $0.text == text && !$0.isVK } }
    func vkToken(_ text: String) -> Token? { tokens.first { $0.text == text && $0.isVK } }

    mutating func plan(_ value: Value?) throws {
        guard let object = value?.object else { throw SandboxError("The body is no JSON object.") }
        if let key = object.keys.first(where: { !["deny", "drop", "ends-old", "shape"].contains($0) }) {
            throw SandboxError("Unknown key '\(key)'. Keys are deny, drop, ends-old, shape.")
        }
        if let text = object["shape"]?.string {
            guard let shape = Shape(rawValue: text) else {
                throw SandboxError("'shape' is one of \(Shape.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            self.shape = shape
        }
        endsOld = object["ends-old"]?.bool ?? endsOld
        denies = object["deny"]?.bool ?? false
        drops = (object["drop"]?.array ?? []).compactMap(\.string)
    }

    /// The rights of those asked that the user grants; nil when the user says no. The plan holds for one sign-in.
    mutating func consent(to rights: [String]) -> [String]? {
        defer {
            denies = false
            drops = []
        }
        return denies ? nil : rights.filter { !drops.contains($0) }
    }

    mutating func add(_ code: Code) { codes.append(code) }
    mutating func add(_ token: Token) { tokens.append(token) }

    /// Uses a code up.
    ///
    /// - Returns: nil for one that is unknown, used, or older than it may be.
    mutating func take(code text: String?, isVK: Bool, life: Duration, at now: Timestamp) -> Code? {
        guard let index = codes.firstIndex(where: { $0.text == text && $0.isVK == isVK && !$0.isUsed }),
            now - codes[index].made <= life
        else { return nil }
        codes[index].isUsed = true
        return codes[index]
    }

    /// A new text for a token of 60 days.
    mutating func renewInstagram(_ text: String, _ now: Timestamp) -> String? {
        guard let index = tokens.firstIndex(where: { $0.text == text && !$0.isVK }) else { return nil }
        var token = tokens[index]
        token.text = SandboxToken.instagram.make()
        token.issued = now
        token.expires = now + SignInDesk.longLife
        // The former one goes on until its own end.
        tokens.append(token)
        return token.text
    }

    /// The next pair of tokens for a refresh token.
    ///
    /// - Returns: nil for one that is unknown, or of another device, or used already: then its session ends.
    mutating func rotate(_ refresh: String?, device: String?, _ now: Timestamp) -> Token? {
        guard let refresh else { return nil }
        if let session = spent[refresh] {
            end(session)
            return nil
        }
        guard let index = tokens.firstIndex(where: { $0.refresh == refresh && !$0.isRevoked }),
            tokens[index].device == device
        else { return nil }
        spent[refresh] = tokens[index].session
        var next = tokens[index]
        tokens[index].refresh = nil
        tokens[index].isRevoked = endsOld
        next.text = "vk2.a." + randomKey(198)
        next.refresh = "vk2.a." + randomKey(120)
        next.issued = now
        next.expires = now + .seconds(3600)
        tokens.append(next)
        return next
    }

    mutating func end(_ session: String) {
        for index in tokens.indices where tokens[index].session == session { tokens[index].isRevoked = true }
    }

    mutating func end(tokenOf text: String) -> Bool {
        guard let token = vkToken(text), !token.isRevoked else { return false }
        end(token.session)
        return true
    }

    /// What `GET /_sandbox/state` shows: no token is in it.
    var report: Value {
        .array(
            tokens.map {
                [
                    "service": $0.isVK ? "vk" : "instagram",
                    "fingerprint": .string(String(SHA256.hex($0.text).prefix(12))),
                    "rights": .array($0.rights.map { .string($0) }), "short": .bool($0.isShort),
                    "expires": .string($0.expires.iso8601), "revoked": .bool($0.isRevoked),
                ]
            })
    }
}

extension SignIns {
    var value: Value {
        [
            "codes": .array(
                codes.map {
                    [
                        "text": .string($0.text), "vk": .bool($0.isVK), "redirect": .string($0.redirect),
                        "challenge": .optional($0.challenge), "device": .optional($0.device),
                        "rights": .array($0.rights.map { .string($0) }), "made": .integer($0.made.milliseconds),
                        "used": .bool($0.isUsed),
                    ]
                }),
            "tokens": .array(
                tokens.map {
                    [
                        "text": .string($0.text), "vk": .bool($0.isVK), "short": .bool($0.isShort),
                        "refresh": .optional($0.refresh), "device": .optional($0.device),
                        "session": .string($0.session), "rights": .array($0.rights.map { .string($0) }),
                        "issued": .integer($0.issued.milliseconds), "expires": .integer($0.expires.milliseconds),
                        "revoked": .bool($0.isRevoked),
                    ]
                }),
            "spent": .object(ValueObject(spent.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            "shape": .string(shape.rawValue), "ends-old": .bool(endsOld),
        ]
    }

    init(_ value: Value) throws {
        let stored = Stored(value, "the sign-ins")
        codes = try stored.list("codes") {
            let one = Stored($0, "a code")
            return Code(
                text: try one.string("text"), isVK: $0["vk"]?.bool ?? false, redirect: try one.string("redirect"),
                challenge: $0["challenge"]?.string, device: $0["device"]?.string,
                rights: try one.list("rights") { $0.string ?? "" },
                made: Timestamp(milliseconds: try one.integer("made")), isUsed: $0["used"]?.bool ?? false)
        }
        tokens = try stored.list("tokens") {
            let one = Stored($0, "a token")
            return Token(
                text: try one.string("text"), isVK: $0["vk"]?.bool ?? false, isShort: $0["short"]?.bool ?? false,
                refresh: $0["refresh"]?.string, device: $0["device"]?.string, session: try one.string("session"),
                rights: try one.list("rights") { $0.string ?? "" },
                issued: Timestamp(milliseconds: try one.integer("issued")),
                expires: Timestamp(milliseconds: try one.integer("expires")),
                isRevoked: $0["revoked"]?.bool ?? false)
        }
        for (key, session) in value["spent"]?.object ?? [:] { spent[key] = session.string }
        endsOld = value["ends-old"]?.bool ?? false
        shape = value["shape"]?.string.flatMap(Shape.init) ?? .data
    }
}
