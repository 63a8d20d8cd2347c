/// The manual page, for `man`: what the help of all commands says, and what is the same for all of them.
struct ManualPage {
    private let commands: [CommandSpec]
    private let version: String

    init(_ commands: [CommandSpec], version: String) {
        self.commands = commands
        self.version = version
    }

    /// In roff's `man` macros, UTF-8.
    var roff: String {
        var lines = [
            ".TH PASTEUP 1 \"\" \"pasteup \(version)\" \"User Commands\"", ".SH NAME",
            "pasteup \\- runs posting workflows, and posts nothing twice", ".SH SYNOPSIS", ".B pasteup",
            ".I COMMAND", "[options]", ".SH DESCRIPTION",
        ]
        lines += paragraphs([
            "A workflow is a YAML file of steps: the latest Instagram photo, as a story card, on a VK wall. A run is rehearsed "
                + "first, stops where a person is needed, goes on from there in a later process, and posts nothing twice.",
            "Results go to standard output, everything else to standard error. Options and arguments may be mixed; "
                + "'--name value' and '--name=value' are the same; after '--' all is arguments.",
        ])
        lines.append(".SH COMMANDS")
        for command in commands {
            for spec in command.verbs.isEmpty ? [command] : command.verbs { lines += section(spec) }
        }
        lines.append(".SH OPTIONS OF EVERY COMMAND")
        lines += CommandSpec.common.flatMap(item)
        for (title, items) in ManualPage.tables {
            lines.append(".SH \(title)")
            lines += items.flatMap { [".TP", ".B \(ManualPage.escaped($0.0))", ManualPage.line($0.1)] }
        }
        lines.append(".SH EXAMPLES")
        for command in commands {
            for spec in command.verbs.isEmpty ? [command] : command.verbs {
                lines += [".PP", ".EX", ManualPage.line(spec.example), ".EE"]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ spec: CommandSpec) -> [String] {
        var usage = [".SS pasteup \(ManualPage.escaped(spec.name))"]
        let words = spec.arguments.map { argument in
            let name = argument.name + (argument.isRepeated ? "…" : "")
            return argument.isRequired ? name : "[\(name)]"
        }
        usage += paragraphs([spec.summary])
        if !words.isEmpty {
            usage += [
                ".PP",
                "Usage: \\fBpasteup \(ManualPage.escaped(spec.name))\\fR \(words.map(ManualPage.escaped).joined(separator: " "))",
            ]
            usage += spec.arguments.flatMap { [".TP", ".I \(ManualPage.escaped($0.name))", ManualPage.line($0.help)] }
        }
        usage += spec.options.flatMap(item)
        return usage
            + spec.notes.flatMap { note in
                // What is set in for the terminal keeps its lines.
                note.contains("\n  ")
                    ? [".PP", ".nf"] + note.split(separator: "\n").map { ManualPage.line(String($0)) } + [".fi"]
                    : paragraphs([note])
            }
    }

    private func item(_ option: CommandSpec.Option) -> [String] {
        let names = option.names.map { "\\fB\(ManualPage.escaped($0))\\fR" }.joined(separator: ", ")
        let value = option.value.map { " \\fI\(ManualPage.escaped($0))\\fR" } ?? ""
        return [".TP", names + value, ManualPage.line(option.help)]
    }

    private func paragraphs(_ texts: [String]) -> [String] {
        texts.flatMap { text in [".PP"] + text.split(separator: "\n").map { ManualPage.line(String($0)) } }
    }

    /// Text as roff takes it. A hyphen is written as the sign that people type.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "\"": escaped += "\\(dq"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// A line of its own: what begins with a full stop would be a request.
    private static func line(_ text: String) -> String { (text.hasPrefix(".") ? "\\&" : "") + escaped(text) }

    private static let tables: [(String, [(String, String)])] = [
        (
            "EXIT STATUS",
            [
                ("0", "Done, or nothing to do."), ("1", "A step failed, or a secret or a right is missing."),
                ("2", "The file or the command line is wrong."),
                ("3", "Paused: a person must answer; 'pasteup paused' says what."),
                ("4", "Waiting: a service said \"not before\"; 'pasteup resume RUN' goes on."),
                ("5", "Another process works on the run, or holds the lock ('overlap: fail')."),
                ("130, 143", "Stopped by Ctrl-C or a signal; 'pasteup resume RUN' goes on."),
            ]
        ),
        (
            "ENVIRONMENT",
            [
                ("PASTEUP_STATE", "The state folder."),
                ("XDG_STATE_HOME", "The state folder lies in it; ~/.local/state unless set."),
                ("XDG_CONFIG_HOME", "pasteup/secrets.yaml lies in it; ~/.config unless set."),
                (
                    "XDG_RUNTIME_DIR",
                    "What the runs of a user share at the moment lies in it; /tmp/pasteup-UID unless set."
                ),
                ("CREDENTIALS_DIRECTORY", "A file of a secret's name in it goes before all else; systemd makes it."),
                ("NO_COLOR", "Turns colours off, as does TERM=dumb."),
                ("NAME", "The secret NAME of a workflow."),
            ]
        ),
        (
            "FILES",
            [
                ("~/.config/pasteup/secrets.yaml", "Secrets, a mapping of names to texts; mode 0600."),
                ("~/.local/state/pasteup/journal.sqlite", "Every run, every attempt, and what 'once' remembers."),
                ("~/.local/state/pasteup/runs/ID/", "The run's copy of its workflow, its photos and cards."),
                ("~/.local/state/pasteup/sandbox/", "The same for --sandbox."),
            ]
        ),
    ]
}
