internal import Values

/// VK's error envelope. Codes and texts are those of VKCOM/vk-api-schema's errors.json (5.199); what follows the colon is
/// as VK's users report it.
struct VKError: Error, Sendable {
    var code: Int64
    var message: String
    var subcode: Int64?
    /// Members of some codes only: a captcha's.
    var members: ValueObject = [:]

    static func parameter(_ what: String) -> VKError {
        VKError(code: 100, message: "One of the parameters specified was missing or invalid: \(what)")
    }

    static let accessDenied = VKError(code: 15, message: "Access denied")
    static let invalidHash = VKError(code: 121, message: "Invalid hash")

    /// The general text of a code.
    static func text(of code: Int64) -> String { texts[code] ?? "Unknown error occurred" }

    private static let texts: [Int64: String] = [
        1: "Unknown error occurred",
        2: "Application is disabled. Enable your application or use test mode",
        3: "Unknown method passed",
        4: "Incorrect signature",
        5: "User authorization failed",
        6: "Too many requests per second",
        7: "Permission to perform this action is denied",
        8: "Invalid request",
        9: "Flood control",
        10: "Internal server error",
        14: "Captcha needed",
        15: "Access denied",
        17: "Validation required",
        18: "User was deleted or banned",
        19: "Content blocked",
        22: "Upload error",
        23: "This method was disabled",
        24: "Confirmation required",
        27: "Group authorization failed",
        28: "Application authorization failed",
        29: "Rate limit reached",
        30: "This profile is private",
        36: "Method execution was interrupted due to timeout",
        100: "One of the parameters specified was missing or invalid",
        103: "Out of limits",
        104: "Not found",
        105: "Couldn't save file",
        113: "Invalid user id",
        114: "Invalid album id",
        118: "Invalid server",
        121: "Invalid hash",
        125: "Invalid group id",
        129: "Invalid photo",
        150: "Invalid timestamp",
        200: "Access denied",
        203: "Access to group denied",
        210: "Access to wall's post denied",
        214: "Access to adding post denied",
        219: "Advertisement post was recently added",
        220: "Too many recipients",
        222: "Hyperlinks are forbidden",
        224: "Too many ads posts",
        300: "This album is full",
        703: "You need to enable 2FA for this action",
        1117: "Access token has expired",
        3300: "Recaptcha needed",
        3609: "Token extension required",
        3610: "User is deactivated",
        11500: "CheckUserAction confirmation required",
    ]

    /// - Parameter echoesToken: shows the token among the parameters, as VK once did.
    func value(for call: VKCall, echoesToken: Bool = false) -> Value {
        var error: ValueObject = ["error_code": .integer(code)]
        if let subcode { error["error_subcode"] = .integer(subcode) }
        error["error_msg"] = .string(message)
        var echoed: [Value] = [["key": "method", "value": .string(call.method)], ["key": "oauth", "value": "1"]]
        for (name, value) in call.parameters where name != "access_token" {
            echoed.append(["key": .string(name), "value": .string(value)])
        }
        if echoesToken, let token = call.token {
            echoed.append(["key": "access_token", "value": .string(token)])
        }
        error["request_params"] = .array(echoed)
        for (key, value) in members { error[key] = value }
        return ["error": .object(error)]
    }
}
