internal import Values

/// What one check of `doctor` has found.
struct Finding: Sendable, Equatable {
    enum Level: String, Sendable {
        case ok = "ok"
        /// pasteup works, but not as well as it could.
        case warning = "warning"
        /// Something will not work.
        case error = "error"
    }

    /// What was looked at, in one or two words; a promise, as the names in JSON are.
    let check: String
    let level: Level
    let message: String
    /// How to mend it.
    let fix: String?

    init(_ check: String, _ level: Level, _ message: String, fix: String? = nil) {
        self.check = check
        self.level = level
        self.message = message
        self.fix = fix
    }
}

/// Findings as lines, or as JSON, one a line.
struct FindingsView {
    let findings: [Finding]
    let style: Style

    var text: String {
        let width = findings.map(\.check.count).max() ?? 0
        return findings.map { finding in
            let level = finding.level.rawValue + String(repeating: " ", count: 7 - finding.level.rawValue.count)
            let check = finding.check + String(repeating: " ", count: width - finding.check.count)
            let rest = [finding.message + ".", finding.fix].compactMap { $0 }.joined(separator: " ")
            return "\(colored(level, finding.level))  \(check)  \(rest)\n"
        }.joined()
    }

    var json: String {
        findings.map { finding in
            var object: ValueObject = [
                "check": .string(finding.check), "level": .string(finding.level.rawValue),
                "message": .string(finding.message),
            ]
            object["fix"] = finding.fix.map(Value.string)
            return Value.object(object).json() + "\n"
        }.joined()
    }

    private func colored(_ text: String, _ level: Finding.Level) -> String {
        switch level {
        case .ok: style.green(text)
        case .warning: style.yellow(text)
        case .error: style.red(text)
        }
    }
}
