public import HTTP
internal import Threading

/// An HTTP client that sends nothing: it keeps the requests, and answers them from a list, in order.
public final class ScriptedHTTPClient: HTTPClient {
    public enum Answer: Sendable {
        case response(HTTPResponse)
        case failure(HTTPError)
        case cancelled

        /// A JSON answer with status 200.
        public static func json(_ text: String, headers: [(name: String, value: String)] = []) -> Answer {
            .response(
                HTTPResponse(
                    status: 200, headers: [(name: "content-type", value: "application/json")] + headers,
                    body: Array(text.utf8)))
        }

        public static func status(
            _ status: Int, _ body: String = "", headers: [(name: String, value: String)] = []
        ) -> Answer {
            .response(HTTPResponse(status: status, headers: headers, body: Array(body.utf8)))
        }

        public static func bytes(_ bytes: [UInt8], type: String = "image/jpeg") -> Answer {
            .response(
                HTTPResponse(status: 200, headers: [(name: "content-type", value: type)], body: bytes))
        }
    }

    private struct State {
        var answers: [Answer]
        var requests: [HTTPRequest] = []
    }

    private let state: Locked<State>

    public init(_ answers: [Answer] = []) { state = Locked(State(answers: answers)) }

    /// What was sent so far.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// How many answers have not been asked for.
    public var left: Int { state.withLock { $0.answers.count } }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let answer: Answer? = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        switch answer {
        case .response(let response): return response
        case .failure(let error): throw error
        case .cancelled: throw CancellationError()
        case nil:
            throw HTTPError(kind: .other, message: "the script has no answer left", mayHaveBeenSent: false)
        }
    }

    public func download(_ request: HTTPRequest, to path: String) async throws -> HTTPResponse {
        throw HTTPError(kind: .other, message: "the script has no downloads", mayHaveBeenSent: false)
    }
}

extension HTTPRequest {
    /// The fields of a form, in order; empty for another body.
    public var form: [(name: String, value: String)] {
        if case .form(let fields) = body { fields } else { [] }
    }

    /// The form's field of that name.
    public func field(_ name: String) -> String? { form.first { $0.name == name }?.value }

    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
