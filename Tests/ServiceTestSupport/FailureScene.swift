internal import Engine
internal import Files
internal import Glibc
internal import PasteupCLI
public import StepKit
public import Values

/// An answer of a service and the failure that it is, from a file: `status`, `headers`, and `body` as text or `answer` as
/// JSON; then `class`, `code`, `retry-after-ms`, `pause`, `sentence`, and as `next` the command with which a person goes on.
public struct FailureScene: Sendable {
    /// The file's content.
    public let json: Value
    private let path: String

    public init(_ name: String, of fixtures: Fixtures) throws {
        json = try fixtures.json(name)
        path = fixtures.path(name)
    }

    /// The answer.
    ///
    /// - Parameter status: the one that a file without `status` means.
    public func answer(status: Int) -> ScriptedHTTPClient.Answer {
        let headers = (json["headers"]?.object ?? [:]).map { (name: $0.key, value: $0.value.string ?? "") }
        return .status(
            Int(json["status"]?.integer ?? Int64(status)), json["body"]?.string ?? json["answer"]?.json() ?? "",
            headers: headers)
    }

    /// What is another failure than the file says, a line for each difference.
    ///
    /// With `RECORD_SNAPSHOTS` in the environment a sentence that differs is written anew; that is a difference, too.
    ///
    /// - Parameters:
    ///   - folder: the run's folder, which the file calls `RUN`; nil when no sentence names it.
    ///   - secrets: texts that no sentence may have.
    public func problems(
        with error: StepError, folder: String? = nil, hiding secrets: [String]
    ) throws -> [String] {
        var sentence = ([error.sentence] + (error.pause.map { ["Pause: " + $0.message] } ?? [])).joined(separator: "\n")
        if let folder { sentence = sentence.replacing(folder, with: "RUN") }
        var problems: [String] = []
        func compare(_ name: String, _ found: Value?) {
            let wanted = json[name] ?? .null
            if found ?? .null != wanted {
                problems.append("'\(name)' is \((found ?? .null).json()), not \(wanted.json())")
            }
        }
        compare("class", .string(error.errorClass.rawValue))
        compare("code", error.code.map(Value.string))
        compare("retry-after-ms", error.retryAfter.map { .integer($0.wholeMilliseconds) })
        compare("pause", (error.pause?.kind.rawValue).map(Value.string))
        // What the run repeats by itself has a command only after its last attempt, which a file may leave out.
        let isRepeated = error.errorClass.isRetried || error.errorClass == .stale
        if json["next"] != nil || !isRepeated { compare("next", .string(nextCommand(after: error))) }
        for secret in secrets where sentence.contains(secret) { problems.append("the sentence has a secret in it") }
        if getenv("RECORD_SNAPSHOTS") == nil {
            compare("sentence", .string(sentence))
        } else if var object = json.object, object["sentence"]?.string != sentence {
            object["sentence"] = .string(sentence)
            try FileSystem.write(Array((Value.object(object).json(.indented) + "\n").utf8), to: path, mode: 0o644)
            problems.append("recorded anew")
        }
        return problems
    }
}

/// With which command a person goes on, once the last attempt has failed.
private func nextCommand(after error: StepError) -> String {
    if let pause = error.pause { return NextCommand.answer(pause, run: "RUN", options: "") }
    if error.errorClass == .inDoubt {
        let pause = PauseRequest(.inDoubt, message: "", answer: .doubt)
        return NextCommand.answer(pause, run: "RUN", options: "")
    }
    let waits = error.errorClass == .quota || error.errorClass.isRetried
    return waits && error.retryAfter ?? .zero > Scheduler.longestPause
        ? NextCommand.due(options: "") : NextCommand.retry(run: "RUN", options: "")
}
