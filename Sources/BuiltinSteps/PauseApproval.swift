internal import Files
public import StepKit
public import Values

/// `pause.approval`: waits until a person says yes.
///
/// The run ends paused; `pasteup resume RUN --approve` lets the step succeed, `--reject` lets it fail with class
/// `permission`. Where `timeout` is given, an answer that has not come by then counts as no, and `pasteup resume --due`
/// goes on with the run.
public struct PauseApproval: StepKind {
    private let now: @Sendable () -> Timestamp

    public init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    public let declaration = StepDeclaration(
        "pause.approval", "Waits until a person approves.", effect: .pure, asksPerson: true,
        parameters: [
            Parameter("message", .string, required: true, "What the person is asked."),
            Parameter("show", .list(.string), "Files and addresses to look at before answering."),
            Parameter("timeout", .duration, "How long an answer is waited for; after that it counts as no."),
        ],
        outputs: [
            Output("approved", .boolean, "Always true: a step that was rejected has failed."),
            Output("answered-at", .string, "When it was approved, ISO 8601 in UTC."),
        ],
        example: """
            look:
              uses: pause.approval
              with:
                message: Post this card?
                show: ["${{ steps.card.outputs.file }}"]
                timeout: 12h
            """)

    public func run(_ call: StepCall) async throws -> StepResult {
        let now = now()
        let deadline = deadline(of: call, now)
        if let deadline, deadline <= now {
            throw StepError(
                .permission, "it was not approved by \(deadline.localText)",
                why: "An approval that has not come when its time is over counts as rejected.",
                fix: "Give it more time with 'timeout', then run again.")
        }
        switch call.resumption?.answer {
        case .approved: return .succeeded(["approved": true, "answered-at": .string(now.iso8601)])
        case .rejected: throw StepError(.permission, "it was rejected")
        default:
            return .paused(
                PauseRequest(
                    .approval, message: call["message"]?.string ?? "", show: try show(call), expires: deadline,
                    answer: .approval, continuation: ["until": deadline.map { .string($0.iso8601) } ?? .null]))
        }
    }

    /// Counted from the first time that it was asked.
    private func deadline(of call: StepCall, _ now: Timestamp) -> Timestamp? {
        if let asked = call.resumption { return asked.continuation["until"]?.string.flatMap { Timestamp(iso8601: $0) } }
        return call["timeout"]?.string.flatMap { Duration(text: $0) }.map { now + $0 }
    }

    private func show(_ call: StepCall) throws(StepError) -> [String] {
        var things: [String] = []
        for text in (call["show"]?.array ?? []).compactMap(\.string) where !text.isEmpty {
            if text.hasPrefix("https://") || text.hasPrefix("http://") {
                things.append(text)
                continue
            }
            let path = FileSystem.join(call.folder, text)
            guard FileSystem.exists(path) else {
                throw StepError(
                    .invalid, "there is no file '\(path)' to show", why: "'show' lists files and http addresses.",
                    fix: "Relative paths begin at the workflow file's folder.")
            }
            things.append(path)
        }
        return things
    }
}
