internal import Files
internal import Glibc
internal import Journal

/// The program.
public enum Pasteup {
    public static let version = "0.1.0"

    /// Carries a command line out and ends the process with its exit code.
    ///
    /// - Parameter words: without the program's own name.
    public static func main(_ words: [String]) async -> Never { await main(words, faults: ProgramFaults()) }

    /// - Parameter faults: what goes wrong, for tests.
    package static func main(_ words: [String], faults: ProgramFaults) async -> Never {
        if words == ["--version"] || words == ["-V"] {
            print("pasteup \(version)")
            fflush(nil)
            exit(0)
        }
        let signals = StopSignals()
        let environment = Session.environment()
        let session = Session(environment: environment, signals: signals, faults: faults)
        let code = await run(words, session)
        await session.close()
        exit((code == .done && session.output.hasLostResults ? ExitCode.failed : code).rawValue)
    }

    private static func run(_ words: [String], _ session: Session) async -> ExitCode {
        do {
            return try await dispatch(words, session)
        } catch let error as UsageError {
            session.tell(error: error.message, fix: error.fix)
            return .usage
        } catch let failure as CommandFailure {
            session.tell(failure)
            return failure.code
        } catch is Interrupted {
            session.output.note("Stopped; nothing was changed.\n")
            return .stopped
        } catch let error as JournalError {
            session.tell(error: error.message, fix: error.fix)
            return .failed
        } catch let error as FileError {
            session.tell(
                error: "\(error)",
                fix: error.isDiskFull
                    ? "Make room on the disk."
                    : error.isReadOnly ? "Make it writable for you, or choose another folder." : nil)
            return .failed
        } catch {
            session.tell(error: "\(error)", fix: nil)
            return .failed
        }
    }

    private static func dispatch(_ words: [String], _ session: Session) async throws -> ExitCode {
        guard let name = words.first else {
            session.output.note(helpText)
            return .usage
        }
        if ["--help", "-h", "help"].contains(name) {
            guard name == "help", words.count > 1 else {
                session.output.result(wrapped(helpText, columns: session.output.columns))
                return .done
            }
            guard let command = commands.first(where: { $0.spec.name == words[1] }) else { throw unknown(words[1]) }
            let help = command.spec.verb(words.dropFirst(2).first).help
            session.output.result(wrapped(help, columns: session.output.columns))
            return .done
        }
        if name == CompletionsCommand.query {
            return await CompletionsCommand.answer(Array(words.dropFirst()), session)
        }
        guard let command = commands.first(where: { $0.spec.name == name }) else { throw unknown(name) }
        let parsed = try command.spec.parse(Array(words.dropFirst()))
        if parsed.has("--help") {
            let help = command.spec.verb(parsed.verb).help
            session.output.result(wrapped(help, columns: session.output.columns))
            return .done
        }
        return try await command.run(parsed, session)
    }
}

/// What the process tells its caller (design §6).
enum ExitCode: Int32, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case paused = 3
    case waiting = 4
    case locked = 5
    case stopped = 130
    case terminated = 143
}

/// A failure that ends a command: what is wrong, why, how to mend it.
struct CommandFailure: Error, Sendable {
    let code: ExitCode
    let message: String
    let why: String?
    let fix: String?

    init(_ message: String, why: String? = nil, fix: String? = nil, code: ExitCode = .failed) {
        self.code = code
        self.message = message
        self.why = why
        self.fix = fix
    }
}

/// A command of the program.
protocol Command: Sendable {
    static var spec: CommandSpec { get }

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode
}
