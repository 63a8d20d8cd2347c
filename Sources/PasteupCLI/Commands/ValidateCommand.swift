internal import Diagnostics
internal import Files
internal import Values
internal import Workflows

/// `pasteup validate FILE…`.
enum ValidateCommand: Command {
    static let spec = CommandSpec(
        "validate", "Checks workflow files and tells all that is wrong with them.",
        example: "pasteup validate workflows/*.yaml",
        arguments: [CommandSpec.Argument("FILE", isRepeated: true, "A workflow file; '-' reads standard input.")],
        options: [
            CommandSpec.Option("--strict", "Takes warnings for errors."),
            CommandSpec.Option(
                "--format", value: "FORMAT", choices: ["text", "json", "sarif", "github"],
                "text (default), json (a problem a line), sarif, or github (annotations)."
            ),
            CommandSpec.Option("--json", "The same as '--format json'."),
            CommandSpec.Option("-q, --quiet", "Prints only what is wrong."),
        ] + WorkflowSource.inputOptions,
        notes: [
            "With inputs, which go with one FILE, these are checked as 'run' checks them.",
            "Each line of --json is an object: file, line, column and end (the column after the last character; all from 1),\n"
                + "severity (error, warning), code, message, and notes where other places matter. A problem without a place has\n"
                + "no line, column and end.",
            "Exit codes: 0 when nothing is wrong, with or without warnings; 2 when something is, with --strict a warning, too.",
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let format = try format(arguments)
        let source = WorkflowSource(session)
        let givesInputs = WorkflowSource.inputOptions.contains { arguments.values[$0.key] != nil }
        guard !givesInputs || arguments.positionals.count == 1 else {
            throw UsageError("inputs go with one file, and there are \(arguments.positionals.count)")
        }
        if arguments.positionals.count(where: { $0 == "-" }) > 1 {
            throw UsageError("'-' is given twice", fix: "Standard input can be read once.")
        }
        var report = ValidationReport()
        for path in arguments.positionals {
            let checked = try check(path, source, givesInputs ? arguments : nil, isStrict: arguments.has("--strict"))
            report.files.append(checked)
            guard format == .text else { continue }
            session.output.note(checked.text(color: session.output.usesColor))
            if let failure = checked.failure {
                session.tell(error: failure, fix: nil)
            } else if !arguments.has("--quiet") {
                session.output.result(checked.praise)
            }
        }
        switch format {
        case .text: break
        case .json: session.output.result(report.json)
        case .sarif: session.output.result(report.sarif)
        case .github: session.output.result(report.github)
        }
        return report.hasErrors ? .usage : .done
    }

    private enum Format: String, CaseIterable { case text, json, sarif, github }

    private static func format(_ arguments: ParsedArguments) throws(UsageError) -> Format {
        guard let word = arguments.value("--format") else { return arguments.has("--json") ? .json : .text }
        guard let format = Format(rawValue: word) else {
            let words = Format.allCases.map(\.rawValue)
            throw UsageError(
                "'--format \(word)' is no form of a report",
                fix: nearest(word, among: words).map { "Did you mean '\($0)'?" }
                    ?? "Forms are \(words.joined(separator: ", ")).")
        }
        if arguments.has("--json"), format != .json {
            throw UsageError("'--json' and '--format \(word)' are two forms", fix: "Give one of them.")
        }
        return format
    }

    /// - Parameter inputs: the arguments, where they give inputs.
    private static func check(
        _ path: String, _ source: WorkflowSource, _ inputs: ParsedArguments?, isStrict: Bool
    ) throws -> ValidationReport.File {
        let name = path == "-" ? "<stdin>" : path
        let file: WorkflowFile
        do throws(DiagnosticsError) {
            file = try path == "-" ? standardInput(name) : WorkflowFile.read(path: path)
        } catch {
            let diagnostics = error.diagnostics.map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.code = .unreadable
                return diagnostic
            }
            return ValidationReport.File(name: name, diagnostics: diagnostics, sources: [], isStrict: isStrict)
        }
        let loaded: LoadedWorkflow
        let parts = PartFiles()
        do { loaded = try WorkflowLoader(catalog: source.catalog, files: parts.reader).load(file) } catch {
            return ValidationReport.File(
                name: name, diagnostics: error.diagnostics, sources: [file.source] + parts.sources, isStrict: isStrict)
        }
        var diagnostics = loaded.warnings
        var sources = [file.source] + parts.sources
        if let inputs {
            let resolved = loaded.workflow.resolveInputs(try source.givenInputs(of: loaded.workflow, inputs))
            diagnostics += resolved.diagnostics
            sources += resolved.sources
        }
        return ValidationReport.File(
            name: name, diagnostics: diagnostics, sources: sources, workflow: loaded.workflow, isStrict: isStrict)
    }

    private static func standardInput(_ name: String) throws(DiagnosticsError) -> WorkflowFile {
        do {
            let bytes = try FileSystem.read("/dev/stdin", maxBytes: 16 << 20)
            return WorkflowFile(name: name, folder: FileSystem.currentFolder, bytes: bytes)
        } catch {
            throw DiagnosticsError([
                Diagnostic(at: nil, "standard input cannot be read as a workflow", why: error.reason)
            ])
        }
    }
}
