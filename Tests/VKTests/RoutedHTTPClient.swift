import HTTP
import ServiceTestSupport
import Threading
import Values

/// An HTTP client that answers by a function: for calls whose order is not fixed.
final class RoutedHTTPClient: HTTPClient {
    typealias Route = @Sendable (_ request: HTTPRequest, _ number: Int) -> ScriptedHTTPClient.Answer

    private let route: Route
    private let sent = Locked<[HTTPRequest]>([])

    /// - Parameter route: is given the request, and how many with the same label came, this one included.
    init(_ route: @escaping Route) { self.route = route }

    var requests: [HTTPRequest] { sent.withLock { $0 } }

    func count(_ label: String) -> Int { requests.count { $0.label == label } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let number = sent.withLock { sent in
            sent.append(request)
            return sent.count { $0.label == request.label }
        }
        switch route(request, number) {
        case .response(let response): return response
        case .failure(let error): throw error
        case .cancelled: throw CancellationError()
        }
    }

    func download(_ request: HTTPRequest, to path: String) async throws -> HTTPResponse {
        throw HTTPError(kind: .other, message: "there are no downloads", mayHaveBeenSent: false)
    }
}

/// Answers as VK does when all goes well; photo ids count up from 101 in the order of saving.
func wellAnswered(_ request: HTTPRequest, _ number: Int) -> ScriptedHTTPClient.Answer {
    switch request.label {
    case "users.get": .json(#"{"response":[{"id":7}]}"#)
    case "photos.getWallUploadServer":
        .json(#"{"response":{"upload_url":"https://pu.vk.ru/u\#(number)","album_id":-14,"user_id":7}}"#)
    case "vk.upload":
        .json(
            #"{"server":"\#(number)","photo":"[{\"p\":\"\#(request.url.suffix(2))\"}]","hash":"h\#(request.url.suffix(2))"}"#
        )
    case "photos.saveWallPhoto":
        .json(
            #"{"response":[{"id":10\#(request.field("hash")?.last.map(String.init) ?? ""),"owner_id":7,"access_key":"k"}]}"#
        )
    case "wall.post": .json(#"{"response":{"post_id":42}}"#)
    default: .json(#"{"error":{"error_code":3,"error_msg":"Unknown method passed"}}"#)
    }
}

/// A post as `wall.getById` gives it, with these photos.
func readBack(_ photos: [Int]) -> ScriptedHTTPClient.Answer {
    let attachments = photos.map { #"{"type":"photo","photo":{"id":\#($0),"owner_id":7}}"# }
    return .json(
        #"{"response":{"items":[{"id":42,"owner_id":-12,"attachments":[\#(attachments.joined(separator: ","))]}]}}"#)
}
