internal import HTTPServer
internal import Values

/// Graph's error envelope.
struct InstagramError: Error, Sendable {
    var code: Int64
    var subcode: Int64?
    var message: String
    var type = "IGApiException"
    var status = 400

    static func badToken(_ message: String, subcode: Int64? = nil) -> InstagramError {
        InstagramError(code: 190, subcode: subcode, message: message, type: "OAuthException")
    }

    static func unknown(id: String) -> InstagramError {
        InstagramError(
            code: 100, subcode: 33,
            message: "Unsupported get request. Object with ID '\(id)' does not exist, cannot be loaded due to missing "
                + "permissions, or does not support this operation")
    }

    static func parameter(_ message: String) -> InstagramError { InstagramError(code: 100, message: message) }

    /// The general text of a code, for faults without one of their own.
    static func text(of code: Int64) -> String {
        switch code {
        case 1: "An unknown error has occurred."
        case 2: "Service temporarily unavailable"
        case 4: "Application request limit reached"
        case 10: "Application does not have permission for this action"
        case 17: "User request limit reached"
        case 190: "Error validating access token: Session has expired on Saturday, 28-Nov-26 08:00:00 PST."
        default: "An error has occurred."
        }
    }

    var response: HTTPServerResponse {
        var error: ValueObject = ["message": .string(message), "type": .string(type), "code": .integer(code)]
        if let subcode { error["error_subcode"] = .integer(subcode) }
        error["fbtrace_id"] = .string("A" + randomKey(22))
        return .json(Value.object(["error": .object(error)]).json(), status: status)
    }
}
