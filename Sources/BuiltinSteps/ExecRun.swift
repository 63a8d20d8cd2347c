internal import Files
internal import Processes
public import StepKit
internal import Threading
public import Values

/// `exec.run`: a program of the author's own.
///
/// How it ends:
///
/// | the program | the step |
/// |---|---|
/// | exits with one of `success-codes` | succeeds |
/// | exits with one of `retry-codes` (75 unless given: `EX_TEMPFAIL` of sysexits.h) | fails with class `server`: it says itself that nothing came of it, and is tried again |
/// | exits with another code | fails with class `invalid`: not tried again |
/// | is killed by a signal | `in-doubt`: a `write` is asked about, any other effect is tried again |
/// | takes longer than the step's `timeout` | is ended with its group; a `write` is in doubt, any other effect is tried again |
/// | cannot be started | fails with class `invalid` |
public struct ExecRun: StepKind {
    private let environment: [String: String]

    /// - Parameter environment: this process's; the program gets `PATH`, `HOME`, `LANG` and `TZ` of it.
    public init(environment: [String: String]) {
        self.environment = ChildProcess.inherited(environment)
    }

    public let declaration = StepDeclaration(
        "exec.run", "Runs a program, without a shell.", effect: .write, takesEffect: true,
        parameters: [
            Parameter(
                "command", .list(.string), required: true,
                "The program and its arguments, a list: no shell is used; for one write [sh, -c, \"…\"]."),
            Parameter(
                "env", .map, acceptsSecrets: true,
                "Variables for the program; besides these it gets PATH, HOME, LANG and TZ only."),
            Parameter(
                "stdin", .any, acceptsSecrets: true,
                "What it reads as its standard input: text as it is, any other value as JSON."),
            Parameter("folder", .file, "The folder it runs in; that of the workflow file unless given."),
            Parameter(
                "success-codes", .list(.integer), default: [0], "The exit codes that mean success, each 0 to 255."),
            Parameter(
                "retry-codes", .list(.integer), default: [75],
                "The exit codes that mean 'nothing was done, try again', each 1 to 255."),
            Parameter(
                "output", .choice(["auto", "text", "json", "lines"]), default: "auto",
                "What its standard output is: 'auto' takes a JSON object for outputs and leaves all else as text; 'json' must be JSON; 'lines' makes a list."
            ),
        ],
        outputs: [
            Output("exit-code", .integer, "The program's exit code."),
            Output("stdout", .string, "Its standard output, the first MiB."),
            Output("stderr", .string, "Its standard error, the first 64 KiB."),
            Output("json", .any, "Its standard output as a value, when it was read as JSON."),
            Output("lines", .list(.string), "The lines of its standard output, with 'output: lines'."),
        ],
        hasOpenOutputs: true, doubtRule: .ask,
        example: """
            shorten:
              uses: exec.run
              effect: read
              with:
                command: [./shorten.py, "${{ inputs.link }}"]
                env: { SHORTENER_KEY: "${{ secrets.SHORTENER_KEY }}" }
            """)

    private static let maxOutputBytes = 1 << 20
    private static let maxErrorBytes = 64 << 10
    /// Read beyond the cap, so that a secret which lies across it is taken out before the text is cut.
    private static let margin = 64 << 10

    public func problems(in call: PlannedCall) -> [ParameterProblem] {
        guard let words = call["command"]?.elements, words.first.map({ $0.isAbsent || $0.literal == "" }) ?? true else {
            return []
        }
        return [
            ParameterProblem(
                "command", "names no program", fix: "Its first element is the program: [curl, --version].")
        ]
    }

    public func run(_ call: StepCall) async throws -> StepResult {
        let process = try process(call)
        let result: ChildResult
        do {
            result = try await process.run()
        } catch let error as ChildProcessError {
            throw StepError(.invalid, error.what, fix: error.fix)
        }
        let output = ProgramText(result.output, maxBytes: Self.maxOutputBytes, call)
        let errors = ProgramText(result.errors, maxBytes: Self.maxErrorBytes, call)
        let code = try checkEnding(result.ending, call, errors.text)
        if output.isCut { call.warn("its standard output is longer than 1 MiB: the first MiB is kept") }
        var outputs = try outputs(output, call)
        outputs["stderr"] = .string(errors.text)
        outputs["exit-code"] = .integer(Int64(code))
        return .succeeded(outputs)
    }

    /// What a person says was printed: the id becomes the standard output.
    public func outputs(forPosted id: String, of call: StepCall) -> ValueObject? {
        var outputs = try? outputs(ProgramText(Array(id.utf8), maxBytes: Self.maxOutputBytes, call), call)
        outputs?["stderr"] = ""
        outputs?["exit-code"] = call["success-codes"]?.array?.first ?? 0
        return outputs
    }

    private func process(_ call: StepCall) throws(StepError) -> ChildProcess {
        let words = (call["command"]?.array ?? []).map(\.string).map { $0 ?? "" }
        try checkParameters(of: call)
        var variables = environment
        for (name, value) in call["env"]?.object ?? [:] where !value.isNull { variables[name] = plainText(value) }
        return ChildProcess(
            words, environment: variables, folder: call["folder"]?.string ?? call.folder, base: call.folder,
            input: Array((call["stdin"].map(plainText) ?? "").utf8), maxOutputBytes: Self.maxOutputBytes + Self.margin)
    }

    // MARK: The end

    private func checkEnding(
        _ ending: ChildResult.Ending, _ call: StepCall, _ errors: String
    ) throws(StepError) -> Int32 {
        let name = FileSystem.name(of: call["command"]?.array?.first?.string ?? "the program")
        let said = lastLine(errors).map { "It said: \($0)" }
        switch ending {
        case .killed(let signal):
            throw StepError(
                .inDoubt, "'\(name)' was killed by signal \(signal)",
                why: [said, "What it was doing may be done or not."].compactMap { $0 }.joined(separator: " "),
                code: "signal \(signal)")
        case .exited(let code):
            if codes("success-codes", call).contains(code) { return code }
            let isTemporary = codes("retry-codes", call).contains(code)
            throw StepError(
                isTemporary ? .server : .invalid, "'\(name)' ended with exit code \(code)", why: said,
                code: "exit \(code)")
        }
    }

    private func codes(_ name: String, _ call: StepCall) -> [Int32] {
        call[name]?.array?.compactMap { $0.integer.flatMap { Int32(exactly: $0) } } ?? []
    }

    /// The last line that says something, at most 300 characters of it.
    private func lastLine(_ text: String) -> String? {
        let lines = text.split { $0 == "\n" || $0 == "\r\n" }
        guard let line = lines.last(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
        return line.count > 300 ? line.prefix(299) + "…" : String(line)
    }

    // MARK: Outputs

    private func outputs(_ output: ProgramText, _ call: StepCall) throws(StepError) -> ValueObject {
        var outputs = ValueObject()
        switch call["output"]?.string ?? "auto" {
        case "lines":
            // For Swift a carriage return and a line feed are one character.
            var lines = output.text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
                .map { Value.string(String($0)) }
            if lines.last == "" { lines.removeLast() }
            outputs["lines"] = .array(lines)
        case "json": outputs = members(of: try json(output, call))
        case "auto":
            if !output.isCut, output.text.first(where: { !$0.isWhitespace }) == "{",
                let value = try? Value(json: output.text)
            {
                outputs = members(of: value)
            }
        default: break
        }
        outputs["stdout"] = .string(output.text)
        return outputs
    }

    /// The program has done its work, so that a `write` whose output cannot be read is in doubt, not undone.
    private func json(_ output: ProgramText, _ call: StepCall) throws(StepError) -> Value {
        let errorClass: ErrorClass = call.effect == .write ? .inDoubt : .invalid
        guard !output.isCut else {
            throw StepError(
                errorClass, "its standard output is longer than 1 MiB, too long to be read as JSON",
                fix: "Have it write to a file, and print where that is.")
        }
        do { return try Value(json: output.text) } catch {
            throw StepError(
                errorClass, "its standard output is no JSON: \(error)", why: "The step says 'output: json'.",
                fix: "Print JSON alone; everything else belongs to standard error.")
        }
    }

    /// The members of an object stand beside the declared outputs, unless they have the name of one.
    private func members(of value: Value) -> ValueObject {
        let declared = Set(declaration.outputs.map(\.name))
        var outputs = ValueObject(
            (value.object ?? [:]).filter { !declared.contains($0.key) }.map { ($0.key, $0.value) })
        outputs["json"] = value
        return outputs
    }
}

/// What a program wrote, without secrets, and not longer than what is kept.
private struct ProgramText {
    let text: String
    let isCut: Bool

    init(_ bytes: [UInt8], maxBytes: Int, _ call: StepCall) {
        let whole = call.redact(String(decoding: bytes, as: UTF8.self))
        isCut = whole.utf8.count > maxBytes
        guard isCut else {
            text = whole
            return
        }
        var end = whole.utf8.index(whole.startIndex, offsetBy: maxBytes)
        // A character is not cut in two.
        while String.Index(end, within: whole.unicodeScalars) == nil { end = whole.utf8.index(before: end) }
        text = String(whole[..<end])
    }
}

/// Text for a scalar, JSON for the rest.
func plainText(_ value: Value) -> String { value.string ?? value.json() }
