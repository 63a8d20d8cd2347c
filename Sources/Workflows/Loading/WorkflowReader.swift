internal import Diagnostics
internal import Expressions
internal import StepKit
internal import TimeZones
internal import Values
internal import YAML

/// Makes a workflow of a YAML document, and collects what is wrong with it.
struct WorkflowReader {
    let document: YAMLDocument
    let file: WorkflowFile
    let catalog: StepCatalog
    let files: WorkflowFiles
    /// Set when the file is read as a part of another one.
    var origin: PartOrigin?
    var problems = Problems()
    /// Lines that hold a secret, which no message may show.
    var hiddenLines: Set<Int> = []

    /// False where `inputs` could not be read, so that nothing is said of those that expressions mention.
    var areInputsKnown = true
    /// Whether `inputs` has been looked at.
    var areInputsRead = false
    var inputs: [InputDeclaration] = []
    /// What expressions may know of `inputs`; those with errors are among it.
    var inputShapes: [String: ValueShape] = [:]
    /// By lower case: as written.
    var inputNames: [String: String] = [:]
    var usedInputs: Set<String> = []
    var usesAllInputs = false

    /// False where `accounts` could not be read.
    var areAccountsKnown = true
    var accounts: [AccountDraft] = []
    var usedAccounts: Set<String> = []
    /// Account types whose absence has been told.
    var missedAccountTypes: Set<String> = []

    /// Of dates without a zone of their own; nil for the machine's.
    var timezone: String?
    var defaultTimeout: Duration = .seconds(60)
    var defaultRetry = RetryPolicy()

    var steps: [StepDraft] = []
    /// By id in lower case: the position in `steps`.
    var stepPositions: [String: Int] = [:]
    var kinds: [String: KindInfo] = [:]

    /// Files that steps read, and those that they make.
    var namedFiles: [NamedFile] = []
    var newFiles: Set<String> = []

    /// By the position of the step that uses it, until the step is there.
    var parts: [Int: PartDraft] = [:]
    /// What has been told of the files that steps use.
    var toldOfParts: Set<Diagnostic> = []
    /// Shared by all files of a workflow.
    var partBudget = PartBudget()
    /// Of a part's own accounts: the name of the account that stands in its place.
    var accountAliases: [String: String] = [:]

    init(
        document: YAMLDocument, file: WorkflowFile, catalog: StepCatalog, files: @escaping WorkflowFiles
    ) {
        self.files = files
        self.document = document
        self.file = file
        self.catalog = catalog
    }

    mutating func read() throws(DiagnosticsError) -> LoadedWorkflow {
        guard let root = document.root.mapping else {
            throw DiagnosticsError([
                Diagnostic(
                    at: document.root.useRange, "the file is \(document.root.typeName), not a workflow",
                    why: "A workflow is a mapping with the keys 'name' and 'steps'",
                    fix: "Begin with 'name: my-workflow'")
            ])
        }
        reportUnknownKeys(of: root)
        let name = workflowName(root)
        let description = root.pair("description").flatMap { text($0, of: "the workflow") }
        let schedule = root.pair("schedule").flatMap { readSchedule($0) }
        let overlap = root.pair("overlap").flatMap {
            word($0, of: "the workflow", among: Workflow.Overlap.allCases.map(\.rawValue))
        }
        let concurrency = root.pair("concurrency").flatMap {
            integer($0, of: "the workflow", in: Limits.concurrency)
        }
        timezone = root.pair("timezone").flatMap { readTimezone($0) }
        let recoverWithin = root.pair("recover-within").flatMap { duration($0, of: "the workflow") }
        areInputsKnown = !hasMisspelled("inputs", in: root, known: [KnownKey].workflow.names)
        areAccountsKnown = !hasMisspelled("accounts", in: root, known: [KnownKey].workflow.names)
        readInputs(root["inputs"])
        areInputsRead = true
        let overlapKey = root.pair("overlap-key").flatMap { readOverlapKey($0) }
        readAccounts(root["accounts"])
        inheritAccounts()
        if let origin { (defaultTimeout, defaultRetry) = (origin.timeout, origin.retry) }
        readDefaults(root["defaults"])
        readSteps(root)
        let outputs = readOutputs(root["outputs"])
        let hooks = readHooks(root["hooks"])
        let graph = makeGraph()
        try throwIfErrors()
        warnOfUnused()
        warnOfMissingFiles()
        if let graph { warnOfSteps(graph, isScheduled: schedule != nil) }
        guard let name, let graph else { throw DiagnosticsError(visible(problems.diagnostics)) }
        let flat = origin == nil ? flatten(timezone: timezone) : nil
        try throwIfErrors()

        let workflow = Workflow(
            name: name, description: description, file: file.name, folder: file.folder, inputs: inputs,
            accounts: accounts.compactMap(\.declaration) + (flat?.accounts ?? []),
            concurrency: concurrency.map(Int.init) ?? 4,
            steps: flat?.steps ?? steps.compactMap(\.step), outputs: outputs,
            graph: flat?.graph ?? graph, schedule: schedule,
            overlap: overlap.flatMap(Workflow.Overlap.init) ?? .skip, overlapKey: overlapKey, timezone: timezone,
            recoverWithin: recoverWithin ?? .seconds(24 * 3600), hooks: hooks)
        return LoadedWorkflow(
            workflow: workflow, warnings: visible(problems.diagnostics), file: file, source: document.source)
    }

    // MARK: Results

    private func throwIfErrors() throws(DiagnosticsError) {
        if problems.hasErrors { throw DiagnosticsError(visible(problems.diagnostics)) }
    }

    /// The diagnostics, with no line that holds a secret.
    private func visible(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard !hiddenLines.isEmpty else { return diagnostics }
        return diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            if let line = diagnostic.range?.start.line, hiddenLines.contains(line) { diagnostic.showsLine = false }
            diagnostic.notes = visible(diagnostic.notes)
            return diagnostic
        }
    }
}

// MARK: Keys of the whole workflow

extension WorkflowReader {
    private mutating func workflowName(_ root: YAMLMapping) -> String? {
        guard let pair = root.pair("name") else {
            if hasMisspelled("name", in: root, known: [KnownKey].workflow.names) { return nil }
            problems.error(
                at: root.pairs.first?.key.useRange ?? document.root.useRange, "the workflow has no 'name'",
                why: "The name is shown in lists and is a part of every 'once' key",
                fix: "Begin with 'name: my-workflow'")
            return nil
        }
        guard let name = text(pair, of: "the workflow") else { return nil }
        let isFit =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
        guard isFit else {
            problems.error(
                at: pair.value.useRange, "the workflow's name is \(quoted(pair.value))",
                why: "A name has 1 to 64 letters, digits, '-' and '_', because it is a part of every 'once' key",
                fix: "Write what people read under 'description'")
            return nil
        }
        return name
    }

    private mutating func readSchedule(_ pair: YAMLMapping.Pair) -> String? {
        guard let schedule = text(pair, of: "the workflow") else { return nil }
        if let fault = CronTimes.fault(in: schedule) {
            problems.error(
                at: pair.value.useRange, "the schedule is \(quoted(pair.value)), not a time as cron has it", why: fault,
                fix: "Write \"15 * * * *\" for a quarter past every hour")
            return nil
        }
        return schedule
    }

    private mutating func readTimezone(_ pair: YAMLMapping.Pair) -> String? {
        guard let zone = text(pair, of: "the workflow") else { return nil }
        do throws(TimeZoneError) {
            _ = try TimeZone.named(zone)
            return zone
        } catch {
            problems.error(at: pair.value.useRange, error.message, fix: error.fix)
            return nil
        }
    }

    private mutating func readOverlapKey(_ pair: YAMLMapping.Pair) -> Argument? {
        guard pair.value.scalar != nil, !pair.value.isNull else {
            problems.error(
                at: pair.value.useRange, "'overlap-key' of the workflow is \(quoted(pair.value)), not text",
                fix: "Write a text with expressions, such as 'overlap-key: ${{ inputs.wall }}'")
            return nil
        }
        return argument(pair.value, type: .string, at: ArgumentSite(.beforeRun, "'overlap-key'"))
    }

    private mutating func readOutputs(_ node: YAMLNode?) -> [WorkflowOutput] {
        guard let pairs = members(node, of: "outputs", example: "url: ${{ steps.post.outputs.url }}") else { return [] }
        return pairs.compactMap { pair in
            guard checkName(pair, what: "an output") else { return nil }
            guard !pair.value.isNull else {
                problems.error(
                    at: pair.key.useRange, "output '\(pair.name)' is empty",
                    fix: "Write what it shows, such as '\(pair.name): ${{ steps.post.outputs.url }}', or remove it")
                return nil
            }
            let value = argument(pair.value, type: .any, at: ArgumentSite(.output, "output '\(pair.name)'"))
            return value.map { WorkflowOutput(name: pair.name, value: $0) }
        }
    }
}

func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a") <= byte | 0x20 && byte | 0x20 <= UInt8(ascii: "z")
}

func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") }
