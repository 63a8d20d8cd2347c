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
            // Addresses that an earlier process was given go on being good.
            let remembered = FileSystem.join(folder, "port")
            let port = (try? FileSystem.read(remembered)).flatMap { UInt16(String(decoding: $0, as: UTF8.self)) }
            (server, baseURL) = try SandboxHost.start(folder: folder, faults: list, port: port ?? 0)
            try FileSystem.write(Array(String(server.port).utf8), to: remembered)
        } catch {
            throw CommandFailure("the sandbox cannot start: \(error)".withoutFullStop)
        }
    }

    /// The port may be somebody else's by now: then any free one.
    private static func start(
        folder: String, faults: [SandboxFault]?, port: UInt16
    ) throws -> (SandboxServer, String) {
        let server = try SandboxServer(
            configuration: SandboxConfiguration(port: port, stateFolder: folder, faults: faults))
        do { return (server, try server.start()) } catch {
            guard port != 0 else { throw error }
            server.stop()
        }
        return try start(folder: folder, faults: faults, port: 0)
    }

    /// `host:port`, the only one that a sandbox run may ask.
    var authority: String { URLParts(baseURL)?.authority ?? "" }

    func token(for accountType: String) -> String {
        accountType == "instagram" ? server.instagramToken : server.vkToken
    }

    func stop() { server.stop() }
}

extension String {
    /// The sentence as a clause: what follows it brings its own full stop.
    var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
