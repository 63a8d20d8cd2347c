internal import ServiceKit
internal import StepKit
internal import Values

extension VKClient {
    /// The failure that an error of VK's is.
    ///
    /// `request_params` of the error is never looked at: it echoes the request, the token included.
    ///
    /// - Throws: `CancellationError`.
    func stepError(
        for error: ValueObject, context: VKCallContext, call: StepCall, asksPerson: Bool
    ) async throws -> StepError {
        let details = VKErrorDetails(error, context: context)
        guard let code = details.code else {
            let what = "\(context.name) was answered with an error without a code"
            return context.isWrite
                ? .inDoubt(what, why: details.why()) : StepError(.server, what, why: details.why())
        }
        guard let rule = VKErrorRule.rule(for: code) else {
            // Nobody knows whether such a write was carried out.
            return details.failure(
                context.isWrite ? .inDoubt : .invalid, meaning: "a code that this program does not know",
                fix: "Look it up in VK's documentation of \(context.method).")
        }
        switch rule.reaction {
        case .fails(let errorClass): return details.failure(errorClass, rule)
        case .again(let errorClass, let pause): return details.failure(errorClass, rule, retryAfter: pause)
        case .unsure: return details.failure(context.isWrite ? .inDoubt : .server, rule)
        case .waits(.hour): return details.failure(.quota, rule, retryAfter: .seconds(3600))
        case .waits(.nextDay): return details.failure(.quota, rule, retryAfter: untilNextMoscowDay(from: now()))
        case .token: return deadToken(details, rule)
        case .person:
            return details.failure(
                .validation, rule, pause: PauseRequest(.validation, message: details.message(rule), answer: .none))
        case .consent:
            return details.failure(
                .validation, rule, pause: PauseRequest(.approval, message: details.message(rule), answer: .approval))
        case .captcha:
            return try await captcha(details, rule, context: context, call: call, asksPerson: asksPerson)
        case .validation: return await validation(details, rule, call: call)
        case .confirmation: return confirmation(details, rule)
        case .postRefused: return postRefused(details, rule)
        case .badParameter: return badParameter(details, rule, method: context.method)
        case .badRequest: return badRequest(details, rule)
        case .accessDenied: return accessDenied(details, rule)
        case .badToken: return badToken(details, rule)
        }
    }

    private func deadToken(_ details: VKErrorDetails, _ rule: VKErrorRule) -> StepError {
        let account = details.context.account.phrase
        let fix =
            "Get a new token for \(account) and put it in place of the old one, then go on."
            + (details.says("ip address") ? " " + VKErrorRule.ownAddress : "")
        return details.failure(
            .auth, rule, fix: fix,
            pause: PauseRequest(
                .auth, message: "VK no longer accepts the token of \(account) (\(rule.meaning)). \(fix)",
                answer: .none))
    }

    /// 5: a dead token, a blocked account, or (in older answers) a token of the wrong kind.
    private func badToken(_ details: VKErrorDetails, _ rule: VKErrorRule) -> StepError {
        if details.error["ban_info"]?.object != nil {
            return details.failure(
                .permission, meaning: "the account is blocked", fix: "Sign in to VK in a browser to see why.")
        }
        if details.says("group auth") {
            return details.failure(
                .permission, meaning: "a community's token is refused for this method",
                fix: "Give the account a user's token.")
        }
        return deadToken(details, rule)
    }

    /// 17: the person opens a page of VK's, which hands out a new token.
    private func validation(_ details: VKErrorDetails, _ rule: VKErrorRule, call: StepCall) async -> StepError {
        let account = details.context.account.phrase
        var pause = PauseRequest(
            .validation,
            message: "VK wants to know that a person is behind \(account).", answer: .validated)
        if let address = details.text("redirect_uri") {
            pause.linkFile = await saveLink(address, kind: "validation", call: call)
        }
        pause.message +=
            pause.linkFile == nil
            ? " Sign in to VK in a browser with this account and follow what it asks for."
            : " Open its page in a browser, follow it, and give the address that it ends at."
        return details.failure(.validation, rule, pause: pause)
    }

    /// 24: repeated with `confirm=1` when a person agrees.
    private func confirmation(_ details: VKErrorDetails, _ rule: VKErrorRule) -> StepError {
        let question = details.context.words(details.text("confirmation_text"))
        let message = "VK asks to confirm \(details.context.method)" + (question.map { ": \($0)" } ?? ".")
        return details.failure(
            .validation, rule,
            pause: PauseRequest(.approval, message: message, answer: .approval, continuation: ["confirm": 1]))
    }

    /// 214: a daily quota, or no right; the words alone tell which ("you can only add 50 posts a day").
    private func postRefused(_ details: VKErrorDetails, _ rule: VKErrorRule) -> StepError {
        if ["a day", "per day", "daily", "в день", "в сутки"].contains(where: details.says) {
            return details.failure(
                .quota, meaning: "the wall's posts for this day are used up",
                retryAfter: untilNextMoscowDay(from: now()))
        }
        return details.failure(
            .permission, rule, fix: "Check that the account may post there, and that its token has the right 'wall'.")
    }

    /// 100: the author's mistake; from a method that saves an upload, more often the upload's.
    private func badParameter(_ details: VKErrorDetails, _ rule: VKErrorRule, method: String) -> StepError {
        let saves = method.split(separator: ".").last?.hasPrefix("save") ?? false
        let isUpload = ["photo", "photos_list", "server", "hash", "upload_results", "file"].contains { name in
            ["\(name) is undefined", "\(name) is invalid", "invalid \(name)"].contains(where: details.says)
        }
        if saves, isUpload { return details.failure(.stale, meaning: "the upload's result was refused") }
        return details.failure(.invalid, rule, fix: "Correct the parameter that VK names.")
    }

    /// 8: wrong for good, unless VK itself says to try again.
    private func badRequest(_ details: VKErrorDetails, _ rule: VKErrorRule) -> StepError {
        details.says("try again") ? details.failure(.server, rule) : details.failure(.invalid, rule)
    }

    private func accessDenied(_ details: VKErrorDetails, _ rule: VKErrorRule) -> StepError {
        switch details.subcode {
        case 1133:
            details.failure(
                .permission, meaning: "access denied: the token lacks the right for this method",
                fix: "Get a token with the rights 'wall' and 'photos'. VK ID drops them silently.")
        case 1134:
            details.failure(
                .permission, meaning: "access denied: not for this type of application",
                fix: "Use a token of a standalone application.")
        default:
            details.failure(
                .permission, rule,
                fix: "Check that the account may do this there, and that its token has the right for it.")
        }
    }

    /// Calls inside `execute` that failed, among others that may have been carried out: a read may be tried again as its
    /// first error says; a write never is.
    func executeError(_ errors: [Value], context: VKCallContext) -> StepError {
        let failures = errors.map { error -> (line: String, rule: VKErrorRule?) in
            let details = VKErrorDetails(error.object ?? [:], context: context)
            let rule = details.code.flatMap(VKErrorRule.rule)
            let meaning = rule?.meaning ?? details.context.words(details.text("error_msg")) ?? "unknown"
            let code = details.code.map(String.init) ?? "?"
            return ("\(error["method"]?.string ?? "a call"): \(code) (\(meaning))", rule)
        }
        var errorClass = ErrorClass.invalid
        if !context.isWrite {
            switch failures[0].rule?.reaction {
            case .again(let retried, _): errorClass = retried
            case .unsure: errorClass = .server
            case .fails(.permission), .accessDenied: errorClass = .permission
            default: break
            }
        }
        let count = failures.count == 1 ? "a call" : "\(failures.count) calls"
        return StepError(
            errorClass,
            "\(count) inside VK's \(context.method) failed: " + failures.map(\.line).joined(separator: ", "),
            why: context.isWrite ? "Its other calls have been carried out." : nil,
            fix: context.isWrite ? "Look at what they did before you run it again." : nil,
            code: errors[0]["error_code"].map { $0.string ?? $0.json() })
    }

    /// The site itself wants a check before it answers at all.
    func challenge(
        _ address: String?, context: VKCallContext, call: StepCall, asksPerson: Bool
    ) async throws -> StepError {
        var message = "VK's site asks for a check before it answers \(context.account.phrase)."
        var pause = PauseRequest(.validation, message: message, answer: .none)
        if asksPerson, let address {
            pause.linkFile = await saveLink(address, kind: "challenge", call: call)
        }
        message += pause.linkFile == nil ? " Go on later." : " Open its page in a browser, then go on."
        pause.message = message
        return StepError(.validation, "\(context.name) was answered with a challenge", pause: pause)
    }
}
