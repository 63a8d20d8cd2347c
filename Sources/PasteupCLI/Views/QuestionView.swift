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

    init(
        _ record: RunRecord, _ address: String, _ pause: PauseRequest, _ state: StateFolder, isOneOfSeveral: Bool
    ) {
        self.record = record
        self.address = address
        self.pause = pause
        self.state = state
        self.isOneOfSeveral = isOneOfSeveral
    }

    var text: String {
        var lines = [
            "\(record.id)  \(record.workflow)  step '\(address)' (\(pause.kind.rawValue)), since \(record.changedAt.localText)",
            "  \(pause.message)",
        ]
        let folder = state.runFolder(record.id)
        if let picture = pause.picture { lines.append("  Picture: \(FileSystem.join(folder, picture))") }
        if let link = pause.linkFile { lines.append("  The page's address is in: \(FileSystem.join(folder, link))") }
        lines.append("  Answer with: \(commands.joined(separator: "  or: "))")
        return lines.joined(separator: "\n") + "\n"
    }

    var json: String {
        var members = QuestionView.members(pause, record, state, step: address)
        members["command"] = .string(commands[0])
        return Value.object(members).json() + "\n"
    }

    private var commands: [String] {
        NextCommand.answers(
            pause, run: record.id, options: state.options + (isOneOfSeveral ? " --step \(address)" : ""))
    }

    /// The names are promises.
    static func members(
        _ pause: PauseRequest, _ record: RunRecord, _ state: StateFolder, step: String
    ) -> ValueObject {
        let folder = state.runFolder(record.id)
        var members: ValueObject = [
            "run": .string(record.id), "step": .string(step), "kind": .string(pause.kind.rawValue),
            "message": .string(pause.message), "answer": .string(pause.answer.rawValue),
            "command": .string(NextCommand.answers(pause, run: record.id, options: state.options)[0]),
        ]
        members["picture"] = pause.picture.map { .string(FileSystem.join(folder, $0)) }
        members["link-file"] = pause.linkFile.map { .string(FileSystem.join(folder, $0)) }
        members["expires"] = pause.expires.map { .string($0.iso8601) }
        return members
    }
}
