internal import HTTPServer
internal import Hashing
internal import Values

/// Photos by signed links, as Instagram's network of servers gives them.
///
/// `GET /cdn/v/t51.2885-15/<media id>_n.jpg?…&oh=<signature>&oe=<expiry, hexadecimal seconds>`: any other query, or a time
/// past `oe`, is answered with 403 and the text "URL signature expired". `GET /cdn/vk/<photo id>.jpg` gives a photo that
/// was saved on VK.
enum CDN {
    /// How long a link lives; Meta gives no figure, reports speak of four to seven days.
    private static let life = Duration.seconds(5 * 86_400)

    static func link(_ base: String, media id: String, _ key: String, _ now: Timestamp) -> String {
        let path = "/cdn/v/t51.2885-15/\(id)_n.jpg"
        let query = "stp=dst-jpg_e35_tt6&_nc_cat=109&ccb=7-5&_nc_ht=scontent.cdninstagram.com"
        let expiry = String((now + life).seconds, radix: 16, uppercase: true)
        return "\(base)\(path)?\(query)&oh=\(signature(path, query, expiry, key))&oe=\(expiry)"
    }

    private static func signature(_ path: String, _ query: String, _ expiry: String, _ key: String) -> String {
        "00_" + SHA256.hex("\(key)\n\(path)\n\(query)\n\(expiry)").prefix(32)
    }

    /// The media's id when the link is good.
    static func mediaID(_ request: HTTPServerRequest, _ key: String, _ now: Timestamp) -> String? {
        let query = request.query.filter { $0.name != "oh" && $0.name != "oe" }.map { "\($0.name)=\($0.value)" }
        guard let expiry = request.argument("oe"), let seconds = Int64(expiry, radix: 16), seconds > now.seconds,
            request.argument("oh") == signature(request.path, query.joined(separator: "&"), expiry, key)
        else { return nil }
        let name = request.path.split(separator: "/").last ?? ""
        return name.hasSuffix("_n.jpg") ? String(name.dropLast(6)) : nil
    }

    static let expired = HTTPServerResponse(
        status: 403, contentType: "text/plain", body: Array("URL signature expired".utf8))
}
