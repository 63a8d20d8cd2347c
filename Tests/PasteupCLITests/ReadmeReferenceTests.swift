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
        try readme.put(commandTable(), at: "commands")
        try readme.put(accountTable(catalog), at: "accounts")
        try readme.put(functionTable(), at: "functions")
        try readme.put(kindTables(catalog), at: "step kinds")
        let problem = Snapshot.problem(readme.text, at: ReadmeText.path)
        #expect(problem == nil, "\(problem ?? "")")
    }

    static let mappings: [(name: String, keys: [KnownKey])] = [
        ("workflow", .workflow), ("input", .input), ("step", .step), ("once", .once), ("retry", .retry),
        ("hooks", .hooks), ("hook", .hook),
    ]

    @Test(arguments: mappings.map(\.name)) func keyTablesListWhatFilesMayHold(_ name: String) throws {
        let keys = try #require(ReadmeReferenceTests.mappings.first { $0.name == name }).keys
        let region = try #require(ReadmeText().region("keys: \(name)"))
        let listed = region.matches(of: /\n\| `([a-z-]+)` \|/).map { String($0.1) }
        #expect(listed.sorted() == keys.filter { $0.support == .built }.map(\.name).sorted())
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

private struct NoLimit: CallLimiter {
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

private func functionTable() -> [String] {
    ["| function | gives |", "|---|---|"]
        + FunctionLibrary.standard.functions.map { "| `\($0.signature)` | \(cell($0.summary)) |" }
}

private func kindTables(_ catalog: StepCatalog) -> [String] {
    catalog.kindNames.compactMap { catalog.kind($0)?.declaration }.flatMap { kind -> [String] in
        let account = kind.accountType.map { " Account: `\($0)`." } ?? " No account."
        var lines = ["### `\(kind.name)`", "", "\(kind.summary) Effect: `\(kind.effect.rawValue)`.\(account)", ""]
        lines += ["| parameter | type | default | required | means |", "|---|---|---|---|---|"]
        lines += kind.parameters.flatMap { rows($0, prefix: "") }
        if kind.hasOpenParameters { lines += ["", "Further parameters are passed on."] }
        lines += ["", "| output | type | means |", "|---|---|---|"]
        lines += kind.outputs.map { output in
            let secrecy = output.isSensitive ? " Never shown whole." : ""
            return "| `\(output.name)` | \(typeName(output.type)) | \(cell(output.summary))\(secrecy) |"
        }
        if kind.hasOpenOutputs { lines += ["", "Further members of the service's answer are outputs, too."] }
        return lines + [""]
    }.dropLast()
}

/// A parameter, and the members of its object or of the objects in its list.
private func rows(_ parameter: Parameter, prefix: String) -> [String] {
    let name = prefix + parameter.name
    let row = "| `\(name)` " + cells(parameter)
    switch parameter.type {
    case .object(let members): return [row] + members.flatMap { rows($0, prefix: name + ".") }
    // Told once, where the single one is.
    case .list(.object(let members)) where parameter.name != "stickers":
        return [row] + members.flatMap { rows($0, prefix: name + "[].") }
    default: return [row]
    }
}

private func cells(_ parameter: Parameter) -> String {
    let standard = parameter.defaultValue.map { "`\($0.string ?? $0.json())` " } ?? ""
    return "| \(typeName(parameter.type)) | \(standard)| \(parameter.isRequired ? "yes" : "no") | "
        + "\(cell(parameter.summary)) |"
}

private func typeName(_ type: ValueType) -> String {
    switch type {
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .list(let element): "list of " + typeName(element)
    default: type.name
    }
}

private func cell(_ text: String) -> String { text.replacing("|", with: "\\|").replacing("\n", with: " ") }
