internal import Diagnostics
internal import Files
internal import Values
internal import Workflows

/// `pasteup new [FILE]`.
enum NewCommand: Command {
    static let spec = CommandSpec(
        "new", "Writes a commented workflow file to begin with; at a terminal it asks what for.",
        example: "pasteup new photos.yaml --from instagram --to vk:-12 --card --schedule @hourly",
        arguments: [CommandSpec.Argument("FILE", isRequired: false, "The file to write; NAME.yaml unless given.")],
        options: [
            CommandSpec.Option("--name", value: "NAME", "The workflow's name; that of the file unless given."),
            CommandSpec.Option(
                "--from", value: "SOURCE", choices: ["instagram", "file", "text", "table"],
                "Where posts come from: instagram, file (a photo and a text), text, or table (a post for each row)."),
            CommandSpec.Option(
                "--to", value: "WALL", isRepeated: true,
                "Where they go: vk for the own wall, vk:ID for another; may be repeated."),
            CommandSpec.Option("--card", "Makes a story card of the photo."),
            CommandSpec.Option("--schedule", value: "TIMES", "Five fields of cron, or a word such as @daily."),
            CommandSpec.Option("--force", "Replaces a file that is there."),
            CommandSpec.Option("--json", "Prints the file and the command that tries it as one JSON object."),
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let input = LineInput()
        let asks = input.isTerminal && session.output.isTerminal && !arguments.has("--json")
        if !asks, arguments.value("--from") == nil {
            throw UsageError(
                "'pasteup new' is not told what the workflow is for", fix: "For example: \(spec.example)")
        }
        let given = arguments.positionals.first
        if let given { try checkFree(given, arguments) }
        let questions = Questions(input: input, output: session.output, asks: asks)
        let source = try await questions.answer(
            arguments.value("--from"), "Where do posts come from (instagram, file, text, table)? [instagram] ",
            standard: "instagram", reading: NewAnswer.source)
        if source == .table, arguments.value("--to") != nil {
            throw UsageError(
                "'--to' goes with one post",
                fix: "Leave it out: each row of a table names its wall in the column 'wall'.")
        }
        // The rows of a table say where they go.
        let walls = try await questions.answer(
            source == .table ? "vk" : arguments.values["--to"]?.joined(separator: ","),
            "Onto which walls (vk for your own, vk:ID for others; commas between)? [vk] ", standard: "vk",
            reading: NewAnswer.walls)
        let isCardAsked = source != .text && !arguments.has("--card")
        if source == .text, arguments.has("--card") {
            throw UsageError("'--card' goes with a photo", fix: "Leave it out, or write '--from file'.")
        }
        // A flag that is left out without a terminal means no.
        let card =
            isCardAsked
            ? try await questions.answer(
                asks ? nil : "no", "Make a story card of the photo (yes, no)? [yes] ", standard: "yes",
                reading: NewAnswer.yes) : arguments.has("--card")
        let schedule = try await questions.answer(
            arguments.value("--schedule") ?? (asks ? nil : ""),
            "When shall it run (as cron has it: \"15 * * * *\"; empty: by hand)? ", standard: "",
            reading: NewAnswer.schedule)
        let standard = given.map(stem) ?? "my-workflow"
        let name = try await questions.answer(
            arguments.value("--name") ?? (asks && given == nil ? nil : standard),
            "What is it called? [\(standard)] ", standard: standard, reading: NewAnswer.name)
        let path = given ?? name + ".yaml"
        if given == nil { try checkFree(path, arguments) }
        let starter = StarterFile(name: name, source: source, walls: walls, hasCard: card, schedule: schedule)
        do {
            try FileSystem.write(Array(starter.text(path: path).utf8), to: path, mode: 0o644)
        } catch {
            throw CommandFailure(
                "the file cannot be written: \(error)",
                fix: error.isMissing ? "Make the folder first, or give another path." : nil)
        }
        if arguments.has("--json") {
            let object: Value = ["file": .string(path), "command": .string(starter.trial(path: path))]
            session.output.result(object.json() + "\n")
            return .done
        }
        session.output.result("wrote \(path)\n")
        session.output.note("Try it: \(starter.trial(path: path))\n")
        return .done
    }

    private static func checkFree(_ path: String, _ arguments: ParsedArguments) throws {
        guard FileSystem.exists(path), !arguments.has("--force") else { return }
        throw CommandFailure(
            "'\(path)' is there already", fix: "Give another name, or --force to replace it.", code: .usage)
    }

    /// The name of the file without folder and ending.
    private static func stem(_ path: String) -> String {
        let name = FileSystem.name(of: path)
        for ending in [".yaml", ".yml"] where name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
        return name
    }
}

/// Asks a person what no flag says.
private struct Questions {
    let input: LineInput
    let output: Output
    let asks: Bool

    /// - Parameters:
    ///   - given: what a flag says; a wrong one is an error.
    ///   - standard: the answer where nothing is typed.
    /// - Throws: `UsageError`; `CommandFailure` when the person leaves.
    func answer<Answer>(
        _ given: String?, _ question: String, standard: String, reading: (String) throws(UsageError) -> Answer
    ) async throws -> Answer {
        if let given { return try reading(given) }
        guard asks else { return try reading(standard) }
        while true {
            output.prompt(question)
            guard case .text(let line) = await input.line() else {
                output.endPrompt(isTyped: false)
                throw CommandFailure("nothing was written", code: .usage)
            }
            output.endPrompt(isTyped: true)
            do { return try reading(line.isEmpty ? standard : line) } catch {
                output.note("  \(error.message). \(error.fix ?? "")\n")
            }
        }
    }
}

/// What answers mean.
private enum NewAnswer {
    static func source(_ text: String) throws(UsageError) -> StarterFile.Source {
        if let source = StarterFile.Source(rawValue: text) { return source }
        let words = StarterFile.Source.allCases.map(\.rawValue)
        throw UsageError(
            "'\(text)' is no source of posts",
            fix: nearest(text, among: words).map { "Did you mean '\($0)'?" }
                ?? "Sources are \(words.joined(separator: ", ")).")
    }

    static func walls(_ text: String) throws(UsageError) -> [Int64?] {
        var walls: [Int64?] = []
        for part in text.split(separator: ",") {
            let word = part.filter { $0 != " " }
            let wall: Int64?
            if word == "vk" {
                wall = nil
            } else if word.hasPrefix("vk:"), let owner = Int64(word.dropFirst(3)), owner != 0 {
                wall = owner
            } else {
                throw UsageError(
                    "'\(word)' is no wall",
                    fix: "Write vk for the own wall, vk:12 for a user's, vk:-12 for a community's.")
            }
            guard !walls.contains(wall) else { throw UsageError("'\(word)' is given twice", fix: "Give it once.") }
            walls.append(wall)
        }
        guard !walls.isEmpty else { throw UsageError("no wall is given", fix: "Write vk for the own wall.") }
        return walls
    }

    static func yes(_ text: String) throws(UsageError) -> Bool {
        switch text.lowercased() {
        case "y", "yes": return true
        case "n", "no": return false
        default: throw UsageError("'\(text)' is neither yes nor no", fix: "Write yes or no.")
        }
    }

    static func schedule(_ text: String) throws(UsageError) -> String? {
        if text.isEmpty { return nil }
        if let fault = CronTimes.fault(in: text) {
            throw UsageError(
                "'\(text)' is no time as cron has it",
                fix: "\(fault). Write \"15 * * * *\" for a quarter past every hour.")
        }
        return text
    }

    static func name(_ text: String) throws(UsageError) -> String {
        let letters = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard letters, (1...64).contains(text.utf8.count) else {
            throw UsageError(
                "'\(text)' cannot be the name of a workflow", fix: "Take 1 to 64 letters, digits, '-' and '_'.")
        }
        return text
    }
}
