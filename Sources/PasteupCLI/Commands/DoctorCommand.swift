internal import Glibc
internal import Workflows

/// `pasteup doctor [FILE]`.
enum DoctorCommand: Command {
    static let spec = CommandSpec(
        "doctor", "Checks whether everything that pasteup needs is there, and tells how to mend what is not.",
        example: "pasteup doctor workflows/instagram-to-vk.yaml",
        arguments: [
            CommandSpec.Argument("FILE", isRequired: false, "A workflow file: are the secrets of its accounts set?")
        ],
        options: [
            CommandSpec.Option("--json", "Prints one check a line, as JSON."),
            CommandSpec.Option("--sandbox", "Checks the state folder of the sandbox."),
        ],
        notes: ["Exit codes: 0 when all that is needed is there, with or without warnings; 1 when there is an error."])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let workflow = try arguments.positionals.first.map { try WorkflowSource(session).load($0).workflow }
        // The stand-in asks for no secret and no account.
        let isSandbox = arguments.has("--sandbox")
        let state = try StateFolder(arguments, session, isSandbox: isSandbox)
        let findings =
            await StateChecks(state: state).findings()
            + MachineChecks(environment: session.environment, now: session.now).findings()
            + (isSandbox ? [] : SecretChecks(environment: session.environment, workflow: workflow).findings)
            + (isSandbox
                ? []
                : SignInChecks(environment: session.environment, workflow: workflow, now: session.now).findings
                    + (try await TokenChecks(session: session, workflow: workflow).findings()))
        let view = FindingsView(findings: findings, style: Style(isOn: session.style.isOn && isatty(1) == 1))
        session.output.result(arguments.has("--json") ? view.json : view.text)
        return findings.contains { $0.level == .error } ? .failed : .done
    }
}
