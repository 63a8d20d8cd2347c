internal import Glibc
internal import Journal
internal import StepKit
internal import Values

/// `pasteup resume [RUN]`.
enum ResumeCommand: Command {
    static let spec = CommandSpec(
        "resume", "Goes on with a run: answers what it is paused on, or takes up where it was stopped.",
        example: "pasteup resume 1v9k2f7q --captcha zx8mq",
        arguments: [
            CommandSpec.Argument(
                "RUN", isRequired: false,
                "The run's id or its beginning. May be left out when just one run can go on.")
        ],
        options: [
            CommandSpec.Option("--captcha", value: "TEXT", "The text in the captcha's picture."),
            CommandSpec.Option(
                "--success-token", value: "TOKEN",
                "The token that the captcha's page hands out; '-' reads it from stdin."),
            CommandSpec.Option("--approve", "Answers an approval with yes."),
            CommandSpec.Option("--reject", "Answers an approval with no."),
            CommandSpec.Option(
                "--validated",
                "VK's check is passed: reads the address that it ended at from stdin, and keeps the new token."),
            CommandSpec.Option("--posted", value: "ID", "A write in doubt did happen; this is its post."),
            CommandSpec.Option("--resend", "A write in doubt did not happen; it is sent again."),
            CommandSpec.Option("--due", "Goes on with every run whose time has come; for cron."),
            CommandSpec.Option(
                "--all",
                "Goes on with every run that can go on without a person: those that are due or were interrupted."),
            CommandSpec.Option(
                "--interactive", "Asks about captchas and approvals as they come; on a terminal that is so by itself."),
            CommandSpec.Option("--open", "Opens a captcha's page in the browser by itself."),
            CommandSpec.Option("--step", value: "STEP", "The step that the answer is for, when several are paused."),
            CommandSpec.Option("--json", "Prints one event a line, as JSON."),
            CommandSpec.Option("-q, --quiet", "Prints only results and what needs attention."),
            CommandSpec.Option("--sandbox", "Looks among the runs of the sandbox, and starts it again."),
            CommandSpec.Option("--faults", value: "FILE", "With --sandbox: faults that the stand-in plays, as JSON."),
        ],
        notes: [
            "Without an answer, a call that met a captcha is sent again: it may simply pass now, or bring a fresh captcha.",
            "A captcha, a check or a dead token keeps all other runs from writing with that account; those that waited for "
                + "the\nanswer go on with it.",
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let answer = try Answer(arguments, session.output)
        let state = try StateFolder(arguments, session, isSandbox: arguments.has("--sandbox"))
        guard try state.hasJournal() else { throw RunLookup.noRuns(state) }
        let isSweep = arguments.has("--due") || arguments.has("--all")
        if isSweep, answer != nil || !arguments.positionals.isEmpty || arguments.value("--step") != nil {
            throw UsageError("'--due' and '--all' go without a run and without an answer")
        }
        let store = try await state.open()
        let source = WorkflowSource(session)
        let questioner = isSweep ? nil : Questioner(arguments, session, asksByItself: answer == nil)
        let continuation = RunContinuation(session, state, store, source, questioner: questioner, arguments)
        do {
            let code: ExitCode
            let recovery = Recovery(continuation)
            if isSweep {
                code = try await recovery.sweep(all: arguments.has("--all"))
            } else {
                let found = try await RunLookup(state, store).resumable(arguments.positionals.first, for: answer)
                let own = try await continuation.go(on: found.id, answer: answer, step: arguments.value("--step"))
                let isStopped = own == .stopped || own == .terminated
                code = ExitCode.worst([own] + (isStopped ? [] : try await recovery.goOnWithFreed(except: [found.id])))
            }
            await RunCommand.close(store, source.client)
            return code
        } catch {
            await RunCommand.close(store, source.client)
            throw error
        }
    }
}

/// An answer as the command line gives it.
struct Answer {
    /// Nil: the call is sent again as it was.
    let answer: PauseAnswer?
    /// The token that came with the answer.
    let newToken: Secret?
    let forms: Set<PauseRequest.AnswerForm>
    let option: String

    /// What stands for the option's value in the help; nil for a flag.
    var placeholder: String? { ResumeCommand.spec.options.first { $0.key == option }?.value }

    /// - Returns: nil when no answer was given.
    init?(_ arguments: ParsedArguments, _ output: Output) throws {
        var given: [(PauseAnswer?, Set<PauseRequest.AnswerForm>, String)] = []
        if let text = arguments.value("--captcha") {
            let text = text.filter { !$0.isWhitespace }
            guard !text.isEmpty else { throw UsageError("'--captcha' is empty", fix: "Give the text in the picture.") }
            given.append((.captcha(text), [.captchaText], "--captcha"))
        }
        if let token = arguments.value("--success-token") {
            let text = token == "-" ? try HiddenInput.line(output, prompt: "The success token: ") ?? "" : token
            let trimmed = text.filter { !$0.isWhitespace }
            guard !trimmed.isEmpty else { throw UsageError("the success token is empty") }
            given.append((.successToken(Secret(trimmed)), [.successToken], "--success-token"))
        }
        if arguments.has("--approve") { given.append((.approved, [.approval], "--approve")) }
        if arguments.has("--reject") { given.append((.rejected, [.approval], "--reject")) }
        if let id = arguments.value("--posted") { given.append((.posted(id: id), [.doubt], "--posted")) }
        if arguments.has("--resend") { given.append((.resend, [.doubt], "--resend")) }
        if arguments.has("--validated") { given.append((nil, [.validated], "--validated")) }
        guard given.count <= 1 else {
            throw UsageError(
                "\(given.map { "'\($0.2)'" }.joined(separator: " and ")) do not go together",
                fix: "Give one answer at a time.")
        }
        guard let (answer, forms, option) = given.first else { return nil }
        self.answer = answer
        self.forms = forms
        self.option = option
        newToken = option == "--validated" ? try Answer.readToken(output) : nil
    }

    /// Reads the address at which VK's check ended.
    private static func readToken(_ output: Output) throws -> Secret {
        let line = try HiddenInput.line(output, prompt: "The address at which VK's page ended: ")
        switch ValidationAddress.ending(of: line ?? "") {
        case .passed(let token): return token
        case .failed:
            throw CommandFailure(
                "VK's check was not passed", why: "The address says 'fail'; the run is paused as before.",
                fix: "Resume without '--validated' for a fresh check, and follow its page to the end.", code: .paused)
        case .unknown:
            throw UsageError(
                "this is not the address at which VK's check ends",
                fix: "It has '#success=1&access_token=' in it; copy the whole line.")
        }
    }

    /// Which paused step gets the answer; without one, every step that may simply be tried again.
    ///
    /// - Parameter options: what the next command needs to find the run.
    static func spread(
        _ answer: Answer?, over paused: [(address: String, pause: PauseRequest)], step: String?, _ record: RunRecord,
        options: String, isPersonThere: Bool = false
    ) throws -> [String: PauseAnswer?] {
        if let step, !paused.contains(where: { $0.address == step }) {
            throw UsageError(
                "step '\(step)' of run \(record.id) is not paused",
                fix: paused.isEmpty ? nil : "Paused: \(paused.map(\.address).joined(separator: ", ")).")
        }
        let chosen = paused.filter { step == nil || $0.address == step }
        guard let answer else {
            let again = chosen.filter { $0.pause.answer != .approval }
            // One whose time is over needs no answer any more.
            let isOver = chosen.contains { $0.pause.answerableUntil.map { $0 <= .now } ?? false }
            if again.isEmpty, !isOver, !isPersonThere, let question = chosen.first, record.state == .paused {
                throw UsageError(
                    "run \(record.id) waits for an answer: \(question.pause.message)",
                    fix: "Write: \(NextCommand.answer(question.pause, run: record.id, options: options))")
            }
            return Dictionary(uniqueKeysWithValues: again.map { ($0.address, nil) })
        }
        let fitting = chosen.filter { answer.forms.contains($0.pause.answer) }
        guard let first = fitting.first else {
            throw UsageError(
                "no step of run \(record.id) waits for '\(answer.option)'",
                fix: chosen.first.map { "Write: \(NextCommand.answer($0.pause, run: record.id, options: options))" })
        }
        guard fitting.count == 1 else {
            throw UsageError(
                "several steps of run \(record.id) wait for '\(answer.option)'",
                fix: "Add --step with one of \(fitting.map(\.address).joined(separator: ", ")).")
        }
        return [first.address: answer.answer]
    }
}
