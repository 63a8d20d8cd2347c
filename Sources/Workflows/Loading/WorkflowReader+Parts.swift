internal import Diagnostics
internal import Expressions
internal import Files
internal import StepKit
internal import YAML

/// Steps that use another workflow file.
extension WorkflowReader {
    /// How deep parts may lie in one another.
    static let maxDepth = 16

    /// Whether `uses` names a file and not a kind.
    static func isPart(_ name: String) -> Bool {
        name.hasPrefix("./") || name.hasPrefix("../") || name.hasPrefix("/") || name.hasSuffix(".yaml")
            || name.hasSuffix(".yml")
    }

    /// Reads the file that a step uses, and says what it is as a kind of step. Where something is wrong with the file, what
    /// is known of it all the same: the step is checked with that.
    ///
    /// - Parameter pair: `uses`.
    mutating func part(_ path: String, _ pair: YAMLMapping.Pair, of body: YAMLMapping, _ id: String) -> KindInfo {
        let owner = "step '\(id)'"
        let full = FileSystem.join(file.folder, pieces(of: path).joined(separator: "/"))
        let real = FileSystem.realPath(full) ?? full
        // What follows the first step too many is not read, and nothing more is said of it.
        guard !partBudget.isExhausted, checkChain(real, path, pair) else { return unknown(path) }
        let content: WorkflowFile
        do {
            content = try files(shownName(of: path), full)
        } catch {
            for problem in error.diagnostics {
                problems.error(
                    at: pair.value.useRange, problem.what + ", which \(owner) uses", why: problem.why, fix: problem.fix)
            }
            return unknown(path)
        }
        var inputs: [InputDeclaration]?
        do {
            let document = try YAMLDocument.load(bytes: content.bytes, file: content.name)
            var reader = WorkflowReader(document: document, file: content, catalog: catalog, files: files)
            reader.origin = PartOrigin(
                chain: chain + [real], accounts: accountsForPart(body, owner), timeout: defaultTimeout,
                retry: defaultRetry)
            reader.partBudget = partBudget
            defer { inputs = reader.knownInputs }
            let read = try reader.readPart(use: pair.value.useRange)
            add(read.warnings, usedAt: pair, owner)
            for step in read.part.steps { if let name = step.step?.account { usedAccounts.insert(name) } }
            parts[steps.count] = read.part
            guard partBudget.take(read.part.steps.count) else {
                problems.error(
                    at: pair.value.useRange,
                    "the files that steps use have more than \(PartBudget.maxSteps) steps together",
                    why: "A file counts as often as it is used", fix: "Run some of them as workflows of their own")
                return unknown(path)
            }
            return KindInfo(
                PartKind(
                    file: path, description: read.description, inputs: read.part.inputs,
                    outputs: read.part.outputs.map { ($0.name, reader.type(of: $0.value)) }))
        } catch {
            add(error.diagnostics, usedAt: pair, owner)
            return unknown(path, inputs: inputs)
        }
    }

    /// What stands for a file with something wrong in it.
    ///
    /// - Parameter inputs: nil where they are not known.
    private func unknown(_ path: String, inputs: [InputDeclaration]? = nil) -> KindInfo {
        KindInfo(PartKind(file: path, description: nil, inputs: inputs, outputs: nil))
    }

    /// The inputs; nil when something is wrong with one of them.
    private var knownInputs: [InputDeclaration]? {
        areInputsKnown && inputs.count == inputNames.count && areInputsRead ? inputs : nil
    }

    /// The real paths of the files that are being read, this one last.
    private var chain: [String] {
        origin?.chain ?? [path(of: file)]
    }

    private func path(of file: WorkflowFile) -> String {
        let path = FileSystem.join(file.folder, FileSystem.name(of: file.name))
        return FileSystem.realPath(path) ?? path
    }

    private mutating func checkChain(_ real: String, _ path: String, _ pair: YAMLMapping.Pair) -> Bool {
        if let start = chain.firstIndex(of: real) {
            let ring = (chain[start...] + [real]).map { FileSystem.name(of: $0) }
            problems.error(
                at: pair.value.useRange,
                ring.count == 2
                    ? "'\(path)' uses itself" : "files use one another: \(ring.joined(separator: " -> "))",
                why: "Its steps would never end", fix: "Take one of these uses away")
            return false
        }
        guard chain.count <= Self.maxDepth else {
            problems.error(
                at: pair.value.useRange, "'\(path)' lies more than \(Self.maxDepth) files deep",
                fix: "Use it from a file further up")
            return false
        }
        return true
    }

    /// The part's path as a person in the current folder would write it.
    private func shownName(of path: String) -> String {
        if path.hasPrefix("/") { return path }
        let folder = FileSystem.folder(of: file.name)
        var parts = (folder == "." ? [] : folder.split(separator: "/", omittingEmptySubsequences: true)).map(
            String.init)
        for piece in pieces(of: path) {
            if piece == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(piece)
            }
        }
        let shown = (file.name.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
        return shown.isEmpty ? "." : shown
    }

    private func pieces(of path: String) -> [String] {
        (path.hasPrefix("/") ? [""] : []) + path.split(separator: "/").filter { $0 != "." }.map(String.init)
    }

    /// What is wrong in a part is told with the place where it is used.
    private mutating func add(_ diagnostics: [Diagnostic], usedAt pair: YAMLMapping.Pair, _ owner: String) {
        for var diagnostic in diagnostics {
            // The same file may be used by several steps.
            guard toldOfParts.insert(diagnostic).inserted else { continue }
            diagnostic.notes.append(Diagnostic(.note, at: pair.value.useRange, "\(owner) uses the file here"))
            problems.add(diagnostic)
        }
    }

    // MARK: Accounts

    /// The accounts that the part sees: the one that the step names takes the place of the part's own of its type.
    private func accountsForPart(_ body: YAMLMapping, _ owner: String) -> [AccountDraft] {
        guard let name = body.pair("account")?.value.scalar?.text,
            let account = accounts.first(where: { $0.name == name })
        else { return accounts.map { $0.inherited() } }
        return accounts.filter { $0.type?.name != account.type?.name }.map { $0.inherited() }
            + [account.inherited(isNamed: true)]
    }

    /// Adds what the step that uses this file hands down: an account of the same name, or the one that the step names,
    /// stands for the file's own; others are used where the file declares none of their type.
    mutating func inheritAccounts() {
        guard let origin else { return }
        let own = accounts
        for given in origin.accounts {
            let rivals = own.filter { $0.name == given.name || (given.isNamed && $0.type?.name == given.type?.name) }
            for rival in rivals where rival.name == given.name && rival.type?.name != given.type?.name {
                guard let one = rival.type?.name, let other = given.type?.name else { continue }
                problems.error(
                    at: rival.range,
                    "account '\(rival.name)' is of type '\(one)' here and '\(other)' where the file is used",
                    fix: "Rename one of the two")
            }
            if !rivals.isEmpty {
                accounts.removeAll { account in rivals.contains { $0.name == account.name } }
                for rival in rivals { accountAliases[rival.name] = given.name }
                accounts.append(given)
            } else if !own.contains(where: { $0.type?.name == given.type?.name }) {
                accounts.append(given)
            }
        }
    }

    // MARK: The part itself

    /// Reads the document as a part. What belongs to a whole run (`schedule`, `overlap`, `concurrency`, `hooks`, …) is
    /// checked and left aside: the same file may be run by itself.
    fileprivate mutating func readPart(
        use: SourceRange
    ) throws(DiagnosticsError) -> (part: PartDraft, description: String?, warnings: [Diagnostic]) {
        let loaded = try read()
        return (
            PartDraft(
                file: file.name, folder: file.folder, inputs: inputs, outputs: loaded.workflow.outputs, steps: steps,
                positions: stepPositions, accounts: accounts, use: use), loaded.workflow.description, loaded.warnings
        )
    }

    /// The type of an output that is an output of one of the steps; `any` for all others.
    private func type(of output: Argument) -> ValueType {
        guard case .template(let template, _) = output, let reference = template.whole?.loneReference,
            reference.root == "steps", reference.path.count == 3,
            let position = stepPositions[reference.path[0].lowercased()], steps[position].root == nil
        else { return .any }
        let outputs = steps[position].info?.declaration.outputs ?? []
        return outputs.first { $0.name.lowercased() == reference.path[2].lowercased() }?.type ?? .any
    }

    /// Keys that belong to the steps of a part, not to the step that uses it.
    mutating func refuseStepKeys(_ body: YAMLMapping, _ owner: String) {
        for name in [KnownKey].ofCallsOnly {
            guard let pair = body.pair(name) else { continue }
            problems.error(
                at: pair.key.useRange, "\(owner) uses a file, and such a step has no '\(name)'",
                why: "Each of the file's own steps has one", fix: "Write it there")
        }
    }
}

extension AccountDraft {
    func inherited(isNamed: Bool = false) -> AccountDraft {
        AccountDraft(
            name: name, range: range, type: type, declaration: declaration, isInherited: true, isNamed: isNamed)
    }
}
