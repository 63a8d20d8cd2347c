internal import StepKit

/// What a code of Instagram's means, and what comes of it: Meta's pages on errors (Graph API, "Error handling";
/// Instagram Platform, "Error codes").
struct InstagramErrorRule: Sendable {
    let errorClass: ErrorClass
    /// What it means, as a clause.
    let meaning: String
    /// How to mend it, as a sentence.
    let fix: String?

    private init(_ errorClass: ErrorClass, _ meaning: String, fix: String? = nil) {
        self.errorClass = errorClass
        self.meaning = meaning
        self.fix = fix
    }

    /// Nil for a code that the tables do not know.
    static func rule(for code: Int64?, subcode: Int64?) -> InstagramErrorRule? {
        guard let code else { return nil }
        if let subcode, let rule = bySubcode[Key(code: code, subcode: subcode)] { return rule }
        if let rule = byCode[code] { return rule }
        return (200...299).contains(code) ? missingPermission : nil
    }

    private struct Key: Hashable {
        let code: Int64
        let subcode: Int64
    }

    private static let missingPermission = InstagramErrorRule(
        .permission, "a permission is missing",
        fix: "Get a token with the scope instagram_business_basic, of a professional account.")

    private static let bySubcode: [Key: InstagramErrorRule] = [
        Key(code: 4, subcode: 2_207_051): InstagramErrorRule(.permission, "the action was judged to be spam"),
        Key(code: 100, subcode: 33): InstagramErrorRule(
            .permission, "the object is not there, or not for this token",
            fix: "Check the id, and that the token belongs to the account that owns it."),
        Key(code: 190, subcode: 458): InstagramErrorRule(.auth, "the user has removed the application"),
        Key(code: 190, subcode: 459): InstagramErrorRule(
            .auth, "the account must pass a check", fix: "Sign in to Instagram and pass the check."),
        Key(code: 190, subcode: 460): InstagramErrorRule(.auth, "the password was changed"),
        Key(code: 190, subcode: 463): InstagramErrorRule(.auth, "the token has expired"),
        Key(code: 190, subcode: 464): InstagramErrorRule(.auth, "the user is not confirmed"),
        Key(code: 190, subcode: 467): InstagramErrorRule(.auth, "the token is invalid"),
        Key(code: 190, subcode: 492): InstagramErrorRule(.auth, "the session is invalid"),
    ]

    private static let byCode: [Int64: InstagramErrorRule] = [
        -2: InstagramErrorRule(.server, "the media could not be loaded"),
        -1: InstagramErrorRule(.server, "a fault of the server"),
        1: InstagramErrorRule(.server, "unknown error", fix: "Check the account's base-url and 'api-version'."),
        2: InstagramErrorRule(.server, "the service is down"),
        3: InstagramErrorRule(
            .permission, "the application lacks a capability", fix: "Check the application's set-up at Meta."),
        4: InstagramErrorRule(.rateLimit, "the application's limit of calls"),
        9: InstagramErrorRule(.quota, "the day's quota is used up"),
        10: missingPermission,
        17: InstagramErrorRule(.rateLimit, "the user's limit of calls"),
        24: InstagramErrorRule(.invalid, "the media was not found"),
        25: InstagramErrorRule(
            .permission, "the account is restricted or inactive",
            fix: "Open the Instagram app and see what it asks for."),
        32: InstagramErrorRule(.rateLimit, "the page's limit of calls"),
        100: InstagramErrorRule(.invalid, "a parameter or field is wrong", fix: "Check the account's 'api-version'."),
        102: InstagramErrorRule(.auth, "the session is invalid"),
        190: InstagramErrorRule(.auth, "the token is expired, revoked or invalid"),
        341: InstagramErrorRule(.rateLimit, "the application's limit"),
        368: InstagramErrorRule(.permission, "the account is blocked for a while"),
        613: InstagramErrorRule(.rateLimit, "the limit of this call"),
        80_002: InstagramErrorRule(.rateLimit, "too many calls for this account"),
    ]
}
