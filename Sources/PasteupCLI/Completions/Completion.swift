internal import BuiltinSteps

/// What may stand at the cursor of a command line that is being typed.
///
/// The shells' own scripts ask for it each time, so that runs, inputs and step kinds are those of the moment.
struct Completion: Sendable, Hashable {
    /// What the shell knows better than we.
    enum Paths: String, Sendable, Hashable {
        case files, folders
    }

    struct Candidate: Sendable, Hashable {
        let text: String
        /// A few words on it; empty for none.
        var help = ""
    }

    var candidates: [Candidate] = []
    var paths: Paths?
    /// What stands before a path in the same word: "--state=", "rows=".
    var prefix = ""

    /// A line for each candidate, its help after a tab; the first line says whether paths may stand there: "files" or
    /// "folders" and, after a tab, what stands before the path.
    var text: String {
        let lines =
            [paths.map { $0.rawValue + "\t" + prefix } ?? ""]
            + candidates.map { $0.help.isEmpty ? $0.text : $0.text + "\t" + $0.help }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// What is looked up while a line is typed.
protocol CompletionSource {
    /// The newest runs, with what is said of each.
    ///
    /// - Parameter words: the words of the line so far, which may name the state folder.
    func runs(_ words: ParsedWords) async -> [Completion.Candidate]
    /// The inputs of a workflow file; none when it cannot be read.
    func inputs(ofFile path: String) -> [Completion.Candidate]
    func kinds() -> [Completion.Candidate]
}

/// A command line that is not finished, as far as it can be understood.
struct ParsedWords: Sendable {
    /// The value of each option that was given, by its long name; empty for a flag.
    var options: [String: String] = [:]
    var positionals: [String] = []
    /// The option whose value comes next.
    fileprivate var open: CommandSpec.Option?
    fileprivate var isLiteral = false
}

extension Completion {
    /// - Parameter words: those after the program's name; the last one is being typed and may be empty.
    static func of(
        _ words: [String], among commands: [CommandSpec], from source: some CompletionSource
    ) async -> Completion {
        guard let current = words.last else { return Completion() }
        guard words.count > 1 else {
            let flags = [Candidate(text: "--help", help: "Shows the commands."), Candidate(text: "--version")]
            return list(
                current.hasPrefix("-") ? flags : commands.map { Candidate(text: $0.name, help: $0.summary) }, current)
        }
        if words[0] == "help", words.count == 2 { return await of([current], among: commands, from: source) }
        guard let command = commands.first(where: { $0.name == words[0] }) else { return Completion() }
        var given = words.dropFirst().dropLast()
        var spec = command
        if !command.verbs.isEmpty {
            let verb = given.first.flatMap { word in command.verbs.first { $0.word == word } }
            if verb != nil { given = given.dropFirst() }
            guard let leaf = verb ?? command.verbs.first(where: { $0.word == command.standardVerb }) else {
                return list(command.verbs.map { Candidate(text: $0.word, help: $0.summary) }, current)
            }
            spec = leaf
            if verb == nil, !current.hasPrefix("-") {
                return list(command.verbs.map { Candidate(text: $0.word, help: $0.summary) }, current)
            }
        }
        let parsed = spec.understand(Array(given))
        if let option = parsed.open {
            return await values(option.value ?? "", option.choices, current, "", spec, parsed, source)
        }
        if !parsed.isLiteral, current.hasPrefix("--"), let equals = current.firstIndex(of: "="),
            let option = spec.option(String(current[..<equals])), let placeholder = option.value
        {
            let value = String(current[current.index(after: equals)...])
            return await values(placeholder, option.choices, value, String(current[...equals]), spec, parsed, source)
        }
        if !parsed.isLiteral, current.hasPrefix("-") {
            let open = spec.allOptions.filter { $0.isRepeated || parsed.options[$0.key] == nil }
            return list(open.map { Candidate(text: $0.key, help: $0.help) }, current)
        }
        let place = min(
            parsed.positionals.count, (spec.arguments.last?.isRepeated ?? false) ? spec.arguments.count - 1 : .max)
        guard spec.arguments.indices.contains(place) else { return Completion() }
        let argument = spec.arguments[place]
        return await values(argument.name, argument.choices, current, "", spec, parsed, source)
    }

    private static func list(_ candidates: [Candidate], _ current: String, prefix: String = "") -> Completion {
        Completion(
            candidates: candidates.filter { $0.text.hasPrefix(current) }
                .map { Candidate(text: prefix + $0.text, help: $0.help) })
    }

    /// - Parameters:
    ///   - placeholder: what stands for the value in the help.
    ///   - prefix: what stands before the value in its word.
    private static func values(
        _ placeholder: String, _ choices: [String], _ current: String, _ prefix: String, _ spec: CommandSpec,
        _ parsed: ParsedWords, _ source: some CompletionSource
    ) async -> Completion {
        guard choices.isEmpty else { return list(choices.map { Candidate(text: $0) }, current, prefix: prefix) }
        switch placeholder {
        case "FILE": return Completion(paths: .files, prefix: prefix)
        case "DIR": return Completion(paths: .folders, prefix: prefix)
        case "RUN": return list(await source.runs(parsed), current, prefix: prefix)
        case "NAME" where spec.name == "steps": return list(source.kinds(), current, prefix: prefix)
        case "NAME" where spec.name == "card presets":
            return list(CardPreset.all.map { Candidate(text: $0.name, help: $0.summary) }, current, prefix: prefix)
        case "NAME=VALUE":
            return list(parsed.positionals.first.map(source.inputs) ?? [], current, prefix: prefix)
        case "[NAME=]FILE":
            let end = current.firstIndex(of: "=").map { current.index(after: $0) } ?? current.startIndex
            return Completion(paths: .files, prefix: prefix + current[..<end])
        default: return Completion()
        }
    }
}

extension CommandSpec {
    fileprivate func option(_ name: String) -> Option? { allOptions.first { $0.names.contains(name) } }

    /// As `parse` does, but nothing is wrong yet.
    fileprivate func understand(_ words: [String]) -> ParsedWords {
        var parsed = ParsedWords()
        for word in words {
            if let option = parsed.open {
                parsed.options[option.key] = word
                parsed.open = nil
            } else if parsed.isLiteral || !word.hasPrefix("-") || word == "-" {
                parsed.positionals.append(word)
            } else if word == "--" {
                parsed.isLiteral = true
            } else {
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard let option = option(parts[0]) else { continue }
                parsed.options[option.key] = parts.count > 1 ? parts[1] : ""
                if option.value != nil, parts.count == 1 { parsed.open = option }
            }
        }
        return parsed
    }
}
