public import Files

/// Why a secret could not be had. No message holds anything of a file's content.
public enum AccountsError: Error, Sendable, Hashable {
    /// Not a name that a secret can have.
    case badName(String)
    /// The system refused the file.
    case unreadable(FileError)
    /// Others than the owner may use the file.
    case tooOpen(path: String, mode: UInt32)
    /// The file belongs to another user.
    case notOwned(path: String)
    case notUTF8(path: String)
    /// Not YAML, or not a mapping. `line` is from 1; nil when it is not known.
    case malformed(path: String, line: Int?)
    /// A file of `pasteup login` that is none.
    case malformedAccount(path: String)
    /// The name stands for a list or a mapping.
    case notText(path: String, name: String, line: Int)
}

extension AccountsError: CustomStringConvertible {
    /// What, why, how to mend it.
    public var description: String {
        switch self {
        case .badName(let name):
            "'\(name)' cannot be the name of a secret. Names have letters, digits, '_', '-' and '.'. "
                + "Write one like VK_TOKEN."
        case .unreadable(let failure):
            "\(failure). Secrets are looked for there. See that this user may read it."
        case .tooOpen(let path, let mode):
            "'\(path)' has mode \(octal(mode)). A file with secrets must be its owner's alone. "
                + "Write: chmod 600 \(shellQuoted(path))"
        case .notOwned(let path):
            "'\(path)' belongs to another user. Secrets are taken from the user's own file only. "
                + "Make a file of your own there, mode 0600."
        case .notUTF8(let path): "'\(path)' is not UTF-8. Secrets are text. Write the file anew."
        case .malformed(let path, let line):
            "\(path)\(line.map { ":\($0)" } ?? ""): not a mapping of names to texts. "
                + "Each line gives one secret. Write: NAME: \"text\""
        case .malformedAccount(let path):
            "'\(path)' holds no account. 'pasteup login' writes such files. Remove it, and sign in anew."
        case .notText(let path, let name, let line):
            "\(path):\(line): '\(name)' is not a text. Each name stands for one secret. Write: \(name): \"text\""
        }
    }
}

/// "0644".
private func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
}

private func shellQuoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
    return isPlain
        ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
