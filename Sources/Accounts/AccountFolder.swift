public import Files
public import StepKit
internal import Threading
internal import Values

/// The accounts that a person has signed in for, in `accounts` beside `secrets.yaml`: a file for each, the user's alone.
///
/// A file is replaced as a whole, so that a pair of tokens is never half written. Every call reads the folder anew.
public struct AccountFolder: Sendable {
    private let path: String

    /// - Parameter path: of the folder; it is made with the first account.
    public init(path: String) { self.path = path }

    /// The folder of the user whose environment it is; nil when neither `$XDG_CONFIG_HOME` nor `$HOME` tells.
    public init?(environment: [String: String], root: String = "") {
        guard let beside = SecretStore(environment: environment, root: root).secretsPath else { return nil }
        path = FileSystem.join(FileSystem.folder(of: beside), "accounts")
    }

    /// Whether an account can have that name: letters, digits, `-` and `_`, beginning with a letter, at most 64.
    public static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.first!.isLetter
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The name of the secret that an account's token answers to: "my-shop" is MY_SHOP_TOKEN.
    public static func secretName(of account: String) -> String {
        String(account.uppercased().map { $0 == "-" ? "_" : $0 }) + "_TOKEN"
    }

    /// All accounts, sorted by name.
    ///
    /// - Throws: `AccountsError` when a file cannot be read, or when others may use it.
    public func records() throws(AccountsError) -> [TokenRecord] {
        let names: [String]
        do throws(FileError) { names = try FileSystem.list(path) } catch {
            if error.isMissing { return [] }
            throw .unreadable(error)
        }
        var records: [TokenRecord] = []
        for name in names.sorted() where name.hasSuffix(".json") {
            if let record = try record(named: String(name.dropLast(5))) { records.append(record) }
        }
        return records
    }

    /// - Returns: nil when there is no such account.
    public func record(named name: String) throws(AccountsError) -> TokenRecord? {
        guard Self.isName(name), let file = try SecretFile(file(name)) else { return nil }
        try file.checkPrivate()
        guard var record = TokenRecord(json: file.bytes) else { throw .malformedAccount(path: file.path) }
        record.name = name
        return record
    }

    /// The account of that type which a workflow's account means that names no token: the one of its name, else the only
    /// one of its type, else the one that is named for its type.
    public func record(for account: String, type: String) throws(AccountsError) -> TokenRecord? {
        let all = try records().filter { $0.type == type }
        return all.first { $0.name == account } ?? (all.count == 1 ? all.first : all.first { $0.name == type })
    }

    /// - Throws: `FileError`; what was kept before stays then.
    public func save(_ record: TokenRecord) throws(FileError) {
        try FileSystem.makeFolder(path)
        try FileSystem.write(Array(record.json.utf8), to: file(record.name))
    }

    /// Forgets an account.
    public func remove(_ name: String) throws(FileError) { try FileSystem.remove(file(name)) }

    /// Waits until no other process is changing the account; the lock is free again with the last reference.
    public func lock(_ name: String) async throws -> FileLock {
        let path = path
        return try await offPool {
            try FileSystem.makeFolder(path)
            return try FileLock.wait(FileSystem.join(path, name + ".lock"))
        }
    }

    private func file(_ name: String) -> String { FileSystem.join(path, name + ".json") }
}
