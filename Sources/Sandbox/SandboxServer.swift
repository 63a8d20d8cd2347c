internal import HTTPServer
internal import Threading
internal import Values

/// A local stand-in for Instagram and VK, reached by real HTTP on 127.0.0.1.
///
/// One address serves both: VK's methods lie under `/method/`, Instagram's at `/me`, `/me/media` and so on, with or
/// without a version. `/_sandbox/` shows and changes what the stand-in remembers. `VKMethods`, `InstagramEndpoints`,
/// `VKUpload`, `CDN`, `StandInCaptchaPage`, `ControlEndpoints` and `SandboxFault` say what each address and fault does.
public final class SandboxServer: Sendable {
    private let core: SandboxCore
    private let server = Locked<HTTPServer?>(nil)

    /// Opens the state, or makes it.
    ///
    /// - Throws: `SandboxError` or `FileError` when the state folder cannot be used.
    public init(configuration: SandboxConfiguration = SandboxConfiguration()) throws {
        core = try SandboxCore(configuration)
    }

    deinit { stop() }

    /// Begins to serve, and returns the base address: "http://127.0.0.1:8080".
    ///
    /// - Throws: `HTTPServerError` when the port is taken.
    @discardableResult
    public func start() throws -> String {
        let core = core
        let server = try HTTPServer(port: core.configuration.port) { await core.handle($0) }
        self.server.withLock { $0 = server }
        return server.baseURL
    }

    /// Ends open requests, and frees the port and the state folder. It is not started again.
    public func stop() {
        let server = server.withLock { held in
            defer { held = nil }
            return held
        }
        server?.stop()
        core.store.close()
    }

    /// The port that is served; 0 before `start()`.
    public var port: UInt16 { server.withLock { $0?.port } ?? 0 }

    /// "http://127.0.0.1:8080"; empty before `start()`.
    public var baseURL: String { server.withLock { $0?.baseURL } ?? "" }

    /// Waits until something has been called as often, as the list of calls counts it: "wall.post".
    package func waitForCalls(_ name: String, count: Int) async { await core.waitForCalls(name, count: count) }

    public var instagramToken: String { token(.instagram) }

    /// The VK user's token.
    public var vkToken: String { token(.vk) }

    /// The token as it is now.
    public func token(_ token: SandboxToken) -> String {
        (try? core.store.use { $0.tokens[token] }) ?? ""
    }
}
