import StepKit
import Values

/// A step kind that is only looked at.
struct DeclaredKind: StepKind {
    let declaration: StepDeclaration

    func run(_ call: StepCall) async throws -> StepResult { .succeeded([:]) }
}

extension StepCatalog {
    /// Kinds with parameters of every type, and the kinds of the design's example.
    static let test = StepCatalog(
        kinds: (examples + instagramToVK).map(DeclaredKind.init),
        accountTypes: [
            AccountType(
                "vk", service: "VK", baseURL: "https://api.vk.com",
                settings: [
                    Parameter("rate", .number, default: 3, "Calls a second"),
                    Parameter("settle", .duration, default: "5s", "Between two looks"),
                ]),
            AccountType("instagram", service: "Instagram", baseURL: "https://graph.instagram.com"),
        ])

    private static let examples = [
        StepDeclaration(
            "test.read", "Reads.", effect: .read,
            parameters: [
                Parameter("text", .string, "A text"), Parameter("count", .integer, "How many, from 1"),
                Parameter("share", .number, "From 0 to 1"), Parameter("loud", .boolean, "Whether it is loud"),
                Parameter("photo", .file, "A photo"), Parameter("link", .url, "Where it leads"),
                Parameter("size", .size, "In pixels"), Parameter("color", .color, "Of the background"),
                Parameter("pause", .duration, "Between two"), Parameter("kind", .choice(["image", "video"]), "Which"),
                Parameter("tags", .list(.string), "Words"),
                Parameter("headers", .map, acceptsSecrets: true, "Sent along"),
                Parameter("anything", .any, "Whatever"),
                Parameter(
                    "texts",
                    .list(
                        .object([
                            Parameter("text", .string, required: true, "What it says"),
                            Parameter("at", .choice(["top", "bottom"]), "Where it stands"),
                            Parameter("size", .integer, default: 12, "In points"),
                        ])), "Lines on the card"),
            ],
            outputs: [
                Output("id", .string, "An id"), Output("file", .file, "A file"), Output("count", .integer, "How many"),
                Output("kind", .choice(["image", "video"]), "Which"), Output("tags", .list(.string), "Words"),
                Output("answer", .map, "All of it"),
            ]),
        StepDeclaration(
            "test.write", "Writes.", effect: .write,
            parameters: [
                Parameter("message", .string, required: true, "What is posted"),
                Parameter("token", .string, acceptsSecrets: true, "Speaks for a person"),
            ],
            outputs: [Output("url", .url, "Where it stands")]),
        StepDeclaration("test.run", "Runs.", effect: .write, takesEffect: true),
        StepDeclaration("test.open", "Takes anything.", effect: .pure, hasOpenParameters: true, hasOpenOutputs: true),
    ]

    private static let instagramToVK = [
        StepDeclaration(
            "instagram.latest", "The newest media.", effect: .read, account: "instagram",
            parameters: [Parameter("kinds", .list(.choice(["image", "carousel", "video"])), "Which media count")],
            outputs: ["id", "caption", "username", "permalink", "timestamp", "kind", "media_url"].map {
                Output($0, .string, $0)
            } + [Output("file", .file, "The photo")]),
        StepDeclaration(
            "card.compose", "A story card.", effect: .pure,
            parameters: [
                Parameter("size", .size, required: true, "In pixels"),
                Parameter(
                    "background",
                    .object([
                        Parameter("type", .choice(["gradient", "color"]), required: true, "What kind"),
                        Parameter("top", .color, "At the top"), Parameter("bottom", .color, "At the bottom"),
                    ]), "What lies beneath"),
                Parameter(
                    "sticker",
                    .object([
                        Parameter("image", .file, required: true, "The photo"),
                        Parameter("radius", .integer, "Of corners"),
                        Parameter("shadow", .boolean, "Whether there is one"),
                    ]), "The photo"),
                Parameter(
                    "texts",
                    .list(
                        .object([
                            Parameter("text", .string, required: true, "What it says"),
                            Parameter("at", .choice(["top", "bottom"]), "Where"), Parameter("font", .string, "Which"),
                            Parameter("color", .color, "Which"),
                        ])), "Texts on the card"),
            ],
            outputs: [
                Output("file", .file, "The card"), Output("width", .integer, "In pixels"),
                Output("height", .integer, "In pixels"),
            ]),
        StepDeclaration(
            "vk.photos.getWallUploadServer", "Where to upload.", effect: .read, account: "vk",
            parameters: [Parameter("group_id", .integer, "Of the community")],
            outputs: [Output("upload_url", .url, sensitive: true, "Where")], hasOpenOutputs: true),
        StepDeclaration(
            "vk.upload", "Uploads.", effect: .idempotent, account: "vk",
            parameters: [Parameter("url", .url, required: true, "Where to")], hasOpenParameters: true,
            hasOpenOutputs: true),
        StepDeclaration(
            "vk.photos.saveWallPhoto", "Saves a photo.", effect: .write, account: "vk",
            parameters: [
                Parameter("group_id", .integer, "Of the community"), Parameter("server", .integer, "From the upload"),
                Parameter("photo", .string, required: true, "From the upload"),
                Parameter("hash", .string, "From the upload"),
            ],
            outputs: [Output("attachment", .string, "For a post")], hasOpenOutputs: true, doubtRule: .redoInputs),
        StepDeclaration(
            "vk.wall.post", "Posts.", effect: .write, account: "vk",
            parameters: [
                Parameter("owner_id", .integer, "VK owner ids are numbers, negative for communities"),
                Parameter("from_group", .boolean, "As the community"), Parameter("message", .string, "The text"),
                Parameter("attachments", .list(.string), "Photos and links"),
            ],
            outputs: [Output("post_id", .integer, "Its id"), Output("url", .url, "Its address")], doubtRule: .look),
    ]
}
