internal import StepKit

/// Meta's pages on errors: Graph API, "Handle Errors"; Instagram Platform, "Error Codes".
extension InstagramErrorRule {
    static let missingPermission = InstagramErrorRule(
        .permission, "a permission is missing",
        fix:
            "Get a token with the scope instagram_business_basic, and instagram_business_content_publish for publishing, "
            + "of a professional account: pasteup login instagram")

    /// The quota's window moves with the posts: three waits are as long as the window.
    private static let thirdOfADay = Duration.seconds(28_800)
    /// Where no header says when calls are free again.
    private static let aWhile = Duration.seconds(300)

    private static let newContainer = "The next attempt makes it anew."
    private static let jpeg =
        "Instagram takes JPEG only: sRGB, at most 8 MB, between 4:5 and 1.91:1 in the feed. Convert the picture."

    static let bySubcode: [Key: InstagramErrorRule] = [
        // Tokens.
        Key(190, 458): InstagramErrorRule(.auth, "the user has removed the application"),
        Key(190, 459): InstagramErrorRule(
            .auth, "the account must pass a check", fix: "Sign in to Instagram and pass the check."),
        Key(190, 460): InstagramErrorRule(.auth, "the password was changed"),
        Key(190, 463): InstagramErrorRule(.auth, "the token has expired"),
        Key(190, 464): InstagramErrorRule(.auth, "the user is not confirmed"),
        Key(190, 467): InstagramErrorRule(.auth, "the token is invalid"),
        Key(190, 492): InstagramErrorRule(.auth, "the session is invalid"),

        // Limits and rights.
        Key(4, 2_207_051): InstagramErrorRule(
            .permission, "the action was judged to be spam", fix: "Publish less, and wait a day before you try again."),
        Key(9, 2_207_042): InstagramErrorRule(
            .quota, "the day's quota of posts is used up", wait: thirdOfADay),
        Key(25, 2_207_050): InstagramErrorRule(
            .permission, "the account is restricted or inactive",
            fix: "Open the Instagram app and see what it asks for."),
        Key(100, 33): InstagramErrorRule(
            .permission, "the object is not there, or not for this token",
            fix: "Check the id, and that the token belongs to the account that owns it."),

        // Containers.
        Key(24, 2_207_006): InstagramErrorRule(.server, "the media was not found", fix: newContainer),
        Key(24, 2_207_008): InstagramErrorRule(
            .server, "the container is unknown or has expired", fix: newContainer, wait: .seconds(30)),
        Key(-1, 2_207_001): InstagramErrorRule(.server, "a fault of the server", leavesDoubt: true),
        Key(-1, 2_207_032): InstagramErrorRule(.server, "the container could not be made", fix: newContainer),
        Key(-1, 2_207_053): InstagramErrorRule(.server, "the upload failed", fix: newContainer),
        Key(-2, 2_207_003): InstagramErrorRule(.server, "Instagram took too long to load the media", fix: newContainer),
        Key(-2, 2_207_020): InstagramErrorRule(.server, "the media has expired", fix: newContainer),
        Key(9007, 2_207_027): InstagramErrorRule(
            .server, "the container is not ready yet", wait: .seconds(30)),

        // What was sent.
        Key(100, 2_207_023): InstagramErrorRule(.invalid, "the type of the media is not known"),
        Key(100, 2_207_028): InstagramErrorRule(
            .invalid, "a carousel has 2 to 10 items", fix: "Give 2 to 10 addresses under 'image_urls'."),
        Key(100, 2_207_035): InstagramErrorRule(
            .invalid, "a tag's place is wrong here", fix: "Give x and y from 0 to 1, and none for videos."),
        Key(100, 2_207_036): InstagramErrorRule(
            .invalid, "a tag lacks its place", fix: "Give x and y from 0 to 1 with each of 'user_tags'."),
        Key(100, 2_207_037): InstagramErrorRule(
            .invalid, "a product's tag is wrong", fix: "Check that the product may be tagged."),
        Key(100, 2_207_040): InstagramErrorRule(
            .invalid, "there are too many @ tags", fix: "Keep to 20 in the caption."),
        Key(352, 2_207_026): InstagramErrorRule(
            .invalid, "the video's format is not taken", fix: "Instagram takes MP4 and MOV."),
        Key(9004, 2_207_052): InstagramErrorRule(
            .invalid, "Instagram could not load the address, or it is no picture",
            fix:
                "The address must be public, https, without a sign-in, and lead to the JPEG itself. Open it in a private "
                + "window."),
        Key(36000, 2_207_004): InstagramErrorRule(
            .invalid, "the picture is larger than 8 MiB", fix: "Make it smaller."),
        Key(36001, 2_207_005): InstagramErrorRule(.invalid, "the picture's format is not taken", fix: jpeg),
        Key(36003, 2_207_009): InstagramErrorRule(
            .invalid, "the picture is too high or too wide",
            fix: "Crop or pad it to between 4:5 and 1.91:1; card.compose does that with 'size: 1080x1350'."),
        Key(36004, 2_207_010): InstagramErrorRule(
            .invalid, "the caption is too long", fix: "It has 2,200 characters, 30 hashtags and 20 @ tags at most."),
    ]

    static let byCode: [Int64: InstagramErrorRule] = [
        // The service itself.
        -2: InstagramErrorRule(.server, "the media could not be loaded", leavesDoubt: true),
        -1: InstagramErrorRule(.server, "a fault of the server", leavesDoubt: true),
        1: InstagramErrorRule(
            .server, "unknown error", fix: "Check the account's base-url and 'api-version'.", leavesDoubt: true),
        2: InstagramErrorRule(.server, "the service is down", leavesDoubt: true),

        // Limits.
        4: InstagramErrorRule(.rateLimit, "the application's limit of calls", wait: aWhile),
        9: InstagramErrorRule(.quota, "the day's quota is used up", wait: thirdOfADay),
        17: InstagramErrorRule(.rateLimit, "the user's limit of calls", wait: aWhile),
        32: InstagramErrorRule(.rateLimit, "the page's limit of calls", wait: aWhile),
        341: InstagramErrorRule(.rateLimit, "the application's limit", wait: aWhile),
        613: InstagramErrorRule(.rateLimit, "the limit of this call", wait: aWhile),
        80_002: InstagramErrorRule(.rateLimit, "too many calls for this account", wait: aWhile),

        // Tokens and rights.
        102: InstagramErrorRule(.auth, "the session is invalid"),
        190: InstagramErrorRule(.auth, "the token is expired, revoked or invalid"),
        3: InstagramErrorRule(
            .permission, "the application lacks a capability", fix: "Check the application's set-up at Meta."),
        10: missingPermission,
        25: InstagramErrorRule(
            .permission, "the account is restricted or inactive",
            fix: "Open the Instagram app and see what it asks for."),
        368: InstagramErrorRule(
            .permission, "the account is blocked for a while",
            fix: "Open the Instagram app, see what it says, and wait."),

        // What was sent.
        24: InstagramErrorRule(.invalid, "the media was not found"),
        100: InstagramErrorRule(.invalid, "a parameter or field is wrong", fix: "Check the account's 'api-version'."),
        352: InstagramErrorRule(
            .invalid, "the video's format is not taken", fix: "Instagram takes MP4 and MOV."),
        506: InstagramErrorRule(.invalid, "the same was posted a moment ago", fix: "Change the text or the picture."),
        9004: InstagramErrorRule(
            .invalid, "Instagram could not load the address",
            fix: "The address must be public, https, without a sign-in, and lead to the JPEG itself."),
        9007: InstagramErrorRule(.server, "the media is not ready", wait: .seconds(30)),
        36000: InstagramErrorRule(.invalid, "the picture is too large", fix: jpeg),
        36001: InstagramErrorRule(.invalid, "the picture's format is not taken", fix: jpeg),
        36003: InstagramErrorRule(.invalid, "the picture's ratio is not taken", fix: jpeg),
        36004: InstagramErrorRule(
            .invalid, "the caption is too long", fix: "It has 2,200 characters, 30 hashtags and 20 @ tags at most."),
    ]
}
