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
            CommandSpec.Option(
                "--format", value: "FORMAT", choices: ["text", "mermaid", "dot", "svg"],
                "text (default), mermaid, dot or svg."),
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
            return try await NamedRun.with(arguments, session, named: id, forReading: true) { run in
                let workflow = try StoredWorkflow.load(run.record, run.state, source)
                let entries = try await run.store.entries(of: run.record.id)
                return DrawnGraph(workflow, states: RunHistory(entries).steps.map { ($0.address, $0.state) })
            }
        }
    }
}
