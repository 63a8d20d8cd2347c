internal import StepKit

extension VKErrorRule {
    private static let checkRights =
        "Check that the account may do this there, and that its token has the right for it."
    private static let ours = "This is a fault of the program, or of a proxy between it and VK; please report it."
    private static let signIn = "Sign in to VK in a browser with this account and follow what it asks for, then go on."

    /// VK's codes: names and texts by VK's schema (errors.json), reactions by its documentation and its clients.
    static let all: [VKErrorRule] = [
        // The service itself.
        VKErrorRule(1, is: "unknown error", .unsure),
        VKErrorRule(10, is: "internal server error", .unsure),
        VKErrorRule(36, is: "the method was interrupted by a timeout", .unsure),
        VKErrorRule(6, is: "too many requests per second", .again(.rateLimit, after: .milliseconds(500))),
        VKErrorRule(32, is: "VK asks to wait", .again(.rateLimit, after: .seconds(30))),
        VKErrorRule(43, is: "this section is temporarily unavailable", .again(.server, after: .seconds(60))),

        // Limits over hours and days.
        VKErrorRule(9, is: "flood control: too many alike", .waits(.hour)),
        VKErrorRule(29, is: "the method's quota is used up", .waits(.nextDay)),
        VKErrorRule(601, is: "too many actions on this day", .waits(.nextDay)),
        VKErrorRule(219, is: "an advertising post was added recently", .waits(.hour)),
        VKErrorRule(224, is: "too many advertising posts", .waits(.nextDay)),
        VKErrorRule(220, is: "too many recipients", .waits(.hour)),
        VKErrorRule(223, is: "too many replies", .waits(.hour)),
        VKErrorRule(1105, is: "too many attempts to sign in", .waits(.hour)),

        // A person is needed.
        VKErrorRule(14, is: "captcha needed", .captcha),
        VKErrorRule(17, is: "validation required", .validation),
        VKErrorRule(24, is: "confirmation required", .confirmation),
        VKErrorRule(3300, is: "a captcha of the site is needed", .person, fix: signIn),
        VKErrorRule(3301, is: "the phone number must be confirmed", .person, fix: signIn),
        VKErrorRule(3302, is: "the password must be confirmed", .person, fix: signIn),
        VKErrorRule(3303, is: "a one-time code is needed", .person, fix: signIn),
        VKErrorRule(3304, is: "the e-mail address must be confirmed", .person, fix: signIn),
        VKErrorRule(11500, is: "the user must confirm the action", .person, fix: signIn),
        VKErrorRule(
            703, 704, is: "two-factor sign-in is needed", .person,
            fix: "Turn two-factor sign-in on for this account at VK, then go on."),
        VKErrorRule(
            701, is: "the user is not in the community", .consent,
            fix: "Join the community with this account, then go on."
        ),

        // Tokens.
        VKErrorRule(5, is: "user authorization failed", .badToken),
        VKErrorRule(25, is: "the token must be confirmed", .token),
        VKErrorRule(28, is: "application authorization failed", .token),
        VKErrorRule(1114, is: "the anonymous token has expired", .token),
        VKErrorRule(1116, is: "the anonymous token is invalid", .token),
        VKErrorRule(1117, is: "the access token has expired", .token),
        VKErrorRule(1118, is: "the token belongs to another address", .token),
        VKErrorRule(3609, is: "the token must be extended", .token),

        // Rights.
        VKErrorRule(7, is: "no permission for this action", .fails(.permission), fix: checkRights),
        VKErrorRule(15, is: "access denied", .accessDenied),
        VKErrorRule(
            27, is: "a community's token is refused for this method", .fails(.permission),
            fix: "VK takes photos for a wall from a user's token only: give the account a user's token."),
        VKErrorRule(
            2, is: "the application is switched off", .fails(.permission),
            fix: "Switch it on in the application's settings at VK."),
        VKErrorRule(
            11, is: "the application is in test mode", .fails(.permission),
            fix: "Switch it on for all in the application's settings at VK."),
        VKErrorRule(
            1051, is: "the method is not for this type of profile", .fails(.permission),
            fix: "VK ID's tokens may not write on walls. Use a user's token of a standalone application."),
        VKErrorRule(
            20, 21, is: "the method is not for this type of application", .fails(.permission),
            fix: "Use a token of a standalone application."),
        VKErrorRule(23, is: "the method is switched off", .fails(.permission)),
        VKErrorRule(33, is: "the method is not implemented yet", .fails(.permission)),
        VKErrorRule(18, is: "the user was deleted or banned", .fails(.permission)),
        VKErrorRule(37, is: "the user was banned", .fails(.permission)),
        VKErrorRule(3610, 3611, is: "the user or a service of theirs is deactivated", .fails(.permission)),
        VKErrorRule(19, is: "the content is blocked", .fails(.permission)),
        VKErrorRule(30, is: "the profile is private", .fails(.permission)),
        VKErrorRule(38, is: "unknown application", .fails(.permission)),
        VKErrorRule(39, is: "unknown user", .fails(.permission), fix: "Check the id of the user."),
        VKErrorRule(40, is: "unknown community", .fails(.permission), fix: "Check the id of the community."),
        VKErrorRule(41, is: "the user must complete the sign-up", .fails(.permission)),
        VKErrorRule(
            42, is: "the machine's address is not allowed", .fails(.permission),
            fix: "Allow the address in the application's settings at VK."),
        VKErrorRule(200, is: "access to the album denied", .fails(.permission), fix: checkRights),
        VKErrorRule(201, is: "access to the audio denied", .fails(.permission), fix: checkRights),
        VKErrorRule(203, is: "access to the community denied", .fails(.permission), fix: checkRights),
        VKErrorRule(204, is: "access to the video denied", .fails(.permission), fix: checkRights),
        VKErrorRule(210, is: "access to the wall's post denied", .fails(.permission), fix: checkRights),
        VKErrorRule(
            211, 212, 213, is: "access to the post's comments denied", .fails(.permission), fix: checkRights),
        VKErrorRule(214, is: "adding a post was denied", .postRefused),
        VKErrorRule(500, 3305, is: "no permission to use votes", .fails(.permission)),
        VKErrorRule(600, 603, is: "no permission for this advertising", .fails(.permission)),
        VKErrorRule(900, is: "the recipient has blocked the account", .fails(.permission)),
        VKErrorRule(1600, is: "the story has expired", .fails(.permission)),
        VKErrorRule(1602, is: "replies to this story are closed", .fails(.permission)),
        VKErrorRule(13000, is: "uploads are denied: the community has strikes", .fails(.permission)),

        // Uploads that have died.
        VKErrorRule(22, is: "upload error", .fails(.stale)),
        VKErrorRule(105, is: "the file could not be saved", .fails(.stale)),
        VKErrorRule(114, is: "invalid album id", .fails(.stale)),
        VKErrorRule(118, is: "invalid server", .fails(.stale)),
        VKErrorRule(
            121, is: "invalid hash", .fails(.stale),
            fix: "Give 'group_id' to the upload server and to the saving alike, positive, or to neither."),
        VKErrorRule(122, 129, is: "invalid photo", .fails(.stale)),
        VKErrorRule(
            5701, 5702, 5703, 5704, 5705, 5706, 5707, 5708, 5709, 5710, is: "the uploaded photo was refused",
            .fails(.stale)),

        // The request is wrong.
        VKErrorRule(100, is: "a parameter is missing or invalid", .badParameter),
        VKErrorRule(3, is: "unknown method", .fails(.invalid), fix: "Check the method's name and the base-url."),
        VKErrorRule(4, is: "incorrect signature", .fails(.invalid), fix: ours),
        VKErrorRule(8, is: "invalid request", .badRequest),
        VKErrorRule(9999, is: "the HTTP method is not supported", .fails(.invalid), fix: ours),
        VKErrorRule(12, is: "the code could not be compiled", .fails(.invalid)),
        VKErrorRule(13, is: "the code failed when it ran", .fails(.invalid)),
        VKErrorRule(16, is: "https is required", .fails(.invalid), fix: "Write the account's base-url with https."),
        VKErrorRule(
            34, 35, is: "the version of the API is too old", .fails(.invalid),
            fix: "Raise the account's 'api-version'."),
        VKErrorRule(101, is: "invalid application id", .fails(.invalid)),
        VKErrorRule(103, is: "out of limits", .fails(.invalid)),
        VKErrorRule(104, is: "not found", .fails(.invalid)),
        VKErrorRule(106, is: "the action cannot be processed", .fails(.invalid)),
        VKErrorRule(113, is: "invalid user id", .fails(.invalid)),
        VKErrorRule(
            125, is: "invalid community id", .fails(.invalid),
            fix: "'group_id' is positive, 'owner_id' of a community negative."),
        VKErrorRule(
            150, is: "invalid timestamp", .fails(.invalid),
            fix: "Check the date, and that this machine's clock is right."),
        VKErrorRule(222, is: "links are forbidden here", .fails(.invalid), fix: "Leave the link out."),
        VKErrorRule(225, is: "donations are switched off here", .fails(.invalid)),
        VKErrorRule(300, is: "the album is full", .fails(.invalid)),
        VKErrorRule(302, is: "the limit of albums is reached", .fails(.invalid)),
        VKErrorRule(1150, is: "invalid document id", .fails(.invalid)),
        VKErrorRule(1153, is: "access to the document denied", .fails(.invalid)),
    ]
}
