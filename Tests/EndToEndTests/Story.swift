import Files
import Hashing
import Sandbox
import TestSupport
import Threading
import Values

/// One user's machine: a folder of its own, the program that was built, and the services as a sandbox in this process.
final class Story: Sendable {
    /// Holds every trap of encoding: Cyrillic, the signs of forms and addresses, an emoji of three scalars, new lines.
    static let caption = "Кофе & чай + 100% ☕️👩‍💻\n\nСегодня до 22:00 = «как всегда»; a+b%20c\n#кофе #чай_и_кофе"
    static let mediaID = "18042713969215733"

    let folder: TemporaryFolder
    let sandbox: SandboxServer
    private let port: UInt16
    let isHolding = Locked(false)

    /// - Parameters:
    ///   - timeout: how long an attempt at `wall.post` may take. Doubt about a post is settled only after that.
    ///   - size: the card's. Composing one of full size takes longer than all the rest.
    init(
        timeout: String = "60s", caption: String? = Story.caption, size: String = "270x480",
        _ change: (inout SandboxConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = SandboxConfiguration()
        // The scene that is drawn fastest.
        configuration.media = [
            SandboxMedia(
                id: Story.mediaID, caption: caption, scene: "mountains", isSquare: true, timestamp: 1_790_000_000_000)
        ]
        change(&configuration)
        folder = try TemporaryFolder()
        try FileSystem.makeFolder(folder.file("runtime"))
        sandbox = try SandboxServer(configuration: configuration)
        try sandbox.start()
        port = sandbox.port
        try noteToken(rights: configuration.userRights)
        try write("photo.yaml", Story.fixture("instagram-to-vk.yaml").with(timeout: timeout, size: size))
    }

    /// Leaves the note that an earlier run has made of VK's token: so runs begin with their own requests.
    private func noteToken(rights: Int64) throws {
        let name = "token-" + SHA256.hex("pasteup\n" + sandbox.vkToken).prefix(32)
        let note: Value = [
            "at": .integer(Timestamp.now.milliseconds),
            "facts": ["kind": "user", "id": 743_215_608, "rights": .integer(rights)],
        ]
        try FileSystem.makeFolder(folder.file("runtime/pasteup"))
        try FileSystem.write(Array(note.json().utf8), to: folder.file("runtime/pasteup/" + name))
    }

    /// Forgets that note.
    func forgetToken() throws { try FileSystem.removeTree(folder.file("runtime/pasteup")) }

    /// The workflow of the main job, with short pauses, its accounts at the sandbox.
    var workflow: String { folder.file("photo.yaml") }
    var stateFolder: String { folder.file("state") }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try folder.write(name, Array(text.utf8)) }

    static func fixture(_ name: String) throws -> String {
        String(
            decoding: try FileSystem.read(FileSystem.join(fixturesFolder(beside: #filePath), name)), as: UTF8.self)
    }

    // MARK: The program

    /// What its environment holds besides `PATH` and `LANG`.
    var environment: [String: String] {
        [
            "HOME": folder.path, "TMPDIR": folder.path, "PASTEUP_STATE": stateFolder, "SANDBOX": sandbox.baseURL,
            "XDG_RUNTIME_DIR": folder.file("runtime"), "INSTAGRAM_TOKEN": sandbox.instagramToken,
            "VK_TOKEN": sandbox.vkToken,
        ]
    }

    /// - Parameter changes: variables that differ; nil takes one away.
    func runner(_ changes: [String: String?] = [:]) -> ProgramRunner {
        var environment = environment
        for (name, value) in changes { environment[name] = value }
        return ProgramRunner(ProgramRunner.built("pasteup"), environment: environment, folder: folder.path)
    }

    /// Runs `pasteup` with these words.
    func pasteup(
        _ words: String..., input: String? = nil, changes: [String: String?] = [:]
    ) async throws -> ProgramResult {
        try await inTurn { try await self.runner(changes).run(words, input: input) }
    }

    /// Starts `pasteup` and goes on. From here on this story's programs do not queue: what was started is held in the
    /// middle of something, and its time is counted.
    func start(_ words: String...) throws -> RunningProgram {
        isHolding.withLock { $0 = true }
        return try runner().start(words)
    }

    private func inTurn(
        _ body: @Sendable () async throws -> ProgramResult
    ) async throws -> ProgramResult {
        isHolding.withLock { $0 } ? try await body() : try await turns.use(body)
    }

    /// Runs a command line as the program printed it.
    func pasteup(line: String, replacing placeholder: String = "TEXT", by answer: String = "", input: String? = nil)
        async throws -> ProgramResult
    {
        var words = line.split(separator: " ").map { $0 == placeholder ? answer : String($0) }
        words.removeFirst()
        return try await inTurn { [words] in try await self.runner().run(words, input: input) }
    }

    // MARK: The sandbox

    func state() async throws -> Value {
        try Value(json: try await rawHTTP(port: port, "GET", "/_sandbox/state").body)
    }

    func posts() async throws -> [Value] { try await state()["posts"]?.array ?? [] }

    /// How often a method was called.
    func count(_ method: String) async throws -> Int64 {
        try await state()["counts"]?[method]?.integer ?? 0
    }

    /// How often each was called.
    func counts() async throws -> ValueObject { try await state()["counts"]?.object ?? [:] }

    @discardableResult
    func control(_ method: String, _ path: String, _ body: Value? = nil) async throws -> RawAnswer {
        let answer = try await rawHTTP(
            port: port, method, "/_sandbox/" + path, headers: [("Content-Type", "application/json")],
            body: Array((body?.json() ?? "").utf8))
        guard answer.status == 200 else { throw SandboxError(answer.text) }
        return answer
    }

    func setFaults(_ faults: Value) async throws { try await control("POST", "faults", faults) }

    /// Sets one fault on the first calls of a method.
    func fault(_ on: String, _ fault: Value, calls: Value = 1) async throws {
        try await setFaults([["on": .string(on), "call": calls, "fault": fault]])
    }

    /// Waits until a method has been called as often.
    func wait(for method: String, calls: Int64 = 1) async {
        await sandbox.waitForCalls(method, count: Int(calls))
    }

    /// The bytes of a photo that was saved on VK.
    func photo(_ attachment: String) async throws -> [UInt8] {
        let id = attachment.split(separator: "_").last ?? ""
        return try await control("GET", "photos/\(id)").body
    }

    // MARK: The state folder

    /// Every file below the state folder.
    func stateFiles() throws -> [String] { try files(in: stateFolder) }

    /// Every file below a folder, sorted.
    func files(in folder: String) throws -> [String] {
        var files: [String] = []
        var open = [folder]
        while let folder = open.popLast() {
            for name in try FileSystem.list(folder) {
                let path = FileSystem.join(folder, name)
                if FileSystem.isFolder(path) { open.append(path) } else { files.append(path) }
            }
        }
        return files.sorted()
    }
}

/// A few programs at a time: with more, each would be so slow that its time limits run out.
let turns = Turns(4)

actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func use<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        await take()
        do {
            let result = try await body()
            await give()
            return result
        } catch {
            await give()
            throw error
        }
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension String {
    /// The workflow with a time limit for posts and a size for cards.
    fileprivate func with(timeout: String, size: String) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            switch line {
            case "    uses: vk.wall.post": "\(line)\n    timeout: \(timeout)"
            case "      size: 1080x1920": "      size: \(size)"
            default: String(line)
            }
        }.joined(separator: "\n")
    }

    /// The lines of it.
    var lines: [String] { split(separator: "\n").map(String.init) }

    /// What follows the text in the first line that has it.
    func rest(after text: String) -> String? {
        for line in lines {
            var rest = line[...]
            while !rest.isEmpty {
                if rest.hasPrefix(text) { return String(rest.dropFirst(text.count)) }
                rest.removeFirst()
            }
        }
        return nil
    }
}

/// Whether the bytes are somewhere in the others.
func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first, bytes.count >= part.count else { return part.isEmpty }
    return bytes.withUnsafeBufferPointer { bytes in
        part.withUnsafeBufferPointer { part in
            for start in 0...bytes.count - part.count where bytes[start] == first {
                var length = 1
                while length < part.count, bytes[start + length] == part[length] { length += 1 }
                if length == part.count { return true }
            }
            return false
        }
    }
}
