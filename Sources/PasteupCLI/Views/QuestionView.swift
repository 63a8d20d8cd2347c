internal import Files
internal import Journal
internal import StepKit
internal import Values

/// What a paused step asks a person, and the command that answers it.
struct QuestionView {
    private let record: RunRecord
    private let address: String
    private let pause: PauseRequest
    private let state: StateFolder
    private let isOneOfSeveral: Bool
    /// The other runs that wait for the answer.
    private let waiting: [String]

    init(
        _ record: RunRecord, _ address: String, _ pause: PauseRequest, _ state: StateFolder, isOneOfSeveral: Bool,
        waiting: [String] = []
    ) {
        self.record = record
        self.address = address
        self.pause = pause
        self.state = state
        self.isOneOfSeveral = isOneOfSeveral
        self.waiting = waiting
    }

    var text: String {
        var lines = [
            "\(record.id)  \(record.workflow)  step '\(address)' (\(pause.kind.rawValue)), since \(record.changedAt.localText)",
            "  \(pause.message)",
        ]
        let folder = state.runFolder(record.id)
        if let picture = pause.picture { lines.append("  Picture: \(FileSystem.join(folder, picture))") }
        if let link = pause.linkFile { lines.append("  The page's address is in: \(FileSystem.join(folder, link))") }
        lines += pause.show.map { "  Look at: \(place(of: $0, in: folder))" }
        if !waiting.isEmpty {
            lines.append(
                "  \(waiting.count == 1 ? "Another run waits" : "\(waiting.count) other runs wait") for the answer: \(waiting.joined(separator: ", "))"
            )
        }
        lines.append("  Answer with: \(commands.joined(separator: "  or: "))")
        return lines.joined(separator: "\n") + "\n"
    }

    var json: String {
        Value.object(members).json() + "\n"
    }

    private var commands: [String] {
        NextCommand.answers(
            pause, run: record.id, options: state.options + (isOneOfSeveral ? NextCommand.option(step: address) : ""))
    }

    /// The names are promises.
    var members: ValueObject {
        let folder = state.runFolder(record.id)
        var members: ValueObject = [
            "run": .string(record.id), "step": .string(address), "kind": .string(pause.kind.rawValue),
            "message": .string(pause.message), "answer": .string(pause.answer.rawValue),
            "command": .string(commands[0]),
        ]
        members["picture"] = pause.picture.map { .string(FileSystem.join(folder, $0)) }
        members["link-file"] = pause.linkFile.map { .string(FileSystem.join(folder, $0)) }
        if !pause.show.isEmpty {
            members["show"] = .array(pause.show.map { .string(place(of: $0, in: folder)) })
        }
        if !waiting.isEmpty { members["waiting-runs"] = .array(waiting.map(Value.string)) }
        members["expires"] = pause.expires.map { .string($0.iso8601) }
        return members
    }
}

/// A step that waited for the answer to another run's question, which is not open any more, and the command that goes on.
struct HeldView {
    private let record: RunRecord
    private let address: String
    private let hold: AccountHold
    private let command: String

    init(_ record: RunRecord, _ address: String, _ hold: AccountHold, _ state: StateFolder) {
        self.record = record
        self.address = address
        self.hold = hold
        command = "pasteup resume \(record.id)\(state.options)"
    }

    var text: String {
        """
        \(record.id)  \(record.workflow)  step '\(address)', since \(record.changedAt.localText)
          It waited for run \(hold.run), which asked about its account.
          Go on with: \(command)

        """
    }

    /// The names are promises.
    var json: String {
        let members: Value = [
            "run": .string(record.id), "step": .string(address), "kind": "held", "by-run": .string(hold.run),
            "answer": .string(PauseRequest.AnswerForm.none.rawValue), "command": .string(command),
        ]
        return members.json() + "\n"
    }
}

/// Where something to look at is: an address as it is, a file absolute.
func place(of thing: String, in folder: String) -> String {
    thing.hasPrefix("http://") || thing.hasPrefix("https://") ? thing : FileSystem.join(folder, thing)
}
