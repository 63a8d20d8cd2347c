internal import Files
internal import Hashing
internal import StepKit
internal import StoryCard
internal import Values

/// A card in the folder of artifacts.
///
/// Its name holds a digest of all that it is made of: the spec, what is in the pictures' files, the program and the
/// libraries. So another card never takes the place of an earlier one, and the same is drawn once: a note beside it
/// tells its own digest, by which damage shows, and its warnings, which are told again.
struct KeptCard {
    let path: String
    let width: Int
    let height: Int
    let bytes: Int
    /// 64 hexadecimal digits.
    let sha256: String
    let warnings: [String]

    /// The card, drawn, or found where an earlier attempt at this step has left it.
    static func of(_ request: CardRequest, _ call: StepCall) throws -> KeptCard {
        let digest = request.inputsDigest
        let name =
            call.cardName + (digest.map { "-\($0.prefix(12))" } ?? "") + "." + request.fileExtension
        let path = FileSystem.join(call.artifacts, name)
        let note = FileSystem.join(call.artifacts, "." + name + ".json")
        if let digest, let found = KeptCard(at: path, note: note, of: digest) { return found }
        let composed = try request.compose()
        let card = KeptCard(
            path: path, width: composed.width, height: composed.height, bytes: composed.bytes.count,
            sha256: composed.sha256, warnings: composed.warnings)
        try FileSystem.write(composed.bytes, to: path)
        // Fonts that were missing may have come by the next time, and a file that changes meanwhile makes another card.
        if let digest, !composed.lacksFonts, request.inputsDigest == digest {
            try FileSystem.write(Array(card.note(of: digest).json().utf8), to: note)
        }
        return card
    }

    private func note(of digest: String) -> Value {
        [
            "inputs": .string(digest), "sha256": .string(sha256),
            "warnings": .array(warnings.map { .string($0) }),
        ]
    }
}

extension KeptCard {
    /// The card that is there; nil when it is not the one of that digest, or not as it was drawn.
    private init?(at path: String, note notePath: String, of digest: String) {
        guard let text = try? FileSystem.read(notePath, maxBytes: 1 << 20), let note = try? Value(json: text),
            note["inputs"]?.string == digest, let bytes = try? FileSystem.read(path, regularOnly: true),
            let header = try? readImageHeader(bytes), let warnings = note["warnings"]?.array
        else { return nil }
        let sha256 = SHA256.hex(bytes)
        guard note["sha256"]?.string == sha256 else { return nil }
        self.init(
            path: path, width: header.width, height: header.height, bytes: bytes.count, sha256: sha256,
            warnings: warnings.compactMap(\.string))
    }
}

extension StepCall {
    /// The address as words of a file's name: "card", "card-0" for its first item.
    fileprivate var cardName: String {
        let words = fileStem.split(separator: "-")
        return words.isEmpty ? "card" : words.joined(separator: "-")
    }
}
