public import HTTP
internal import Hashing
internal import StepKit
public import Values

/// The address at which a service's sign-in page ended, as a person pastes it: `https://…?code=…&state=…#_`, or
/// `https://…/blank.html#access_token=…`.
public struct SignInLanding: Sendable {
    private let items: [(name: String, value: String)]

    /// Nil when it is no address with an answer in it.
    public init?(_ text: String) {
        let text = text.filter { !$0.isWhitespace }
        let address = text.prefix { $0 != "#" }
        let fragment = text[address.endIndex...].dropFirst()
        let query = address.firstIndex(of: "?").map { address[address.index(after: $0)...] } ?? ""
        let items = formDecoded(String(query)) + formDecoded(String(fragment))
        guard items.contains(where: { ["code", "access_token", "error"].contains($0.name) }) else { return nil }
        self.items = items
    }

    /// The answer in what a person has pasted.
    ///
    /// - Parameters:
    ///   - state: what the link was made with; nil when it was made without.
    ///   - looks: how such an address looks, for one who has pasted another: "It begins with …, and has … in it".
    /// - Throws: `StepError` when it is no answer, or not to this link, or when the person has said no.
    public init(pasted text: String, of service: String, state: String?, looks: String) throws {
        guard let landing = SignInLanding(text) else {
            throw StepError(
                .invalid, "this is not the address at which \(service)'s page ends",
                fix: "\(looks); copy the whole line.")
        }
        self = landing
        try check(state: state, service: service)
    }

    /// The value of each of these names.
    ///
    /// - Throws: `StepError` when one is missing.
    public func values(_ names: String...) throws -> [String] {
        let values = names.compactMap { self[$0] }
        guard values.count == names.count else {
            throw StepError(
                .invalid, "the address has no \(names.map { "'\($0)'" }.joined(separator: " and ")) in it",
                fix: "Copy the whole line.")
        }
        return values
    }

    /// The first value of that name, empty ones left out.
    public subscript(name: String) -> String? {
        items.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    private func check(state: String?, service: String) throws {
        if let error = self["error"] {
            let words = serviceWords(self["error_description"] ?? self["error_reason"], hiding: [])
            throw StepError(
                .permission, "\(service) did not sign you in (\(serviceWords(error, hiding: []) ?? "error"))",
                why: words.map { "\(service) says: \($0)" + ($0.hasSuffix(".") ? "" : ".") },
                fix: "Sign in once more, and agree.", code: "sign-in")
        }
        guard state == nil || self["state"] == state else {
            throw StepError(
                .invalid, "this address is the answer to another link",
                why: "Its 'state' is not the one that this command has made.",
                fix: "Sign in once more, and give the address at which the new link ends.", code: "sign-in")
        }
    }
}

/// A random text of 43 letters, digits, `-` and `_`: 256 bits, for `state` and PKCE's verifier (RFC 7636 §4.1).
public func randomSignInText() -> String {
    var generator = SystemRandomNumberGenerator()
    return base64url((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
}

/// PKCE's challenge for a verifier, by S256 (RFC 7636 §4.2).
public func signInChallenge(for verifier: String) -> String { base64url(SHA256.digest(Array(verifier.utf8))) }

/// How long a token lives, by `expires_in`: a hundred years at most, so that its end stays a date.
public func tokenLife(seconds: Int64) -> Duration { .seconds(min(seconds, 3_155_760_000)) }

/// Asks a service's sign-in for something, and gives back its JSON object.
///
/// - Parameters:
///   - request: its label names it in messages.
///   - secrets: what no message may hold.
///   - isWrite: whether what may have been carried out is `in-doubt`: what is asked with is spent then.
/// - Throws: `StepError`: of class `permission` when the service refuses, with its own code; `CancellationError`.
public func signInAnswer(
    to request: HTTPRequest, by http: any HTTPClient, hiding secrets: [Secret], isWrite: Bool = false
) async throws -> Value {
    let name = request.label ?? "the sign-in"
    let response: HTTPResponse
    do {
        response = try await http.send(request)
    } catch let failure as HTTPError {
        throw StepError(failure, of: name, isWrite: isWrite)
    }
    let answer = try? Value(json: response.body)
    if let refusal = answer.flatMap({ SignInRefusal($0) }) {
        let words = serviceWords(refusal.words, hiding: secrets)
        throw StepError(
            response.status >= 500 || passingRefusals.contains(refusal.code) ? .server : .permission,
            "\(name) was refused (\(serviceWords(refusal.code, hiding: secrets) ?? "error"))",
            why: words.map { "The answer says: \($0)" + ($0.hasSuffix(".") ? "" : ".") }, code: refusal.code)
    }
    guard (200..<300).contains(response.status) else {
        throw StepError(status: response, of: name, isWrite: isWrite)
    }
    guard let answer, answer.object != nil else {
        let what = answer == nil ? nameOfNoJSON(response) : "something that is no object"
        let sentence = "\(name) was answered with \(what)"
        throw isWrite ? StepError.inDoubt(sentence) : StepError(.server, sentence)
    }
    return answer
}

/// What passes by itself (RFC 6749 §4.1.2.1; VK ID, "API description").
private let passingRefusals: Set<String> = ["server_error", "temporarily_unavailable", "slow_down"]

/// The shapes of refusals: OAuth's own (RFC 6749 §5.2), Instagram's flat one, Graph's, VK's.
private struct SignInRefusal {
    let code: String
    let words: String?

    init?(_ answer: Value) {
        func text(_ value: Value?) -> String? { value?.string ?? value?.integer.map(String.init) }
        if let error = answer["error"], !error.isNull {
            if error.object != nil {
                code =
                    [text(error["code"] ?? error["error_code"]), text(error["error_subcode"])].compactMap { $0 }
                    .joined(separator: "/")
                words = (error["message"] ?? error["error_msg"])?.string
            } else {
                code = text(error) ?? "error"
                words = answer["error_description"]?.string
            }
        } else if ["error_type", "error_message"].contains(where: { answer[$0].map { !$0.isNull } ?? false }) {
            code = text(answer["code"]) ?? text(answer["error_type"]) ?? "error"
            words = answer["error_message"]?.string
        } else {
            return nil
        }
    }
}
