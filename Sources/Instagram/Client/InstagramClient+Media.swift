internal import Files
internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Values

/// A page of a list of media.
struct MediaPage: Sendable {
    let items: [Media]
    /// How many entries the page had, those that cannot be read included.
    let count: Int
    /// Where the next page begins; nil at the end.
    let after: String?
}

extension InstagramClient {
    /// One page of an edge: "me/media", "me/stories".
    ///
    /// - Parameter limit: 1 to 100.
    func page(of edge: String, after: String?, limit: Int, for call: StepCall) async throws -> MediaPage {
        var query = [(name: "fields", value: Media.fields), (name: "limit", value: String(limit))]
        if let after { query.append((name: "after", value: after)) }
        let answer = try await get(edge, query, for: call)
        guard let data = answer["data"]?.array else {
            throw StepError(.server, "Instagram's \(edge) was answered without 'data'")
        }
        return MediaPage(items: data.compactMap(Media.init), count: data.count, after: cursor(answer["paging"]))
    }

    /// Where the next page begins. It is asked for by the cursor, which stands beside the ready address in `next` or in it
    /// alone: that address holds the token.
    private func cursor(_ paging: Value?) -> String? {
        guard let next = paging?["next"]?.string else { return nil }
        let after =
            paging?["cursors"]?["after"]?.string
            ?? URLParts(next)?.query.flatMap { query in formDecoded(query).first { $0.name == "after" }?.value }
        return after.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// One post, or one item of a carousel.
    func media(_ id: String, for call: StepCall) async throws -> Media {
        guard nodeID(.string(id)) != nil else {
            throw StepError(
                .invalid, "'\(id.prefix(60))' is no id of a post", why: "Ids are digits.",
                fix: "Give the id that instagram.media or instagram.latest has brought.")
        }
        let answer = try await get(id, [(name: "fields", value: Media.fields)], for: call)
        guard let media = Media(answer) else {
            throw StepError(.server, "Instagram's \(id) was answered without an id")
        }
        return media
    }

    /// The pictures of a post, kept as files. An address that has expired is asked for anew, once.
    ///
    /// - Parameters:
    ///   - choice: which of the post's pictures.
    /// - Returns: none when the post has no picture to be had.
    func download(_ media: Media, _ choice: PictureChoice, for call: StepCall) async throws -> [DownloadedPicture] {
        var pictures = media.pictures(choice)
        var kept: [DownloadedPicture] = []
        var isFresh = false
        while kept.count < pictures.count {
            let picture = pictures[kept.count]
            do {
                let (bytes, format) = try await load(picture.address, for: call)
                let path = FileSystem.join(call.artifacts, picture.fileStem + "." + format.fileExtension)
                try await saveArtifact(bytes, to: path)
                kept.append(DownloadedPicture(path: path, address: picture.address))
            } catch let error as StepError where error.errorClass == .stale {
                guard !isFresh else { throw expired(error) }
                isFresh = true
                pictures = try await self.media(media.id, for: call).pictures(choice)
                guard pictures.count > kept.count else { throw expired(error) }
            } catch let error as FileError {
                throw StepError(.invalid, "\(error)", fix: "See that there is room for it.")
            }
        }
        return kept
    }

    /// This step has no inputs that could be made again.
    private func expired(_ error: StepError) -> StepError {
        var error = error
        error.errorClass = .server
        error.why = "The address of the picture was asked for anew, and was refused again."
        return error
    }

    /// Loads a picture. Neither token nor header of ours goes with it: it lies on another company's machines.
    ///
    /// - Throws: `StepError` of class `stale` when the address has expired, of class `server` when what comes is no
    ///   picture; `CancellationError`.
    private func load(_ address: String, for call: StepCall) async throws -> (bytes: [UInt8], format: PictureFormat) {
        let name = "the download of Instagram's picture"
        let request = HTTPRequest(
            .get, address, limits: HTTPLimits(total: call.timeout, maxBytes: 64 << 20), maxRedirects: 5, label: name)
        let response: HTTPResponse
        do {
            response = try await http.send(request)
        } catch let failure as HTTPError {
            throw StepError(failure, of: name, isWrite: false)
        }
        switch response.status {
        case 200..<300: break
        case 403, 404, 410:
            throw StepError(
                .stale, "\(name) was answered with HTTP \(response.status)",
                why: "The addresses of media expire after some days.", code: "HTTP \(response.status)")
        default: throw StepError(status: response, of: name, isWrite: false)
        }
        // By the first bytes: the endings of names and the declared types are wrong at times.
        guard let format = PictureFormat(head: response.body), format != .gif else {
            throw StepError(
                .server, "\(name) brought \(description(of: response))", why: "JPEG, PNG and WebP are taken.")
        }
        return (response.body, format)
    }

    private func description(of response: HTTPResponse) -> String {
        if response.body.isEmpty { return "an empty body" }
        let type = response.header("Content-Type").map { " (\($0.prefix { $0 != ";" }))" } ?? ""
        return "no picture" + type
    }
}

struct DownloadedPicture: Sendable, Hashable {
    let path: String
    /// Where it was loaded from.
    let address: String
}

/// An id that can be part of an address, which comes as text or as a number; nil for anything else.
func nodeID(_ value: Value) -> String? { idText(value).flatMap { $0.utf8.allSatisfy(isIDByte) ? $0 : nil } }

/// Ids are digits; those of other services have letters, `_` and `-`. Nothing that could change an address.
private func isIDByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
    default: false
    }
}
