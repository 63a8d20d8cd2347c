internal import HTTPServer
internal import Threading
internal import Values

/// Takes each request through its faults to the endpoint that answers it, and keeps the list of calls.
final class SandboxCore: Sendable {
    let configuration: SandboxConfiguration
    let store: SandboxStore
    private let studio: PhotoStudio
    private let watch = CallWatch()

    /// The newest calls that are remembered.
    private static let maxCalls = 10_000

    init(_ configuration: SandboxConfiguration) throws {
        self.configuration = configuration
        store = try SandboxStore(folder: configuration.stateFolder) {
            SandboxState(
                tokens: SandboxState.Tokens(issued: configuration.clock()),
                media: configuration.media ?? SandboxMedia.cafe)
        }
        studio = PhotoStudio(blobs: store.blobs)
        if let faults = configuration.faults {
            try store.use { state in
                state.faults = faults
                state.faultCounts = [:]
                state.needsSaving = true
            }
        }
    }

    func handle(_ request: HTTPServerRequest) async -> HTTPServerResponse {
        let base = "http://" + (request.header("Host") ?? "127.0.0.1")
        do {
            switch Route(path: request.path, method: request.method) {
            case .control:
                let control = ControlEndpoints(store: store, configuration: configuration)
                return try await offPool { try control.answer(request, base: base) }
            case .start: return StartPage.response(base: base)
            case .unknown(let path): return InstagramError.unknownPath(path).response
            case .call(let endpoint): return try await call(endpoint, request, base: base)
            }
        } catch is CancellationError {
            return .cut(how: .close)
        } catch {
            return .text("The sandbox cannot go on: \(error)\n", status: 500)
        }
    }

    /// One call that is counted, can be hit by faults, and appears in the list.
    private func call(_ endpoint: Endpoint, _ request: HTTPServerRequest, base: String) async throws
        -> HTTPServerResponse
    {
        let interference = try await offPool { [self] in try nextInterference(endpoint.name) }
        for delay in interference.delays { try await Task.sleep(for: delay) }
        let performer = Performer(
            endpoint: endpoint, request: request, base: base, now: configuration.clock(), configuration: configuration,
            store: store, studio: studio)
        let answer = try await offPool { [self] in
            let answer = try performer.answer(interference.fault)
            try record(performer, result: answer.result)
            return answer
        }
        if answer.hangs { await untilCancelled() }
        return answer.response
    }

    /// Counts the call, and finds what happens to it.
    private func nextInterference(_ name: String) throws -> Interference {
        try store.use { state in
            guard !state.faults.isEmpty else { return Interference(delays: [], fault: nil) }
            let number = (state.faultCounts[name] ?? 0) + 1
            state.faultCounts[name] = number
            state.needsSaving = true
            let hits = state.faults.filter { $0.on == name && $0.calls.contains(number) }.map(\.action)
            var delays: [Duration] = []
            for case .delay(let duration) in hits { delays.append(duration) }
            return Interference(delays: delays, fault: hits.first { if case .delay = $0 { false } else { true } })
        }
    }

    /// Waits until the list of calls has as many of that name.
    func waitForCalls(_ name: String, count: Int) async { await watch.wait(for: name, count: count, in: store) }

    private struct Interference: Sendable {
        var delays: [Duration]
        /// The first that is no delay.
        var fault: SandboxFault.Action?
    }

    private func record(_ performer: Performer, result: String) throws {
        let call = SandboxState.Call(
            name: performer.endpoint.name, at: performer.now, httpMethod: performer.request.method,
            parameters: performer.shownParameters, credentials: performer.credentials, result: result)
        try store.use { state in
            state.calls.append(call)
            if state.calls.count > Self.maxCalls { state.calls.removeFirst(Self.maxCalls / 10) }
        }
        watch.look(at: store)
    }
}

/// Waits until the server stops.
private func untilCancelled() async {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    await withTaskCancellationHandler {
        for await _ in stream {}
    } onCancel: {
        continuation.finish()
    }
}

/// Where a request goes.
enum Route: Sendable {
    case control
    case start
    case call(Endpoint)
    case unknown(String)

    init(path: String, method: String) {
        if path.hasPrefix("/_sandbox/") {
            self = .control
        } else if path == "/" {
            self = .start
        } else if path.hasPrefix("/method/") {
            self = .call(.vk(method: String(path.dropFirst("/method/".count))))
        } else if path.hasPrefix("/upload/") {
            self = .call(.upload(ticket: String(path.dropFirst("/upload/".count))))
        } else if path.hasPrefix("/cdn/") {
            self = .call(.cdn)
        } else if path == "/captcha.php" {
            self = .call(.captchaPicture)
        } else if path == "/not_robot_captcha" || path == "/not_robot_captcha/check" {
            self = .call(.captchaPage(isCheck: path.hasSuffix("/check")))
        } else if let page = SignInEndpoint(path: path) {
            self = .call(.signIn(page))
        } else if let (target, version) = InstagramEndpoints.target(path: path, method: method) {
            self = .call(.instagram(target, version: version))
        } else {
            self = .unknown(path)
        }
    }
}

/// What can be called, and be hit by faults.
enum Endpoint: Sendable {
    case vk(method: String)
    case upload(ticket: String)
    case instagram(InstagramEndpoints.Target, version: String?)
    case signIn(SignInEndpoint)
    case cdn
    case captchaPicture
    case captchaPage(isCheck: Bool)

    /// What a fault is put on, and what the list of calls shows.
    var name: String {
        switch self {
        case .vk(let method): method
        case .upload: "upload"
        case .instagram(let target, _): target.name
        case .signIn(let page): page.rawValue
        case .cdn: "cdn"
        case .captchaPicture, .captchaPage: "captcha"
        }
    }
}
