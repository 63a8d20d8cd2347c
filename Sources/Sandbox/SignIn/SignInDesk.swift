internal import HTTPServer
internal import Hashing
internal import Values

/// Answers the calls of signing in; `SignInEndpoint` lists them.
struct SignInDesk: Sendable {
    /// Names of parameters that no list of calls shows.
    static let secretNames = ["access_token", "client_secret", "refresh_token", "code", "code_verifier"]

    static let hour = Duration.seconds(3600)
    static let longLife = Duration.seconds(5_183_944)

    let request: HTTPServerRequest
    let base: String
    let now: Timestamp
    let configuration: SandboxConfiguration

    func argument(_ name: String) -> String? {
        guard let text = request.argument(name) ?? request.field(name)?.text, !text.isEmpty else { return nil }
        return text
    }

    func answer(_ page: SignInEndpoint, _ state: inout SandboxState) throws -> HTTPServerResponse {
        state.needsSaving = true
        switch page {
        case .instagramAuthorize: return instagramConsent(&state.signIns)
        case .instagramToken: return instagramToken(&state.signIns)
        case .instagramExchange: return instagramExchange(&state.signIns)
        case .vkAuthorize: return vkConsent(&state.signIns)
        case .vkBlank:
            return .html("<!doctype html><title>Blank</title>Please do not copy the data from the address bar.\n")
        case .vkToken: return vkToken(&state.signIns)
        case .vkRevoke, .vkLogout:
            guard state.signIns.end(tokenOf: argument("access_token") ?? "") else {
                return vkRefusal("invalid_token", "access_token is missing or invalid")
            }
            return .json(#"{"response":1}"#)
        case .vkUserInfo:
            guard let token = state.signIns.vkToken(argument("access_token") ?? ""), !token.isRevoked else {
                return vkRefusal("invalid_token", "access_token is missing or invalid")
            }
            let user = VKWorld.user
            return .json(
                Value.object([
                    "user": [
                        "user_id": .string("\(user.id)"), "first_name": .string(user.firstName),
                        "last_name": .string(user.lastName),
                    ]
                ]).json())
        }
    }

    /// Sends the browser back.
    func redirect(to address: String, _ items: [(String, String?)], mark: String = "?", end: String = "")
        -> HTTPServerResponse
    {
        let query = items.compactMap { name, value in value.map { "\(name)=\(percentEncoded($0))" } }
            .joined(separator: "&")
        let joint = mark == "?" && address.contains("?") ? "&" : mark
        return HTTPServerResponse(status: 302, headers: [("Location", address + joint + query + end)])
    }
}

// MARK: Instagram

extension SignInDesk {
    private static let scopes = [
        InstagramScope.basic, InstagramScope.publish, "instagram_business_manage_comments",
        "instagram_business_manage_messages", "instagram_business_manage_insights",
    ]

    private func instagramConsent(_ signIns: inout SignIns) -> HTTPServerResponse {
        guard argument("client_id") == SandboxApp.instagramID else {
            return .text("Invalid Request: Request parameters are invalid: Invalid platform app\n", status: 400)
        }
        let scopes = (argument("scope") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        guard argument("response_type") == "code", let address = argument("redirect_uri") else {
            return .text("Invalid Request: Request parameters are invalid: Invalid redirect_uri\n", status: 400)
        }
        guard scopes.contains(InstagramScope.basic), scopes.allSatisfy(Self.scopes.contains) else {
            return .text("Invalid Scopes: \(scopes.joined(separator: ", "))\n", status: 400)
        }
        guard let granted = signIns.consent(to: scopes) else {
            return redirect(
                to: address,
                [
                    ("error", "access_denied"), ("error_reason", "user_denied"),
                    ("error_description", "The user denied your request."), ("state", argument("state")),
                ], end: "#_")
        }
        let code = SignIns.Code(
            text: "AQ" + randomKey(120), isVK: false, redirect: address, rights: granted, made: now)
        signIns.add(code)
        return redirect(to: address, [("code", code.text), ("state", argument("state"))], end: "#_")
    }

    private func instagramToken(_ signIns: inout SignIns) -> HTTPServerResponse {
        func refuse(_ message: String) -> HTTPServerResponse {
            .json(
                Value.object(["error_type": "OAuthException", "code": 400, "error_message": .string(message)]).json(),
                status: 400)
        }
        guard request.method == "POST", argument("grant_type") == "authorization_code" else {
            return refuse("Invalid grant_type")
        }
        guard argument("client_id") == SandboxApp.instagramID, argument("client_secret") == SandboxApp.instagramSecret
        else { return refuse("Error validating client secret") }
        guard let code = signIns.take(code: argument("code"), isVK: false, life: Self.hour, at: now) else {
            return refuse("Matching code was not found or was already used")
        }
        guard argument("redirect_uri") == code.redirect else {
            return refuse("Error validating verification code. Please make sure your redirect_uri is identical")
        }
        let token = SignIns.Token(
            text: SandboxToken.instagram.make(), isVK: false, isShort: true, session: randomHex(16),
            rights: code.rights, issued: now, expires: now + Self.hour)
        signIns.add(token)
        var answer: ValueObject = ["access_token": .string(token.text)]
        if signIns.shape == .numbers {
            answer["user_id"] = .optional(Int64(InstagramEndpoints.userID))
            answer["permissions"] = .array(token.rights.map { .string($0) })
        } else {
            answer["user_id"] = .string(InstagramEndpoints.userID)
            answer["permissions"] = .string(token.rights.joined(separator: ","))
        }
        return .json((signIns.shape == .data ? ["data": [.object(answer)]] : Value.object(answer)).json())
    }

    private func instagramExchange(_ signIns: inout SignIns) -> HTTPServerResponse {
        guard argument("grant_type") == "ig_exchange_token", argument("client_secret") == SandboxApp.instagramSecret
        else { return InstagramError.parameter("Error validating client secret.").response }
        guard let short = signIns.instagramToken(argument("access_token") ?? ""), short.isShort, short.expires > now
        else { return InstagramError.badToken("Session key invalid", subcode: 463).response }
        var long = short
        long.text = SandboxToken.instagram.make()
        long.isShort = false
        long.issued = now
        long.expires = now + Self.longLife
        signIns.add(long)
        return .json(
            Value.object([
                "access_token": .string(long.text), "token_type": "bearer", "expires_in": 5_183_944,
            ]).json())
    }
}

// MARK: VK

extension SignInDesk {
    private static let bits: [(String, Int64)] = [
        ("friends", 2), ("photos", 4), ("video", 16), ("stories", 64), ("wall", 8192), ("offline", 65536),
        ("docs", 131_072), ("groups", 262_144), ("email", 4_194_304),
    ]

    /// The names in a scope: a mask, or names with commas or blanks between.
    private func rights(_ scope: String?) -> [String] {
        if let scope, let mask = Int64(scope) { return Self.bits.filter { mask & $0.1 != 0 }.map(\.0) }
        return (scope ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }

    private func vkRefusal(_ error: String, _ words: String) -> HTTPServerResponse {
        var answer: ValueObject = ["error": .string(error), "error_description": .string(words)]
        answer["state"] = argument("state").map { .string($0) }
        return .json(Value.object(answer).json(), status: 400)
    }

    private func vkConsent(_ signIns: inout SignIns) -> HTTPServerResponse {
        guard argument("client_id") == SandboxApp.vkID, let address = argument("redirect_uri") else {
            return vkRefusal("invalid_client", "client_id is incorrect")
        }
        let isClassic = argument("response_type") == "token"
        let mark = isClassic ? "#" : "?"
        guard let granted = signIns.consent(to: rights(argument("scope"))) else {
            return redirect(
                to: address,
                [
                    ("error", "access_denied"), ("error_reason", "user_denied"),
                    ("error_description", "User denied your request"), ("state", argument("state")),
                ], mark: mark)
        }
        if isClassic {
            let isForEver = granted.contains("offline")
            let token = SignIns.Token(
                text: SandboxToken.vk.make(), isVK: true, session: randomHex(16), rights: granted, issued: now,
                expires: now + .seconds(isForEver ? 36500 * 86_400 : 86_400))
            signIns.add(token)
            return redirect(
                to: address,
                [
                    ("access_token", token.text), ("expires_in", isForEver ? "0" : "86400"),
                    ("user_id", "\(VKWorld.user.id)"), ("state", argument("state")),
                ], mark: mark)
        }
        guard argument("response_type") == "code", let challenge = argument("code_challenge"),
            argument("code_challenge_method")?.lowercased() == "s256", let state = argument("state"),
            state.utf8.count >= 32
        else { return vkRefusal("invalid_request", "code_challenge or state is invalid") }
        let code = SignIns.Code(
            text: "vk2.a." + randomKey(120), isVK: true, redirect: address, challenge: challenge,
            device: randomKey(86), rights: granted, made: now)
        signIns.add(code)
        return redirect(
            to: address,
            [
                ("code", code.text), ("expires_in", "600"), ("device_id", code.device), ("state", state),
                ("ext_id", randomKey(20)), ("type", "code_v2"),
            ])
    }

    private func vkToken(_ signIns: inout SignIns) -> HTTPServerResponse {
        guard argument("client_id") == SandboxApp.vkID else {
            return vkRefusal("invalid_client", "client_id is incorrect")
        }
        let token: SignIns.Token
        switch argument("grant_type") {
        case "authorization_code":
            guard let code = signIns.take(code: argument("code"), isVK: true, life: .seconds(600), at: now) else {
                return vkRefusal("invalid_request", "code is invalid or expired")
            }
            guard code.device == argument("device_id") else {
                return vkRefusal("invalid_request", "device_id is invalid")
            }
            guard code.redirect == argument("redirect_uri") else {
                return vkRefusal("invalid_request", "redirect_uri is invalid")
            }
            guard let verifier = argument("code_verifier"), (43...128).contains(verifier.utf8.count),
                base64url(SHA256.digest(Array(verifier.utf8))) == code.challenge
            else { return vkRefusal("invalid_request", "code_verifier is invalid") }
            token = SignIns.Token(
                text: "vk2.a." + randomKey(198), isVK: true, refresh: "vk2.a." + randomKey(120),
                device: code.device, session: randomHex(16), rights: code.rights, issued: now, expires: now + Self.hour)
            signIns.add(token)
        case "refresh_token":
            guard let next = signIns.rotate(argument("refresh_token"), device: argument("device_id"), now) else {
                return vkRefusal("invalid_token", "refresh_token is expired or invalid")
            }
            token = next
        default: return vkRefusal("invalid_request", "grant_type is invalid")
        }
        var answer: ValueObject = [
            "access_token": .string(token.text), "refresh_token": .optional(token.refresh),
            "id_token": .string(randomKey(60)), "token_type": "Bearer", "expires_in": 3600,
            "user_id": .integer(VKWorld.user.id), "scope": .string(token.rights.joined(separator: " ")),
        ]
        answer["state"] = argument("state").map { .string($0) }
        return .json(Value.object(answer).json())
    }

    /// What the rights are as VK's mask.
    static func mask(_ rights: [String]) -> Int64 {
        bits.reduce(0) { rights.contains($1.0) ? $0 | $1.1 : $0 }
    }
}
