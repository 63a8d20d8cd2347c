internal import Files
internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Threading
internal import Values

/// A file of an upload, looked at before anything is sent.
struct UploadFile: Sendable {
    /// What a file is uploaded as: that decides what VK takes.
    enum Use: Sendable, Hashable {
        /// dev.vk.com, "Uploading photos to a wall", "… to an album".
        case photo
        /// dev.vk.com, "Uploading stories".
        case story
        /// A document or a video: the server looks at it.
        case other

        fileprivate var maxMegabytes: Int { self == .story ? 10 : 50 }
    }

    let field: String
    let path: String
    let bytes: Int
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
            let isPhoto = field == "photo" || (field.hasPrefix("file") && field != "file")
            files.append(try await look(at: path, field: field, use: isPhoto ? .photo : .other))
        }
        return files
    }

    /// - Throws: `StepError` of class `invalid` when the file cannot be sent.
    static func look(at path: String, field: String, use: Use) async throws -> UploadFile {
        let facts: FileFacts
        let size: PictureSize?
        do {
            (facts, size) = try await offPool {
                let facts = try FileFacts(of: path)
                return (facts, facts.format.flatMap { PictureSize(of: path, format: $0) })
            }
        } catch let error as FileError {
            throw StepError(.invalid, "\(error)", fix: "Check the path, and the step that made the file.")
        }
        return try UploadFile(field: field, path: path, facts: facts, size: size, use: use)
    }

    /// Uploads get a second more for each 100 KB.
    static func extraTime(forBytes bytes: Int) -> Duration { .seconds(bytes / 100_000) }

    /// VK tells the type by the name's extension, and stumbles over names that are not ASCII: so the part is named for
    /// its field and its true format.
    private init(
        field: String, path: String, facts: FileFacts, size: PictureSize?, use: Use
    ) throws(StepError) {
        guard facts.size > 0 else {
            throw StepError(.invalid, "'\(path)' is empty", fix: "Check the step that made the file.")
        }
        var mediaType = "application/octet-stream"
        var suffix = Self.asciiExtension(of: path)
        if let format = facts.format {
            mediaType = format.mediaType
            suffix = "." + format.fileExtension
        }
        if use != .other { try Self.check(path, facts, size, use) }
        self.field = field
        self.path = path
        bytes = facts.size
        part = HTTPPart(name: field, content: .file(path: path, name: field + suffix, contentType: mediaType))
    }

    /// What VK would refuse, most often with an empty answer that says nothing.
    private static func check(_ path: String, _ facts: FileFacts, _ size: PictureSize?, _ use: Use) throws(StepError) {
        guard let format = facts.format, format != .webp else {
            throw StepError(
                .invalid, "'\(path)' is no JPEG, PNG or GIF", why: "VK takes no other pictures.",
                fix: "Convert it, or compose a card of it with card.compose.")
        }
        guard facts.size <= use.maxMegabytes << 20 else {
            throw StepError(
                .invalid, "'\(path)' has \(facts.size) bytes",
                why: "VK takes \(use == .story ? "pictures of stories" : "photos") of up to \(use.maxMegabytes) MB.",
                fix: "Make it smaller.")
        }
        guard let size else { return }
        guard size.width + size.height <= 14_000 else {
            throw StepError(
                .invalid, "'\(path)' is \(size.width)x\(size.height) pixels",
                why: "VK takes photos of up to 14000 pixels, width and height together.",
                fix: "Make it smaller, or compose a card of it with card.compose.")
        }
        guard max(size.width, size.height) <= 20 * min(size.width, size.height) else {
            throw StepError(
                .invalid, "'\(path)' is \(size.width)x\(size.height) pixels",
                why: "VK takes no photo with one side more than 20 times the other.",
                fix: "Crop it, or compose a card of it with card.compose.")
        }
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
