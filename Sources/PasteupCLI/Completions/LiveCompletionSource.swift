internal import Files
internal import Journal
internal import SQLiteJournal
internal import StepKit
internal import Workflows

/// Looks up what a command line that is being typed may mean on this machine. What cannot be looked up is left out: there
/// is nobody to tell.
struct LiveCompletionSource: CompletionSource {
    let session: Session

    /// So many runs are offered.
    private static let limit = 50

    func runs(_ words: ParsedWords) async -> [Completion.Candidate] {
        guard
            let state = try? StateFolder(
                words.options["--state"], session.environment, isSandbox: words.options["--sandbox"] != nil),
            (try? state.hasJournal()) == true, let store = try? await state.open()
        else { return [] }
        let lookup = RunLookup(state, store)
        let runs = (try? await store.runs(in: nil, file: nil, limit: Self.limit)) ?? []
        await store.close()
        return runs.map {
            Completion.Candidate(text: $0.id, help: "\($0.workflow), \(lookup.living($0).state.rawValue)")
        }
    }

    func inputs(ofFile path: String) -> [Completion.Candidate] {
        guard let bytes = try? FileSystem.read(path, maxBytes: 16 << 20),
            let real = FileSystem.realPath(path),
            let loaded = try? WorkflowLoader(catalog: WorkflowSource(session).catalog, files: PartFiles().reader)
                .load(bytes: bytes, file: path, folder: FileSystem.folder(of: real))
        else { return [] }
        return loaded.workflow.inputs.map { input in
            let line = input.description?.split(separator: "\n").first.map(String.init)
            return Completion.Candidate(text: input.name + "=", help: line ?? input.type.name)
        }
    }

    func kinds() -> [Completion.Candidate] {
        let catalog = WorkflowSource(session).catalog
        return catalog.kindNames.map {
            Completion.Candidate(text: $0, help: catalog.kind($0)?.declaration.summary ?? "")
        }
    }
}
