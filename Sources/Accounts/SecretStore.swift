internal import Diagnostics
internal import Files
internal import StepKit
public import Values
internal import YAML

/// Where the secrets of a workflow come from.
///
/// A name is looked up in this order; the first place that has it wins, and an empty value counts as none:
///
/// 1. the file `$CREDENTIALS_DIRECTORY/NAME`, as systemd's `LoadCredential=` makes it, without the line ends at its end;
/// 2. the environment's `NAME`;
/// 3. `secrets.yaml` in `$XDG_CONFIG_HOME/pasteup`, else in `~/.config/pasteup`: one mapping of names to texts, refused
///    unless it is the user's own and readable by nobody else;
/// 4. the accounts of `pasteup login`: the token of account `my-shop` is MY_SHOP_TOKEN.
///
/// Every call reads the places anew, so that a token that was replaced is seen.
public struct SecretStore: Sendable {
    private let environment: [String: String]
    private let root: String

    /// - Parameters:
    ///   - environment: the process's, or another.
    ///   - root: put before every absolute path; "" for the machine's own files.
    public init(environment: [String: String], root: String = "") {
        self.environment = environment
        self.root = root
    }

    /// The secret of that name; nil when no place has it.
    ///
    /// - Parameter name: letters, digits and `_`, `-`, `.`, not beginning with a dot.
    public func secret(_ name: String) throws(AccountsError) -> Secret? {
        if let secret = try secretSetByUser(name) { return secret }
        guard name.hasSuffix("_TOKEN"), let accounts = AccountFolder(environment: environment, root: root) else {
            return nil
        }
        return try accounts.records().first { AccountFolder.secretName(of: $0.name) == name }?.token
    }

    /// The secret of that name from any place but `pasteup login`, which comes last.
    public func secretSetByUser(_ name: String) throws(AccountsError) -> Secret? {
        guard Self.isName(name) else { throw .badName(name) }
        if let secret = try credential(name) { return secret }
        if let text = environment[name], !text.isEmpty { return Secret(text) }
        return try secretsFile(name)
    }

    /// The path of `secrets.yaml`; nil when neither `$XDG_CONFIG_HOME` nor `$HOME` tells.
    public var secretsPath: String? {
        let folder: String
        // A relative path is invalid (XDG Base Directory Specification 0.8) and passed over.
        if let config = environment["XDG_CONFIG_HOME"], config.utf8.first == UInt8(ascii: "/") {
            folder = config
        } else if let home = environment["HOME"], !home.isEmpty {
            folder = FileSystem.join(home, ".config")
        } else {
            return nil
        }
        return root + FileSystem.join(FileSystem.join(folder, "pasteup"), "secrets.yaml")
    }

    private func credential(_ name: String) throws(AccountsError) -> Secret? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { return nil }
        let path = root + FileSystem.join(folder, name)
        guard let file = try SecretFile(path) else { return nil }
        return nonEmpty(try file.text(withoutLineEnds: true))
    }

    func secretsFile(_ name: String) throws(AccountsError) -> Secret? {
        guard let path = secretsPath, let file = try SecretFile(path) else { return nil }
        try file.checkPrivate()
        guard file.saysSomething else { return nil }
        let root: YAMLNode
        do throws(DiagnosticsError) {
            root = try YAMLDocument.load(bytes: file.bytes, file: path).root
        } catch {
            // The reader's own words would quote the file.
            throw .malformed(path: path, line: error.diagnostics.first?.range?.start.line)
        }
        guard let mapping = root.mapping else {
            if root.isNull { return nil }
            throw .malformed(path: path, line: root.location.line)
        }
        guard let node = mapping[name], !node.isNull else { return nil }
        guard let scalar = node.scalar else { throw .notText(path: path, name: name, line: node.location.line) }
        // As written: a token of digits only is text, too.
        return nonEmpty(scalar.text)
    }

    private func nonEmpty(_ text: String) -> Secret? { text.isEmpty ? nil : Secret(text) }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
