internal import Files
internal import Sandbox

/// `pasteup sandbox`.
enum SandboxCommand: Command {
    static let spec = CommandSpec(
        "sandbox", "Serves a local stand-in for Instagram and VK until it is stopped.",
        example: "pasteup sandbox --port 8090",
        options: [
            CommandSpec.Option("--port", value: "N", "The port on 127.0.0.1; any free one unless given."),
            CommandSpec.Option("--faults", value: "FILE", "Faults to play, as JSON; see the README."),
            CommandSpec.Option("--memory", "Keeps nothing: posts, photos and tokens go with the process."),
        ],
        notes: [
            "Prints base-url, INSTAGRAM_TOKEN and VK_TOKEN, a line each, then serves. What it was asked and what it holds "
                + "is at\nGET /_sandbox/state; faults are set with POST /_sandbox/faults."
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        var port: UInt16 = 0
        if let text = arguments.value("--port") {
            guard let number = UInt16(text) else {
                throw UsageError("'--port \(text)' is no port", fix: "Give a number from 0 to 65535.")
            }
            port = number
        }
        let state = try StateFolder(arguments, session, isSandbox: true)
        let server: SandboxServer
        do {
            let folder = arguments.has("--memory") ? nil : state.sandboxData
            if let folder { try FileSystem.makeFolder(folder) }
            let faults = try arguments.value("--faults").map { try SandboxFault.list(json: FileSystem.read($0)) }
            server = try SandboxServer(
                configuration: SandboxConfiguration(port: port, stateFolder: folder, faults: faults))
            let address = try server.start()
            session.output.result(
                "base-url=\(address)\nINSTAGRAM_TOKEN=\(server.instagramToken)\nVK_TOKEN=\(server.vkToken)\n")
        } catch {
            throw CommandFailure("the sandbox cannot start: \(error)")
        }
        for await _ in session.signals.stream() { break }
        server.stop()
        return .done
    }
}
