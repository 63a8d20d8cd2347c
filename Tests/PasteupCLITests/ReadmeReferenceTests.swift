import Expressions
import Files
import StepKit
import TestSupport
import Testing
import Values

@testable import PasteupCLI
@testable import Workflows

/// The README's reference, held against the declarations that it is made from.
@Suite struct ReadmeReferenceTests {
    /// With `RECORD_SNAPSHOTS=1` the tables are written anew.
    @Test func tablesAreMadeFromTheDeclarations() throws {
        var readme = try ReadmeText()
        let catalog = Session.catalog(ClientSlot(ProgramFaults()), NoLimit(), environment: [:], now: { .now })
        let reference = StepReference(catalog.kindNames.compactMap { catalog.kind($0)?.declaration })
        try readme.put(commandTable(), at: "commands")
        try readme.put(accountTable(catalog), at: "accounts")
        try readme.put(functionTable(), at: "functions")
        try readme.put(reference.table(page: "docs/steps.md"), at: "step kinds")
        for (name, keys) in ReadmeReferenceTests.mappings { try readme.put(keyTable(keys), at: "keys: \(name)") }
        let problem = Snapshot.problem(readme.text, at: ReadmeText.path)
        #expect(problem == nil, "\(problem ?? "")")
    }

    static let mappings: [(name: String, keys: [KnownKey])] = [
        ("workflow", .workflow), ("input", .input), ("step", .step), ("once", .once), ("retry", .retry),
        ("hooks", .hooks), ("hook", .hook),
    ]

    /// With `RECORD_SNAPSHOTS=1` the page is written anew.
    @Test func pageOfStepKindsIsWhatTheCommandPrints() {
        let catalog = Session.catalog(ClientSlot(ProgramFaults()), NoLimit(), environment: [:], now: { .now })
        let reference = StepReference(catalog.kindNames.compactMap { catalog.kind($0)?.declaration })
        let folder = FileSystem.folder(of: ReadmeText.path)
        let problem = Snapshot.problem(reference.markdown, at: FileSystem.join(folder, "docs/steps.md"))
        #expect(problem == nil, "\(problem ?? "")")
    }
}

/// The README, whose regions stand between `<!-- name -->` and `<!-- /name -->`.
private struct ReadmeText {
    static let path = FileSystem.join(
        FileSystem.folder(of: FileSystem.folder(of: FileSystem.folder(of: #filePath))), "README.md")

    private(set) var text: String

    init() throws { text = String(decoding: try FileSystem.read(ReadmeText.path), as: UTF8.self) }

    private func range(_ name: String) -> Range<String.Index>? {
        let closing = name.hasPrefix("keys") ? "keys" : name
        guard let start = text.firstRange(of: "<!-- \(name) -->")?.upperBound,
            let end = text[start...].firstRange(of: "\n<!-- /\(closing) -->")?.lowerBound
        else { return nil }
        return start..<end
    }

    func region(_ name: String) -> Substring? { range(name).map { text[$0] } }

    mutating func put(_ lines: [String], at name: String) throws {
        let range = try #require(self.range(name), "the README has no region '\(name)'")
        text.replaceSubrange(range, with: "\n" + lines.joined(separator: "\n"))
    }
}

struct NoLimit: CallLimiter {
    func waitForTurn(of token: Secret, perSecond: Double) async throws {}
}

// MARK: Tables

private func commandTable() -> [String] {
    ["| command | does |", "|---|---|"]
        + Pasteup.commands.map(\.spec).map { spec in
            let words = spec.arguments.map { argument in
                let name = argument.name + (argument.isRepeated ? "…" : "")
                return argument.isRequired ? name : "[\(name)]"
            }
            let options = spec.options.map { option in
                "`" + option.names.joined(separator: ", ") + (option.value.map { " \($0)" } ?? "") + "`"
            }
            let usage = (["pasteup", spec.name] + words).joined(separator: " ")
            return "| `\(usage)` | \(spec.summary)"
                + (options.isEmpty ? "" : " Options: \(options.joined(separator: ", ")).") + " |"
        } + ["", "Every command has `--help`, with an example first, and `--state DIR`."]
}

private func accountTable(_ catalog: StepCatalog) -> [String] {
    let types = catalog.accountTypeNames.compactMap(catalog.accountType)
    let names = types.map { "`\($0.name)`" }.joined(separator: ", ")
    let addresses = types.map { "`\($0.baseURL)`" }.joined(separator: " and ")
    var lines = [
        "| key | type | default | required | means |", "|---|---|---|---|---|",
        "| `type` | \(names) | | yes | the service |",
        "| `token` | string | the account of `pasteup login` | no | an expression with `secrets` or `env`; a token in the file is refused |",
        "| `base-url` | url | the service's | no | another address; https, or this machine |",
    ]
    for type in types {
        for setting in type.settings { lines.append("| `\(setting.name)` (\(type.name)) " + cells(setting)) }
    }
    return lines + ["", "The services' addresses are \(addresses)."]
}

private func keyTable(_ keys: [KnownKey]) -> [String] {
    ["| key | type | default | required | means |", "|---|---|---|---|---|"]
        + keys.map { key in
            let standard = key.defaultText.map { $0 + " " } ?? MarkdownCell.literal(key.defaultValue)
            let required = key.condition ?? (key.isRequired ? "yes" : "no")
            return "| `\(key.name)` | \(key.form.typeName) | \(standard)| \(required) | \(key.summary) |"
        }
}

private func functionTable() -> [String] {
    ["| function | gives | example |", "|---|---|---|"]
        + FunctionLibrary.standard.functions.map {
            "| `\($0.signature)` | \(MarkdownCell.of($0.summary)) | `\(MarkdownCell.of($0.example.expression))` → `\(MarkdownCell.of($0.example.result))` |"
        }
}

private func cells(_ parameter: Parameter) -> String {
    let standard = parameter.defaultValue.map { "`\($0.string ?? $0.json())` " } ?? ""
    return "| \(MarkdownCell.type(parameter.type)) | \(standard)| \(parameter.isRequired ? "yes" : "no") | "
        + "\(MarkdownCell.of(parameter.summary)) |"
}
