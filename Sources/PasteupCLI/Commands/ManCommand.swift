/// `pasteup man`.
enum ManCommand: Command {
    static let spec = CommandSpec(
        "man", "Prints the manual page.", example: "pasteup man",
        notes: [
            "'pasteup man | man -l -' shows it.",
            "As root, this installs it, so that 'man pasteup' shows it:\n"
                + "  install -d /usr/local/share/man/man1\n"
                + "  pasteup man > /usr/local/share/man/man1/pasteup.1",
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        session.output.result(ManualPage(Pasteup.commands.map(\.spec), version: Pasteup.version).roff)
        return .done
    }
}
