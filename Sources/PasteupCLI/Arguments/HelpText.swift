/// The help of a command: an example first, then what it takes.
extension CommandSpec {
    var help: String {
        var lines = ["  \(example)", "", summary, "", "Usage: \(usage)"]
        if !verbs.isEmpty {
            lines += ["", "Commands:"] + table(verbs.map { ($0.name, $0.summary) })
            lines += ["", "'pasteup \(name) <command> --help' shows one."]
            for note in notes { lines += ["", note] }
            return lines.joined(separator: "\n") + "\n"
        }
        if !arguments.isEmpty {
            lines += ["", "Arguments:"] + table(arguments.map { ($0.name, $0.help) })
        }
        lines += ["", "Options:"]
        lines += table(
            allOptions.map { ($0.names.joined(separator: ", ") + ($0.value.map { " " + $0 } ?? ""), $0.help) })
        for note in notes { lines += ["", note] }
        return lines.joined(separator: "\n") + "\n"
    }

    private var usage: String {
        if !verbs.isEmpty {
            let words = verbs.map(\.word).joined(separator: "|")
            return "pasteup \(name) \(standardVerb == nil ? "<\(words)>" : "[\(words)]") [options]"
        }
        let words = arguments.map { argument in
            let name = argument.name + (argument.isRepeated ? "…" : "")
            return argument.isRequired ? name : "[\(name)]"
        }
        return (["pasteup", name] + words + ["[options]"]).joined(separator: " ")
    }
}

/// Two columns; a first word that is too long for its column has a line of its own.
func table(_ rows: [(String, String)]) -> [String] {
    let width = min(28, rows.map(\.0.count).max() ?? 0)
    return rows.flatMap { first, second -> [String] in
        guard first.count <= width else {
            return ["  " + first, "  " + String(repeating: " ", count: width + 2) + second]
        }
        return ["  " + first + String(repeating: " ", count: width + 2 - first.count) + second]
    }
}
