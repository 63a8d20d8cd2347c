internal import Journal
internal import Values

/// Keys of `once` in words.
enum LedgerText {
    /// The command that forgets the key.
    static func forget(_ key: LedgerKey, _ state: StateFolder) -> String {
        let scope = key.scope.isEmpty ? "--global" : "--scope \(quoted(key.scope))"
        // What begins with a dash must not be taken for an option.
        let dashes = key.text.hasPrefix("-") ? "-- " : ""
        return "pasteup ledger forget\(state.options) \(scope) \(dashes)\(quoted(key.text))"
    }

    /// "workflow 'daily'", or "all workflows" for `scope: global`.
    static func scope(_ key: LedgerKey) -> String {
        key.scope.isEmpty ? "all workflows" : "workflow '\(shown(key.scope))'"
    }

    static func forgotten(_ entry: LedgerEntry) -> String {
        "forgot '\(shown(entry.key.text))' of \(scope(entry.key)), \(entry.stateWord) since \(entry.at.localText) by run "
            + "\(entry.run). The next run \(entry.state == .reserved ? "can post under it" : "posts it again").\n"
    }

    static func table(_ entries: [LedgerEntry]) -> String {
        guard !entries.isEmpty else { return "" }
        let rows = entries.map { entry in
            [
                shown(entry.key.text), entry.stateWord, entry.at.localText, entry.run, entry.address,
                entry.key.scope.isEmpty ? "(all)" : shown(entry.key.scope),
            ]
        }
        return columns([["KEY", "STATE", "SINCE", "RUN", "STEP", "WORKFLOW"]] + rows)
    }

    static func json(_ entries: [LedgerEntry]) -> String {
        entries.map { $0.publicValue.json() + "\n" }.joined()
    }
}

extension LedgerKey {
    /// `workflow` is null for `scope: global`. The names are promises.
    var members: ValueObject {
        ["key": .string(text), "workflow": scope.isEmpty ? .null : .string(scope)]
    }
}

extension LedgerEntry {
    var stateWord: String {
        switch state {
        case .reserved: "reserved"
        case .done: "done"
        }
    }

    /// What may be shown of it; the names are promises. `workflow` is null for `scope: global`.
    var publicValue: Value {
        var object = key.members
        object["state"] = .string(stateWord)
        object["run"] = .string(run)
        object["step"] = .string(address)
        object["at"] = .string(at.iso8601)
        // Of the outputs only what a post is known by: others may work like keys.
        if case .done(let outputs) = state, let url = outputs["url"]?.string { object["url"] = .string(url) }
        return .object(object)
    }
}

/// A text from a file or a service on one line: what would act on a terminal is shown as a sign.
func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0..<0x20: result.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
        case 0x7F...0x9F: result += "\u{FFFD}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
