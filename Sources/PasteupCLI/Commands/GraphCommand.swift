internal import Diagnostics
internal import Glibc
internal import GraphDrawing
internal import Journal
internal import SQLiteJournal
internal import StepKit
internal import Workflows

/// `pasteup graph FILE`.
enum GraphCommand: Command {
    static let spec = CommandSpec(
        "graph", "Draws which step waits for which, of a file or of a run.",
        example: "pasteup graph workflows/instagram-to-vk.yaml --format svg",
        arguments: [CommandSpec.Argument("FILE", isRequired: false, "A workflow file; left out with --run.")],
        options: [
            CommandSpec.Option("--format", value: "FORMAT", "text (default), mermaid, dot or svg."),
            CommandSpec.Option("--run", value: "RUN", "Shows what has become of the steps of a run."),
            CommandSpec.Option("--all-edges", "Draws those, too, that follow from others."),
            CommandSpec.Option("--sandbox", "Looks for the run among those of the sandbox."),
        ],
        notes: ["'pasteup graph FILE --format dot | dot -Tpng > graph.png' draws with Graphviz."])

    private enum Format: String, CaseIterable { case text, mermaid, dot, svg }

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let format = try format(arguments)
        var graph = try await graph(arguments, session)
        if !arguments.has("--all-edges") { graph = graph.reduced }
        switch format {
        case .text:
            let style = Style(isOn: session.style.isOn && isatty(1) == 1)
            session.output.result(GraphTextView(graph: graph, style: style).text)
        case .mermaid: session.output.result(graph.mermaid)
        case .dot: session.output.result(graph.dot)
        case .svg: session.output.result(graph.svg)
        }
        return .done
    }

    private static func format(_ arguments: ParsedArguments) throws(UsageError) -> Format {
        guard let word = arguments.value("--format") else { return .text }
        if let format = Format(rawValue: word) { return format }
        let words = Format.allCases.map(\.rawValue)
        throw UsageError(
            "'--format \(word)' is no form of a graph",
            fix: nearest(word, among: words).map { "Did you mean '\($0)'?" }
                ?? "Forms are \(words.joined(separator: ", ")).")
    }

    private static func graph(_ arguments: ParsedArguments, _ session: Session) async throws -> DrawnGraph {
        let source = WorkflowSource(session)
        switch (arguments.positionals.first, arguments.value("--run")) {
        case (nil, nil):
            throw UsageError("'pasteup graph' needs FILE, or --run RUN", fix: "For example: \(spec.example)")
        case (.some, .some):
            throw UsageError(
                "'pasteup graph' takes a file or a run",
                fix: "Leave the file out: a run is drawn from its own copy of the file.")
        case (let path?, nil):
            if arguments.has("--sandbox") { throw UsageError("'--sandbox' goes with '--run' only") }
            return DrawnGraph(try source.load(path).workflow, states: nil)
        case (nil, let id?):
            return try await NamedRun.with(arguments, session, named: id) { run in
                let workflow = try StoredWorkflow.load(run.record, run.state, source)
                let entries = try await run.store.entries(of: run.record.id)
                return DrawnGraph(workflow, states: RunHistory(entries).steps.map { ($0.address, $0.state) })
            }
        }
    }
}

extension DrawnGraph {
    /// - Parameter states: what the journal says of the steps of a run, by address; nil without a run.
    init(_ workflow: Workflow, states: [(address: String, state: StepState)]?) {
        // The items of a step, "post[3]", say more than the step, "post".
        var found: [String: [StepState]] = [:]
        for (address, state) in states ?? [] where StepAddress(address).index == nil { found[address] = [state] }
        for (step, items) in Dictionary(grouping: states ?? [], by: { StepAddress($0.address).step }) {
            let items = items.filter { StepAddress($0.address).index != nil }
            if !items.isEmpty { found[step] = items.map(\.state) }
        }
        self.init(
            name: workflow.name,
            nodes: workflow.steps.map { step in
                var remarks: [String] = []
                if step.effect == .write { remarks.append("writes") }
                if step.once != nil { remarks.append("once") }
                if step.condition != nil { remarks.append("if") }
                if let account = step.account.flatMap(workflow.account),
                    workflow.accounts.count(where: { $0.type.name == account.type.name }) > 1
                {
                    remarks.append("account \(account.name)")
                }
                let own = found[step.id] ?? []
                if own.count > 1 { remarks.append("× \(own.count)") }
                return Node(
                    step.title == step.id ? step.id : "\(step.id): \(step.title)", kind: step.kind.declaration.name,
                    remark: remarks.joined(separator: ", "),
                    state: states == nil ? nil : DrawnGraph.state(of: own), writes: step.effect == .write)
            }, dependencies: workflow.graph.dependencies, order: workflow.graph.order)
    }

    /// Of several items the one that asks for most attention.
    private static func state(of items: [StepState]) -> State {
        let attention: [State] = [
            .failed, .paused, .running, .waiting, .canceled, .ready, .pending, .succeeded, .skipped,
        ]
        return attention.first { state in items.contains { $0.rawValue == state.rawValue } } ?? .pending
    }
}
