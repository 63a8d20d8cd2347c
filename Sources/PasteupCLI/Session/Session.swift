internal import BuiltinSteps
internal import Diagnostics
internal import Engine
internal import Files
internal import Glibc
internal import HTTP
internal import Instagram
internal import Journal
internal import StepKit
internal import VK
internal import Values

/// What a command works with: the streams, the environment, the catalog of steps.
final class Session: Sendable {
    let output: Output
    let environment: [String: String]
    let signals: StopSignals
    let faults: ProgramFaults

    /// What all processes of this user share.
    let runtime: RuntimeFolder

    init(environment: [String: String], signals: StopSignals, faults: ProgramFaults = ProgramFaults()) {
        self.environment = environment
        self.signals = signals
        self.faults = faults
        runtime = RuntimeFolder(environment)
        output = Output { environment[$0] }
    }

    /// The time of day.
    var now: Timestamp { faults.clock.now.wall }

    var style: Style { Style(isOn: output.usesColor) }

    func close() async { output.clearStatus() }

    /// The process's environment.
    static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let pointer = entry.pointee {
            let text = String(cString: pointer)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }

    /// The steps that workflows can use.
    ///
    /// - Parameter client: sends all their requests.
    func catalog(_ client: any HTTPClient, _ limiter: any CallLimiter, vk: VKConnector) -> StepCatalog {
        let clock = faults.clock
        return Session.catalog(client, limiter, vk: vk, environment: environment, now: { clock.now.wall })
    }

    static func catalog(
        _ client: any HTTPClient, _ limiter: any CallLimiter, vk: VKConnector? = nil, environment: [String: String],
        now: @escaping @Sendable () -> Timestamp
    ) -> StepCatalog {
        let vk = vk ?? VKConnector(client: client, limiter: limiter, now: now)
        return StepCatalog(
            kinds: [
                CardCompose(), ExecRun(environment: environment), FileRead(), FileWrite(),
                HTTPRequestStep(client: client), PauseApproval(now: now), TextRender(),
            ] + InstagramConnector.stepKinds(client: client, now: now)
                + vk.stepKinds,
            accountTypes: [InstagramAccount.type, VKAccount.type],
            families: [vk.methods])
    }

    func tell(error message: String, why: String? = nil, fix: String? = nil) {
        let sentence = [message + ".", why, fix].compactMap { $0 }.joined(separator: " ")
        output.note(style.red("error:") + " " + sentence + "\n")
    }

    func tell(_ failure: CommandFailure) { tell(error: failure.message, why: failure.why, fix: failure.fix) }

    func tell(warning message: String) { output.note(style.yellow("warning:") + " " + message + "\n") }
}
