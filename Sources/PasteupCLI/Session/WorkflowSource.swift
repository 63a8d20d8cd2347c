internal import Diagnostics
internal import Engine
internal import Files
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
    }

    /// Reads and checks a file; warnings are told.
    ///
    /// - Throws: `CommandFailure` with exit code 2 after all problems have been told.
    func load(_ path: String) throws -> File {
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(path, maxBytes: 16 << 20) } catch {
            let hint =
                error.isMissing
                ? "Give the path of a workflow file." : error.code == tooLarge ? "A workflow has 16 MB at most." : nil
            throw CommandFailure("\(error)", fix: hint, code: .usage)
        }
        let realPath = FileSystem.realPath(path) ?? FileSystem.join(FileSystem.currentFolder, path)
        let workflow = try load(bytes, shownAs: path, folder: FileSystem.folder(of: realPath))
        return File(workflow: workflow, bytes: bytes, realPath: realPath)
    }

    /// Checks the bytes of a workflow file.
    func load(
        _ bytes: [UInt8], shownAs path: String, folder: String, showsWarnings: Bool = true
    ) throws -> Workflow {
        let source = SourceText(file: path, bytes: bytes)
        let renderer = DiagnosticRenderer(sources: [source], color: session.output.usesColor)
        do {
            let loaded = try WorkflowLoader(catalog: catalog).load(bytes: bytes, file: path, folder: folder)
            for warning in loaded.warnings where showsWarnings { session.output.note(renderer.render(warning)) }
            return loaded.workflow
        } catch {
            session.output.note(renderer.render(error))
            let count = error.diagnostics.count { $0.severity == .error }
            throw CommandFailure(
                "\(path) has \(count == 1 ? "1 error" : "\(count) errors"); nothing was run", code: .usage)
        }
    }

    /// The inputs from `-i name=value` and the declarations.
    func inputs(of workflow: Workflow, _ given: [String]) throws -> ValueObject {
        var texts: [String: String] = [:]
        for word in given {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw UsageError("'-i \(word)' gives no input", fix: "Write -i name=value.")
            }
            let name = String(word[..<equals])
            guard texts.updateValue(String(word[word.index(after: equals)...]), forKey: name) == nil else {
                throw UsageError("input '\(name)' is given twice", fix: "Give it once.")
            }
        }
        do {
            return try workflow.resolveInputs(given: texts, currentFolder: FileSystem.currentFolder)
        } catch {
            session.output.note(DiagnosticRenderer(color: session.output.usesColor).render(error))
            throw CommandFailure("the inputs of '\(workflow.name)' do not fit; nothing was run", code: .usage)
        }
    }
}

private let tooLarge: Int32 = 27
