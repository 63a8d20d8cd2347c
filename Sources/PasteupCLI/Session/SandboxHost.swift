internal import Files
internal import HTTP
internal import Sandbox

/// The sandbox of one run, inside this process.
final class SandboxHost: Sendable {
    private let server: SandboxServer
    let baseURL: String

    /// - Parameters:
    ///   - folder: where the stand-in keeps its posts, photos and open captchas.
    ///   - faults: a file with faults; nil leaves those that are set.
    init(folder: String, faults: String?) throws {
        do {
            try FileSystem.makeFolder(folder)
            let list = try faults.map { try SandboxFault.list(json: FileSystem.read($0)) }
            server = try SandboxServer(configuration: SandboxConfiguration(stateFolder: folder, faults: list))
            baseURL = try server.start()
        } catch {
            throw CommandFailure("the sandbox cannot start: \(error)", code: .usage)
        }
    }

    /// `host:port`, the only one that a sandbox run may ask.
    var authority: String { URLParts(baseURL)?.authority ?? "" }

    func token(for accountType: String) -> String {
        accountType == "instagram" ? server.instagramToken : server.vkToken
    }

    func stop() { server.stop() }
}
