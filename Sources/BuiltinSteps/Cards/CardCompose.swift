internal import Files
public import StepKit
internal import StoryCard
internal import Threading
internal import Values

/// `card.compose`: a picture made of a background, stickers and texts.
public struct CardCompose: StepKind {
    public init() {}

    public let declaration = StepDeclaration(
        "card.compose", "Composes a picture: a background, stickers on it and texts above them.", effect: .pure,
        parameters: cardParameters,
        outputs: [
            Output("file", .file, "The picture."),
            Output("width", .integer, "In pixels."),
            Output("height", .integer, "In pixels."),
            Output("bytes", .integer, "The file's size."),
            Output("sha256", .string, "The file's SHA-256, 64 hexadecimal digits."),
        ],
        example: """
            card:
              uses: card.compose
              with:
                background: { type: gradient, top: "#FF9500", bottom: "#FF3B30" }
                sticker: { image: photo.jpg, radius: 48, shadow: true }
                texts:
                  - { text: "Good morning", at: bottom, font: Noto Sans Bold 44, color: "#fff" }
            """)

    public func run(_ call: StepCall) async throws -> StepResult {
        let request: CardRequest
        let card: KeptCard
        do {
            request = try CardRequest(call.parameters)
            // Text layout wants more stack than a small thread has.
            card = try await offPool(stackBytes: 8 << 20) { try KeptCard.of(request, call) }
        } catch let problem as CardProblem {
            throw StepError(.invalid, problem.message, why: problem.why, fix: problem.fix)
        } catch let error as FileError {
            throw StepError(
                .invalid, "the card could not be kept: \(error)",
                fix: error.isDiskFull ? "Make room on the disk, then run again." : nil)
        }
        for warning in card.warnings { call.warn(warning) }
        return .succeeded([
            "file": .string(card.path), "width": .integer(Int64(card.width)), "height": .integer(Int64(card.height)),
            "bytes": .integer(Int64(card.bytes)), "sha256": .string(card.sha256),
        ])
    }
}
