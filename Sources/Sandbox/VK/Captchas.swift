internal import Values

/// Error 14: raising it, and accepting the call that brings the answer.
enum Captchas {
    /// How long the page of the new form can be used (dev.vk.com, "captcha-error").
    static let sessionLife = Duration.seconds(300)

    /// What a captcha is to be.
    struct Order: Sendable {
        var form: CaptchaForm
        /// The picture's text; nil for any.
        var answer: String?
        var solvesItself = false
        /// Where the repeated call must bring `remixstlid`; nil when it need not.
        var remixstlid: SandboxFault.RemixstlidPlace?
        var attempt: Int64 = 1
    }

    /// A new captcha for this call, as an error.
    static func raise(_ call: VKCall, _ order: Order, _ state: inout SandboxState) -> VKError {
        let form = order.form
        let captcha = SandboxState.Captcha(
            sid: randomText(12, from: "123456789"), form: form, method: call.method, fingerprint: call.fingerprint,
            answer: order.answer ?? randomAnswer(), isAnswerFixed: order.answer != nil,
            sessionToken: "eyJ\(randomKey(33)).\(randomKey(120)).\(randomKey(43))",
            successToken: "eyJ\(randomKey(33)).\(randomKey(160)).\(randomKey(43))",
            // Above 2^53, so that a client that takes it for a double sends another number.
            remixstlid: Int64.random(in: 9_007_199_254_740_993...9_223_372_036_854_775_807 / 10 * 9) | 1 << 60 | 1,
            remixstlidPlace: order.remixstlid, created: call.now, attempt: order.attempt)
        state.captchas.append(captcha)
        state.needsSaving = true
        var error = VKError(code: 14, message: "Captcha needed")
        if form != .new {
            error.members["captcha_sid"] = .string(captcha.sid)
            error.members["captcha_img"] = .string("\(call.base)/captcha.php?sid=\(captcha.sid)&s=1")
            error.members["captcha_ts"] = .double(Double(call.now.milliseconds) / 1000)
            error.members["captcha_attempt"] = .integer(order.attempt)
            error.members["captcha_ratio"] = 2.6
            error.members["is_refresh_enabled"] = false
            error.members["is_sound_captcha_available"] = false
        }
        if form != .old {
            error.members["redirect_uri"] = .string(
                "\(call.base)/not_robot_captcha?domain=vk.com&session_token=\(captcha.sessionToken)&variant=popup&blank=1\(order.solvesItself ? "&auto=1" : "")"
            )
            error.members["remixstlid"] = .integer(captcha.remixstlid)
        }
        return error
    }

    /// Whether the call brings the right answer; the captcha is used up then.
    ///
    /// The old form wants `captcha_sid` and `captcha_key`, the new one `success_token`; both all other parameters as they
    /// were. `remixstlid`, a parameter or a cookie, must be right where it comes, and come where the captcha was ordered so.
    ///
    /// - Throws: a fresh captcha of the same form for a wrong answer, or for an answer to a captcha that is not open.
    static func accept(_ call: VKCall, _ state: inout SandboxState) throws -> Bool {
        let index: Int?
        let isRight: (SandboxState.Captcha) -> Bool
        let form: CaptchaForm
        if let token = call.text("success_token") {
            index =
                state.captchas.firstIndex { $0.form != .old && $0.successToken == token }
                ?? state.captchas.firstIndex { $0.form != .old && $0.fingerprint == call.fingerprint }
            isRight = {
                $0.successToken == token && isRightUser($0, call)
                    && ($0.isClicked || call.now - $0.created <= sessionLife)
            }
            form = .new
        } else if let sid = call.text("captcha_sid") {
            index = state.captchas.firstIndex { $0.sid == sid }
            let key = call.text("captcha_key")?.lowercased()
            isRight = { $0.form == .old && $0.answer.lowercased() == key }
            form = .old
        } else {
            return false
        }
        guard let index else { throw raise(call, Order(form: form), &state) }
        let captcha = state.captchas.remove(at: index)
        state.needsSaving = true
        if isRight(captcha), captcha.fingerprint == call.fingerprint { return true }
        throw raise(
            call,
            Order(
                form: captcha.form, answer: captcha.isAnswerFixed ? captcha.answer : nil,
                remixstlid: captcha.remixstlidPlace, attempt: captcha.attempt + 1),
            &state)
    }

    private static func isRightUser(_ captcha: SandboxState.Captcha, _ call: VKCall) -> Bool {
        let wanted = "\(captcha.remixstlid)"
        let (field, cookie) = (call.text("remixstlid"), call.remixstlidCookie)
        guard [field, cookie].allSatisfy({ $0 == nil || $0 == wanted }) else { return false }
        return switch captcha.remixstlidPlace {
        case .field: field != nil
        case .cookie: cookie != nil
        case nil: true
        }
    }

    /// Five characters that cannot be taken for one another.
    static func randomAnswer() -> String { randomText(5, from: "acdehkmnpqsuvxyz24578") }
}
