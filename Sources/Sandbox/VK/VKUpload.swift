internal import HTTPServer
internal import Hashing
internal import StoryCard
internal import Values

/// `POST /upload/<ticket>?…`: takes one picture in the multipart field `photo`, as VK's upload servers do, or in `file0`,
/// as some of its clients send it.
///
/// The answer is `{"server": …, "photo": "[…]", "hash": "…"}`; `photo` is `"[]"` for whatever VK would refuse: no file
/// name with a picture's ending, a file that is no JPEG, PNG or GIF, more than 50 MB, width and height above 14000
/// together, a ratio beyond 1:20. An unknown ticket is answered with the text "Security Breach2".
enum VKUpload {
    /// The bytes to be kept, under the name of their SHA-256.
    struct Picture: Sendable {
        let bytes: [UInt8]
        let sha256: String
        let width: Int
        let height: Int
        let format: ImageFormat
    }

    /// The picture in the request; nil when VK would refuse it.
    static func picture(in request: HTTPServerRequest) -> Picture? {
        guard let part = request.field("photo") ?? request.field("file0"), let name = part.fileName?.lowercased(),
            [".jpg", ".jpeg", ".png", ".gif"].contains(where: name.hasSuffix),
            request.form.filter({ $0.fileName != nil }).count == 1, part.bytes.count <= 50 << 20,
            let (format, width, height) = header(of: part.bytes), width + height <= 14_000,
            max(width, height) <= 20 * min(width, height)
        else { return nil }
        return Picture(
            bytes: part.bytes, sha256: SHA256.hex(part.bytes), width: width, height: height, format: format)
    }

    /// A file of an upload for an album, a story or a document.
    struct File: Sendable {
        let name: String
        /// Empty once they are stored.
        let bytes: [UInt8]
        let sha256: String
        let size: Int
        /// 0 for what is no picture, as the height is.
        let width: Int
        let height: Int
        let format: String

        /// "pdf"; empty for a name without one.
        var suffix: String { name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? "" }
    }

    /// The files in the request that VK would take: pictures of `file1` to `file5` for an album, one picture of `file` for
    /// a story, one file of `file` for a document.
    static func files(in request: HTTPServerRequest, for purpose: SandboxState.UploadTicket.Purpose) -> [File] {
        let names = purpose == .album ? (0...5).map { "file\($0)" } : ["file", "file0"]
        return names.compactMap { name in
            guard let part = request.field(name), let fileName = part.fileName else { return nil }
            let endings = [".jpg", ".jpeg", ".png", ".gif"]
            let picture = header(of: part.bytes)
            if purpose != .document {
                let limit = purpose == .story ? 10 << 20 : 50 << 20
                guard let picture, endings.contains(where: fileName.lowercased().hasSuffix), part.bytes.count <= limit,
                    picture.width + picture.height <= 14_000,
                    max(picture.width, picture.height) <= 20 * min(picture.width, picture.height)
                else { return nil }
            } else if part.bytes.isEmpty || ["mp3", "exe"].contains(fileName.split(separator: ".").last ?? "") {
                return nil
            }
            return File(
                name: fileName, bytes: part.bytes, sha256: SHA256.hex(part.bytes), size: part.bytes.count,
                width: picture?.width ?? 0, height: picture?.height ?? 0, format: picture?.0.rawValue ?? "")
        }
    }

    private static func header(of bytes: [UInt8]) -> (ImageFormat, width: Int, height: Int)? {
        switch imageFormat(magic: bytes) {
        case .jpeg?, .png?:
            guard let header = try? readImageHeader(bytes) else { return nil }
            return (header.format, header.width, header.height)
        case .gif?:
            // Width and height, 16 bits each, low byte first (GIF89a, section 18).
            guard bytes.count > 13 else { return nil }
            return (.gif, Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8)
        default: return nil
        }
    }

    /// Files the picture under a new server, text and hash, and gives the answer.
    static func answer(_ picture: Picture?, ticket: SandboxState.UploadTicket, _ state: inout SandboxState) -> Value {
        let server = Int64.random(in: 800_000...999_999)
        let hash = randomHex(32)
        guard let picture else {
            return ["server": .integer(server), "photo": "[]", "hash": .string(hash)]
        }
        // Slashes are escaped as VK's server escapes them: a client that decodes and encodes this text changes it.
        let key = randomHex(10)
        let photo =
            #"[{"markers_restarted":true,"photo":"\#(key):w","sizes":[],"latitude":0,"longitude":0,"#
            + #""kid":"\#(randomHex(32))","sizes2":[["max","\#(server)\/v\#(server)608\/\#(randomHex(6))\/\#(randomKey(11)).jpg","#
            + #"\#(picture.width),\#(picture.height)]],"urls":[],"urls2":[]}]"#
        state.uploads.append(
            SandboxState.Upload(
                groupID: ticket.groupID, server: server, photo: photo, hash: hash, isSaved: false,
                sha256: picture.sha256,
                bytes: picture.bytes.count, width: picture.width, height: picture.height,
                format: picture.format.rawValue))
        state.needsSaving = true
        return ["server": .integer(server), "photo": .string(photo), "hash": .string(hash)]
    }
}
