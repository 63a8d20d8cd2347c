public import Files
internal import Hashing
public import StepKit
internal import Threading
public import Values

/// Tokens that took the place of others, in `tokens` beside `secrets.yaml`: a file for each, the user's alone, named by
/// the SHA-256 of its origin.
///
/// Every call reads the folder anew.
public struct TokenFolder: TokenStore {
    private let path: String

    /// - Parameter path: of the folder; it is made when the first token is kept.
    public init(path: String) { self.path = path }

    /// The folder of the user whose environment it is; nil when neither `$XDG_CONFIG_HOME` nor `$HOME` tells.
    public init?(environment: [String: String]) {
        guard let beside = SecretStore(environment: environment).secretsPath else { return nil }
        path = FileSystem.join(FileSystem.folder(of: beside), "tokens")
    }

    /// - Throws: `AccountsError` when there is a file that cannot be read, or that others may use.
    public func token(inPlaceOf origin: Secret) throws -> Secret? {
        guard let file = try file(of: origin) else { return nil }
        if let record = TokenRecord(json: file.bytes) { return record.token.isEmpty ? nil : record.token }
        let text = try file.text(withoutLineEnds: true)
        return text.isEmpty ? nil : Secret(text)
    }

    /// What is known of the token that stands in for this origin, or, with an empty token, of the origin itself.
    ///
    /// - Throws: `AccountsError` when there is a file that cannot be read, or that others may use.
    public func record(inPlaceOf origin: Secret) throws(AccountsError) -> TokenRecord? {
        try file(of: origin).flatMap { TokenRecord(json: $0.bytes) }
    }

    /// - Throws: `FileError`; what was kept before stays then.
    public func keep(_ token: Secret, inPlaceOf origin: Secret) throws {
        try FileSystem.makeFolder(path)
        try FileSystem.write(Array((token.reveal() + "\n").utf8), to: name(of: origin))
    }

    /// - Throws: `FileError`; what was kept before stays then.
    public func keep(_ record: TokenRecord, inPlaceOf origin: Secret) throws(FileError) {
        try FileSystem.makeFolder(path)
        try FileSystem.write(Array(record.json.utf8), to: name(of: origin))
    }

    /// Waits until no other process is changing what stands in for the origin.
    public func lock(for origin: Secret) async throws -> FileLock {
        let (path, name) = (path, name(of: origin) + ".lock")
        return try await offPool {
            try FileSystem.makeFolder(path)
            return try FileLock.wait(name)
        }
    }

    private func file(of origin: Secret) throws(AccountsError) -> SecretFile? {
        guard let file = try SecretFile(name(of: origin)) else { return nil }
        try file.checkPrivate()
        return file
    }

    private func name(of origin: Secret) -> String { FileSystem.join(path, SHA256.hex(origin.reveal())) }
}
