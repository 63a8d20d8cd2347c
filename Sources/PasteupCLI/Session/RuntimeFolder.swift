internal import Files
internal import Glibc
internal import Hashing
internal import StepKit
internal import Values

/// What the processes of one user share on this machine, whatever their state folders: the pace of each account's calls
/// and the turn of its writes. Nothing in it needs to survive a reboot.
struct RuntimeFolder: Sendable {
    /// Nil when there is no folder that only this user can write to; then each process keeps its own pace.
    let path: String?

    /// `$XDG_RUNTIME_DIR/pasteup`, else a folder of the user's own under the system's temporary folder.
    init(_ environment: [String: String]) {
        if let base = environment["XDG_RUNTIME_DIR"], !base.isEmpty, FileSystem.isFolder(base) {
            path = RuntimeFolder.secured(FileSystem.join(base, "pasteup"))
        } else {
            path = RuntimeFolder.secured("/tmp/pasteup-\(getuid())")
        }
    }

    /// The path, when it is a folder of this user's that nobody else can enter.
    private static func secured(_ path: String) -> String? {
        guard (try? FileSystem.makeFolder(path)) != nil else { return nil }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
            status.st_mode & 0o077 == 0
        else { return nil }
        return path
    }

    /// A file's path for a token; its name does not give the token away.
    func file(_ purpose: String, for token: Secret) -> String? {
        path.map { FileSystem.join($0, purpose + "-" + SHA256.hex("pasteup\n" + token.reveal()).prefix(32)) }
    }
}
