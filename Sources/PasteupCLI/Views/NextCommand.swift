package import StepKit

/// The commands with which a person goes on.
package enum NextCommand {
    /// Names the step that an answer is for. A shell would take brackets for a pattern.
    static func option(step address: String) -> String {
        " --step " + (address.contains("[") ? "'\(address)'" : address)
    }

    /// For a run with failed steps.
    package static func retry(run: String, options: String) -> String { "pasteup retry \(run)\(options)" }

    /// For runs that wait for a time.
    package static func due(options: String) -> String { "pasteup resume --due\(options)" }

    /// One for each answer that there is.
    static func answers(_ pause: PauseRequest, run: String, options: String) -> [String] {
        let command = "pasteup resume \(run)\(options)"
        return switch pause.answer {
        case .captchaText: ["\(command) --captcha TEXT"]
        case .successToken: ["\(command) --success-token -"]
        case .approval: ["\(command) --approve", "\(command) --reject"]
        case .doubt: ["\(command) --posted ID", "\(command) --resend"]
        case .validated: ["\(command) --validated"]
        case .none: [command]
        }
    }

    /// The answers on one line.
    package static func answer(_ pause: PauseRequest, run: String, options: String) -> String {
        answers(pause, run: run, options: options).joined(separator: "  or: ")
    }
}
