internal import Files
internal import Hashing
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
        let result: (card: KeptCard, warnings: [String])
        do {
            request = try CardRequest(call.parameters)
            // Text layout wants more stack than a small thread has.
            result = try await offPool(stackBytes: 8 << 20) { try kept(request, call) }
        } catch let problem as CardProblem {
            throw StepError(.invalid, problem.message, why: problem.why, fix: problem.fix)
        } catch let error as FileError {
            throw StepError(
                .invalid, "the card could not be kept: \(error)",
                fix: error.isDiskFull ? "Make room on the disk, then run again." : nil)
        }
        for warning in result.warnings { call.warn(warning) }
        let card = result.card
        return .succeeded([
            "file": .string(card.path), "width": .integer(Int64(card.width)), "height": .integer(Int64(card.height)),
            "bytes": .integer(Int64(card.bytes)), "sha256": .string(card.sha256),
        ])
    }
}

/// A card in the folder of artifacts.
private struct KeptCard {
    let path: String
    let width: Int
    let height: Int
    let bytes: Int
    let sha256: String
}

/// The card, drawn, or found where an earlier attempt at this step has left it.
private func kept(_ request: CardRequest, _ call: StepCall) throws -> (card: KeptCard, warnings: [String]) {
    let path = FileSystem.join(call.artifacts, call.fileStem + "." + request.fileExtension)
    // Beside the card: from what it was made, and its digest, so that what was changed since is made anew.
    let keyPath = FileSystem.join(call.artifacts, "." + call.fileStem + "." + request.fileExtension + ".key")
    let key = request.inputsDigest
    if let key, let note = try? FileSystem.read(keyPath, maxBytes: 200), let bytes = try? FileSystem.read(path),
        let header = try? readImageHeader(bytes)
    {
        let digest = SHA256.hex(bytes)
        if note == Array("\(key) \(digest)\n".utf8) {
            return (
                KeptCard(path: path, width: header.width, height: header.height, bytes: bytes.count, sha256: digest), []
            )
        }
    }
    let card = try request.compose()
    try FileSystem.write(card.bytes, to: path)
    if let key { try FileSystem.write(Array("\(key) \(card.sha256)\n".utf8), to: keyPath) }
    return (
        KeptCard(path: path, width: card.width, height: card.height, bytes: card.bytes.count, sha256: card.sha256),
        card.warnings
    )
}
