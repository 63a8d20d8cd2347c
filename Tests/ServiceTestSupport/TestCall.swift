internal import Files
public import StepKit
internal import Threading
public import Values

/// A call limiter that lets everything pass, and counts.
public final class CountingLimiter: CallLimiter {
    private let turns = Locked<[Double]>([])

    public init() {}

    /// The rate of each call so far.
    public var rates: [Double] { turns.withLock { $0 } }

    public func waitForTurn(of token: Secret, perSecond: Double) async throws {
        turns.withLock { $0.append(perSecond) }
    }
}

/// The folder and the warnings of a test's calls. The folder goes with it.
public final class TestCalls: Sendable {
    public let folder: String
    private let messages = Locked<[String]>([])
    private let pauses = Locked<[Duration]>([])

    public init() throws {
        folder = try FileSystem.makeTemporaryFolder(prefix: "pasteup-tests")
    }

    deinit { try? FileSystem.removeTree(folder) }

    public var warnings: [String] { messages.withLock { $0 } }

    /// How long each call has waited so far; nobody waits in truth.
    public var waits: [Duration] { pauses.withLock { $0 } }

    /// A call with the kind's own defaults filled in, of a workflow file that lies in the folder.
    public func call(
        _ kind: any StepKind, _ parameters: ValueObject, account: Account?, attempt: Int = 1,
        resumption: Resumption? = nil, address: String = "post", timeout: Duration = .seconds(60),
        effect: Effect? = nil, hiding secrets: [Secret] = [], parts: any StepParts = VolatileParts(),
        others: [ValueObject] = [],
        postedKeys: @escaping @Sendable (String) async throws -> [PostedKey] = { _ in [] }
    ) throws -> StepCall {
        let declared = kind.declaration.parameters
        let known = ValueObject(
            parameters.filter { one in declared.contains { $0.name == one.key } }.map { ($0.key, $0.value) })
        var fitted = try declared.fit(known)
        for (name, value) in parameters where fitted[name] == nil { fitted[name] = value }
        let messages = messages
        let pauses = pauses
        return StepCall(
            run: "r7k2", address: address, attempt: attempt, parameters: fitted,
            effect: effect ?? kind.declaration.effect, account: account,
            idempotencyKey: "0123456789abcdef0123456789abcdef", timeout: timeout, folder: folder,
            artifacts: folder,
            resumption: resumption, parts: parts, others: others,
            warn: { message in messages.withLock { $0.append(message) } },
            redact: { Redactor(secrets).redact($0) },
            wait: { pause in pauses.withLock { $0.append(pause) } }, postedKeys: postedKeys)
    }

    /// Writes a file into the folder and gives its path.
    public func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = FileSystem.join(folder, name)
        try FileSystem.write(bytes, to: path)
        return path
    }
}

/// The failure of `body`; nil when it did not fail.
public func stepError(_ body: () async throws -> some Sendable) async throws -> StepError? {
    do {
        _ = try await body()
        return nil
    } catch let error as StepError {
        return error
    }
}

/// Small files that have the first bytes of their formats.
public enum SampleBytes {
    public static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0]
    public static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    public static let gif: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
    public static let webp: [UInt8] = Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBPVP8 ".utf8)
}
