internal import StepKit
internal import Values

/// What a person's answer to a pause adds to the repeated call.
struct PauseReply: Sendable {
    private(set) var fields: [(name: String, value: String)] = []
    /// VK's pages speak of `remixstlid` as a parameter, users report that the token is refused without the cookie: both
    /// are sent, on this one call.
    private(set) var cookie: String?

    /// - Throws: `StepError` when the person declined.
    init(_ resumption: Resumption?, context: VKCallContext, warn: (String) -> Void) throws(StepError) {
        guard let resumption, let answer = resumption.answer else { return }
        let left = resumption.continuation
        switch answer {
        case .captcha(let text):
            guard let sid = left["sid"]?.string else { break }
            fields = [("captcha_sid", sid), ("captcha_key", text)]
            for (name, member) in [("captcha_ts", "ts"), ("captcha_attempt", "attempt")] {
                if let value = left[member] { fields.append((name, value.string ?? value.json())) }
            }
            return
        case .successToken(let token):
            guard left["form"] == "redirect" else { break }
            fields = [("success_token", token.reveal())]
            if let user = left["remixstlid"] {
                let text = user.string ?? user.json()
                fields.append(("remixstlid", text))
                if text.utf8.allSatisfy(isCookieByte) { cookie = "remixstlid=" + text }
            }
            return
        case .approved:
            if left["confirm"] == 1 { fields = [("confirm", "1")] }
            return
        case .rejected: throw StepError(.permission, "\(context.name) was declined by a person")
        case .posted, .resend: return
        }
        // The call may pass without an answer; when not, VK asks anew.
        warn("the answer does not fit what VK asked for; \(context.method) is sent again without it")
    }
}

/// Letters, digits, `-` and `_`: nothing that could end the header.
private func isCookieByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
    default: false
    }
}
