internal import Files
internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Threading
internal import Values

/// A file of an upload, looked at before anything is sent.
struct UploadFile: Sendable {
    /// What VK takes for a photo (dev.vk.com, "Uploading photos to a wall").
    private static let maxPhotoBytes = 50 << 20

    let field: String
    let part: HTTPPart

    /// The files of a call: every parameter but `url`.
    ///
    /// - Throws: `StepError` of class `invalid` when one cannot be sent.
    static func all(of call: StepCall) async throws -> [UploadFile] {
        let fields = call.parameters.filter { $0.key != "url" && !$0.value.isNull }
        guard !fields.isEmpty else {
            throw StepError(
                .invalid, "there is no file to upload", why: "Every key but 'url' is a field with a file's path.",
                fix: "Write 'photo: PATH'.")
        }
        var files: [UploadFile] = []
        for (field, value) in fields {
            guard let path = value.string, !path.isEmpty else {
                throw StepError(.invalid, "'\(field)' is \(value.quoted), not a file's path")
            }
            files.append(try UploadFile(field: field, path: path, facts: try await look(at: path)))
        }
        return files
    }

    /// Uploads get a second more for each 100 KB.
    static func extraTime(forBytes bytes: Int) -> Duration { .seconds(bytes / 100_000) }

    private static func look(at path: String) async throws -> FileFacts {
        do {
            return try await offPool { try FileFacts(of: path) }
        } catch let error as FileError {
            throw StepError(.invalid, "\(error)", fix: "Check the path, and the step that made the file.")
        }
    }

    /// VK tells the type by the name's extension, and stumbles over names that are not ASCII: so the part is named for
    /// its field and its true format.
    private init(field: String, path: String, facts: FileFacts) throws(StepError) {
        guard facts.size > 0 else {
            throw StepError(.invalid, "'\(path)' is empty", fix: "Check the step that made the file.")
        }
        var mediaType = "application/octet-stream"
        var suffix = Self.asciiExtension(of: path)
        if let format = facts.format {
            mediaType = format.mediaType
            suffix = "." + format.fileExtension
        }
        if field == "photo" || (field.hasPrefix("file") && field != "file") {
            guard let format = facts.format, format != .webp else {
                throw StepError(
                    .invalid, "'\(path)' is no JPEG, PNG or GIF", why: "VK takes no other pictures.",
                    fix: "Convert it, or compose a card of it with card.compose.")
            }
            guard facts.size <= Self.maxPhotoBytes else {
                throw StepError(
                    .invalid, "'\(path)' has \(facts.size) bytes", why: "VK takes photos of up to 50 MB.",
                    fix: "Make it smaller.")
            }
        }
        self.field = field
        part = HTTPPart(name: field, content: .file(path: path, name: field + suffix, contentType: mediaType))
    }

    /// ".mp4"; "" where the name has none that is plain.
    private static func asciiExtension(of path: String) -> String {
        let name = FileSystem.name(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        let suffix = name[name.index(after: dot)...]
        guard (1...8).contains(suffix.utf8.count), suffix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return "" }
        return "." + suffix.lowercased()
    }
}
