internal import Diagnostics

/// What a command takes, as data: the parser, the help and the completions are made from it.
struct CommandSpec: Sendable {
    struct Option: Sendable {
        /// With their dashes, the long one last: ["-i", "--input"].
        let names: [String]
        /// What stands for the value in the help; nil for a flag.
        let value: String?
        let isRepeated: Bool
        /// All values there are; empty when they are not known here.
        let choices: [String]
        let help: String

        /// - Parameter names: as the help shows them: "-i, --input".
        init(
            _ names: String, value: String? = nil, isRepeated: Bool = false, choices: [String] = [], _ help: String
        ) {
            self.names = names.split(separator: ", ").map(String.init)
            self.value = value
            self.isRepeated = isRepeated
            self.choices = choices
            self.help = help
        }

        var key: String { names[names.count - 1] }
    }

    struct Argument: Sendable {
        let name: String
        let help: String
        let isRequired: Bool
        let isRepeated: Bool
        /// All values there are; empty when they are not known here.
        let choices: [String]

        init(
            _ name: String, isRequired: Bool = true, isRepeated: Bool = false, choices: [String] = [], _ help: String
        ) {
            self.name = name
            self.help = help
            self.isRequired = isRequired
            self.isRepeated = isRepeated
            self.choices = choices
        }
    }

    let name: String
    let summary: String
    /// A whole command line, shown first in the help.
    let example: String
    let arguments: [Argument]
    /// Without those that every command has.
    let options: [Option]
    /// Further paragraphs of the help.
    let notes: [String]
    /// Commands of the command, such as "ledger list" of "ledger". One that has them has no arguments and options of its
    /// own.
    let verbs: [CommandSpec]
    /// The verb that is meant when none is given; nil when one must be.
    let standardVerb: String?

    init(
        _ name: String, _ summary: String, example: String, arguments: [Argument] = [], options: [Option] = [],
        notes: [String] = [], verbs: [CommandSpec] = [], standardVerb: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.example = example
        self.arguments = arguments
        self.options = options
        self.notes = notes
        self.verbs = verbs
        self.standardVerb = standardVerb
    }

    static let common: [Option] = [
        Option(
            "--state", value: "DIR",
            "The state folder. Default: $PASTEUP_STATE, else ~/.local/state/pasteup."),
        Option("-h, --help", "Shows this help."),
    ]

    var allOptions: [Option] { options + CommandSpec.common }

    /// What a user types for it: "list" of "ledger list".
    var word: String { String(name.split(separator: " ").last ?? "") }

    /// The verb of that name; the command itself when there is none.
    func verb(_ word: String?) -> CommandSpec { verbs.first { $0.word == word } ?? self }
}

/// A command line that cannot be understood: exit code 2.
struct UsageError: Error, Sendable, Hashable {
    let message: String
    let fix: String?

    init(_ message: String, fix: String? = nil) {
        self.message = message
        self.fix = fix
    }
}

/// The words of a command line, sorted by what they are for.
struct ParsedArguments: Sendable {
    fileprivate(set) var values: [String: [String]] = [:]
    fileprivate(set) var flags: Set<String> = []
    fileprivate(set) var positionals: [String] = []
    /// Of a command with verbs: the one that was given.
    fileprivate(set) var verb: String?

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The value of an option that is given at most once.
    func value(_ option: String) -> String? { values[option]?.last }
}

extension CommandSpec {
    /// Sorts the words that follow the command's name.
    ///
    /// Options and arguments may be mixed; `--name value` and `--name=value` are the same; after `--` all is arguments.
    /// What begins as a negative number does ("-123/photo") is an argument, too.
    func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
        guard verbs.isEmpty else { return try parseVerb(words) }
        var parsed = ParsedArguments()
        var rest = words[...]
        var isLiteral = false
        while let word = rest.popFirst() {
            if isLiteral || !looksLikeOption(word) {
                parsed.positionals.append(word)
            } else if word == "--" {
                isLiteral = true
            } else {
                try parseOption(word, &rest, &parsed)
            }
        }
        if parsed.has("--help") { return parsed }
        try checkArguments(parsed.positionals)
        return parsed
    }

    private func looksLikeOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let next = word.dropFirst().utf8.first else { return false }
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
    }

    /// The first word is the verb, which takes the others.
    private func parseVerb(_ words: [String]) throws(UsageError) -> ParsedArguments {
        let all = verbs.map { "'pasteup \($0.name)'" }.joined(separator: " or ")
        let isHelp = words.first.map { word in
            CommandSpec.common.contains { $0.key == "--help" && $0.names.contains(word) }
        }
        if let standardVerb, isHelp != true, words.first.map(looksLikeOption) ?? true {
            return try parseVerb([standardVerb] + words)
        }
        guard let word = words.first else {
            throw UsageError("'pasteup \(name)' does not say what to do", fix: "Write \(all).")
        }
        if isHelp == true {
            var parsed = ParsedArguments()
            parsed.flags.insert("--help")
            return parsed
        }
        guard let verb = verbs.first(where: { $0.word == word }) else {
            let near = nearest(word, among: verbs.map(\.word))
            throw UsageError(
                "'pasteup \(name)' does not know '\(word)'",
                fix: near.map { "Did you mean '\($0)'?" } ?? "Write \(all).")
        }
        var parsed = try verb.parse(Array(words.dropFirst()))
        parsed.verb = word
        return parsed
    }

    private func parseOption(
        _ word: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = allOptions.first(where: { $0.names.contains(name) }) else {
            let near = nearest(name, among: allOptions.flatMap(\.names))
            throw UsageError(
                "unknown option '\(name)' of 'pasteup \(self.name)'",
                fix: near.map { "Did you mean '\($0)'?" } ?? "See 'pasteup \(self.name) --help'.")
        }
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw UsageError("option '\(name)' takes no value") }
            parsed.flags.insert(option.key)
            return
        }
        let value: String
        if parts.count == 2 {
            value = String(parts[1])
        } else if let next = rest.first, next == "-" || !next.hasPrefix("--") {
            value = next
            rest.removeFirst()
        } else {
            throw UsageError("option '\(name)' needs a value", fix: "Write '\(name) \(placeholder)'.")
        }
        if !option.isRepeated, parsed.values[option.key] != nil {
            throw UsageError("option '\(name)' is given twice", fix: "Give it once.")
        }
        parsed.values[option.key, default: []].append(value)
    }

    private func checkArguments(_ given: [String]) throws(UsageError) {
        let required = arguments.filter(\.isRequired)
        if given.count < required.count {
            throw UsageError(
                "'pasteup \(name)' needs \(required[given.count].name)", fix: "For example: \(example)")
        }
        let isOpen = arguments.last?.isRepeated ?? false
        if !isOpen, given.count > arguments.count {
            throw UsageError(
                "'\(given[arguments.count])' is one argument too many for 'pasteup \(name)'",
                fix: "See 'pasteup \(name) --help'.")
        }
    }
}
