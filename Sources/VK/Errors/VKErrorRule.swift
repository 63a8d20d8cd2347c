internal import StepKit

/// What a code of VK's means, and what comes of it.
struct VKErrorRule: Sendable {
    enum Reaction: Sendable, Hashable {
        /// VK did not carry the call out: the step fails with this class.
        case fails(ErrorClass)
        /// VK did not carry the call out, and may do so later: tried again, not before the pause.
        case again(ErrorClass, after: Duration?)
        /// VK broke off: a read is tried again, a write is in doubt.
        case unsure
        /// A limit over a longer time.
        case waits(Wait)
        /// A person must give the account a new token.
        case token
        /// A person must do something with the account at VK's site.
        case person
        /// A person must do something for this wall, then say that it is done.
        case consent
        /// The four whose answer brings more than a code.
        case captcha, validation, confirmation
        /// VK tells the cases apart by the words only.
        case postRefused, badParameter, badRequest, accessDenied, badToken
    }

    enum Wait: Sendable, Hashable {
        case hour
        /// Until five past midnight in Moscow.
        case nextDay
    }

    let codes: [Int64]
    let reaction: Reaction
    /// What the code means, as a clause.
    let meaning: String
    /// How to mend it, as a sentence.
    let fix: String?

    init(_ codes: Int64..., is meaning: String, _ reaction: Reaction, fix: String? = nil) {
        self.codes = codes
        self.meaning = meaning
        self.reaction = reaction
        self.fix = fix
    }
}

extension VKErrorRule {
    /// Of a token that "was given to another ip address".
    static let ownAddress =
        "VK ties such a token to the address at which it was made: make it from this machine's network."

    private static let byCode: [Int64: VKErrorRule] = Dictionary(
        all.flatMap { rule in rule.codes.map { ($0, rule) } }, uniquingKeysWith: { first, _ in first })

    /// Nil for a code that the table does not know.
    static func rule(for code: Int64) -> VKErrorRule? { byCode[code] }
}
