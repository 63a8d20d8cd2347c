internal import Files
internal import Glibc
internal import Hashing
internal import StepKit
internal import StoryCard
internal import Values

/// A card in the folder of artifacts.
///
/// Its name holds a digest of all that it is made of: the spec, what is in the pictures' files, the program, the libraries
/// and the fonts. So another card never takes the place of an earlier one, and the same is drawn once: a note beside it,
/// named by all but the fonts, which are known only when it is drawn, tells its name, its fonts' files, its own digest, by
/// which damage shows, and its warnings, which are told again.
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
        func path(_ digest: String?, _ before: String = "", _ after: String = "") -> String {
            let name = call.cardName + (digest.map { "-\($0.prefix(12))" } ?? "") + "." + request.fileExtension
            return FileSystem.join(call.artifacts, before + name + after)
        }
        let digest = request.inputsDigest
        let note = path(digest, ".", ".json")
        if let digest, let found = KeptCard(in: call.artifacts, note: note, of: digest) { return found }
        let composed = try request.compose()
        let fonts = composed.fontFiles.map { FontFile($0) }
        let path = path(
            digest.map {
                fonts.isEmpty ? $0 : SHA256.hex(([$0] + fonts.map { "\($0.path) \($0.state)" }).joined(separator: "\n"))
            })
        let card = KeptCard(
            path: path, width: composed.width, height: composed.height, bytes: composed.bytes.count,
            sha256: composed.sha256, warnings: composed.warnings)
        try FileSystem.write(composed.bytes, to: path)
        // Fonts that were missing may have come by the next time, and a file that changes meanwhile makes another card.
        if let digest, !composed.lacksFonts, request.inputsDigest == digest {
            try FileSystem.write(Array(card.note(of: digest, fonts).json().utf8), to: note)
        }
        return card
    }

    private func note(of digest: String, _ fonts: [FontFile]) -> Value {
        [
            "inputs": .string(digest), "file": .string(FileSystem.name(of: path)), "sha256": .string(sha256),
            "fonts": .object(ValueObject(fonts.map { ($0.path, .string($0.state)) })),
            "warnings": .array(warnings.map { .string($0) }),
        ]
    }
}

extension KeptCard {
    /// The card that is there; nil when it is not the one of that digest and those fonts, or not as it was drawn.
    private init?(in folder: String, note notePath: String, of digest: String) {
        guard let text = try? FileSystem.read(notePath, maxBytes: 1 << 20), let note = try? Value(json: text),
            note["inputs"]?.string == digest, let name = note["file"]?.string, let fonts = note["fonts"]?.object,
            fonts.allSatisfy({ FontFile($0.key).state == $0.value.string })
        else { return nil }
        let path = FileSystem.join(folder, name)
        guard let bytes = try? FileSystem.read(path, regularOnly: true), let header = try? readImageHeader(bytes),
            let warnings = note["warnings"]?.array
        else { return nil }
        let sha256 = SHA256.hex(bytes)
        guard note["sha256"]?.string == sha256 else { return nil }
        self.init(
            path: path, width: header.width, height: header.height, bytes: bytes.count, sha256: sha256,
            warnings: warnings.compactMap(\.string))
    }
}

/// A font's file as it is now.
private struct FontFile {
    let path: String
    /// Its size and when it was changed; empty when it is gone.
    let state: String

    init(_ path: String) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else {
            state = ""
            return
        }
        state = "\(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
    }
}

extension StepCall {
    /// The address as words of a file's name: "card", "card-0" for its first item.
    fileprivate var cardName: String {
        let words = fileStem.split(separator: "-")
        return words.isEmpty ? "card" : words.joined(separator: "-")
    }
}
