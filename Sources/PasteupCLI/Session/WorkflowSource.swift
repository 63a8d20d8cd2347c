internal import Diagnostics
internal import Engine
internal import Files
internal import Journal
internal import StepKit
internal import VK
internal import Values
internal import Workflows

/// Reads workflow files for commands, and tells what is wrong with them.
struct WorkflowSource {
    let session: Session
    let client: ClientSlot
    let catalog: StepCatalog
    let vk: VKConnector

    init(_ session: Session) {
        self.session = session
        client = ClientSlot(session.faults)
        let clock = session.faults.clock
        let limiter = SharedLimiter(session.runtime)
        vk = VKConnector(
            client: client, limiter: limiter, now: { clock.now.wall },
            memory: TokenNotes(folder: session.runtime, now: { clock.now.wall }))
        catalog = session.catalog(client, limiter, vk: vk)
    }

    /// A workflow and where it came from.
    struct File {
        let workflow: Workflow
        let bytes: [UInt8]
        /// With links resolved.
        let realPath: String
        /// The files that its steps use.
        let parts: PartFiles
    }

    /// Reads and checks a file; warnings are told.
    ///
    /// - Throws: `CommandFailure` with exit code 2 after all problems have been told.
    func load(_ path: String) throws -> File {
        let bytes: [UInt8]
        do { bytes = try WorkflowFile.read(path: path).bytes } catch {
            if path == "-" {
                throw CommandFailure(
                    "standard input is no workflow file here",
                    why: "Only 'pasteup validate' reads it.",
                    fix: "Write it to a file.", code: .usage)
            }
            let fault = error.diagnostics[0]
            throw CommandFailure(
                fault.what, why: fault.why.map { $0 + "." },
                fix: fault.fix.map { $0.hasSuffix("?") ? $0 : $0 + "." } ?? "Give the path of a workflow file.",
                code: .usage)
        }
        let realPath = FileSystem.realPath(path) ?? FileSystem.join(FileSystem.currentFolder, path)
        let parts = PartFiles()
        let workflow = try load(bytes, shownAs: path, folder: FileSystem.folder(of: realPath), parts: parts)
        return File(workflow: workflow, bytes: bytes, realPath: realPath, parts: parts)
    }

    /// Checks the bytes of a workflow file.
    func load(
        _ bytes: [UInt8], shownAs path: String, folder: String, parts: PartFiles, showsWarnings: Bool = true
    ) throws -> Workflow {
        let source = SourceText(file: path, bytes: bytes)
        var renderer: DiagnosticRenderer {
            DiagnosticRenderer(sources: [source] + parts.sources, color: session.output.usesColor)
        }
        do {
            let loader = WorkflowLoader(catalog: catalog, files: parts.reader)
            let loaded = try loader.load(bytes: bytes, file: path, folder: folder)
            for warning in loaded.warnings where showsWarnings { session.output.note(renderer.render(warning)) }
            return loaded.workflow
        } catch {
            session.output.note(renderer.render(error))
            let count = error.diagnostics.count { $0.severity == .error }
            throw CommandFailure(
                "\(path) has \(count == 1 ? "1 error" : "\(count) errors"); nothing was run", code: .usage)
        }
    }

    /// The options that give inputs, for every command that takes a workflow.
    static let inputOptions = [
        CommandSpec.Option(
            "-i, --input", value: "NAME=VALUE", isRepeated: true,
            "Gives an input; a list as JSON, with commas, or by repeating the option."),
        CommandSpec.Option(
            "--input-file", value: "[NAME=]FILE", isRepeated: true,
            "Gives a table (CSV, TSV, JSON, YAML) or a file; NAME where several inputs take one."),
        CommandSpec.Option(
            "--inputs", value: "FILE", "Reads inputs from a YAML or JSON file; what is given besides wins."),
    ]

    /// What the command line says of inputs.
    func givenInputs(of workflow: Workflow, _ arguments: ParsedArguments) throws -> GivenInputs {
        var given = GivenInputs(currentFolder: FileSystem.currentFolder)
        given.file = arguments.value("--inputs")
        for word in arguments.values["--input"] ?? [] {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw UsageError("'-i \(word)' gives no input", fix: "Write -i name=value.")
            }
            given.add(String(word[word.index(after: equals)...]), for: String(word[..<equals]))
        }
        let names = workflow.inputs.map(\.name)
        for word in arguments.values["--input-file"] ?? [] {
            guard !word.isEmpty, !word.hasSuffix("=") else {
                throw UsageError("'--input-file \(word)' names no file", fix: "Write --input-file name=rows.csv.")
            }
            given.add(inputFile: word, names: names)
        }
        return given
    }

    /// The inputs of a run, from the command line and the declarations; all that is wrong with them is told.
    func inputs(of workflow: Workflow, _ arguments: ParsedArguments) throws -> ResolvedInputs {
        let inputs = workflow.resolveInputs(try givenInputs(of: workflow, arguments))
        tell(inputs)
        guard !inputs.hasErrors else {
            throw CommandFailure("the inputs of '\(workflow.name)' do not fit; nothing was run", code: .usage)
        }
        return inputs
    }

    /// The inputs of a run that is in the journal, as expressions see them.
    func inputs(of record: RunRecord, _ workflow: Workflow, _ state: StateFolder) throws -> ResolvedInputs {
        let inputs = workflow.restoreInputs(record.inputs, from: state.runFolder(record.id))
        tell(inputs)
        guard !inputs.hasErrors else {
            throw CommandFailure("run \(record.id) cannot go on without the copies of its inputs")
        }
        return inputs
    }

    private func tell(_ inputs: ResolvedInputs) {
        let renderer = DiagnosticRenderer(sources: inputs.sources, color: session.output.usesColor)
        for diagnostic in inputs.diagnostics { session.output.note(renderer.render(diagnostic)) }
    }
}
