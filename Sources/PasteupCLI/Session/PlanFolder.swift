internal import Files
internal import Glibc
internal import Values

/// Where `plan --fetch` reads to and composes: a folder of its own below the system's temporary folder.
///
/// The photos and cards that a plan shows are there to be looked at when the command has ended, so the folder stays, and
/// goes with a plan that is made a day later. One with nothing to look at goes at once.
struct PlanFolder {
    private static let prefix = "pasteup-plan"
    private static let life = Duration.seconds(86_400)

    let path: String

    /// Makes a folder, and removes this user's old ones.
    init(now: Timestamp) throws {
        do {
            path = try FileSystem.makeTemporaryFolder(prefix: PlanFolder.prefix)
            try FileSystem.makeFolder(artifacts)
        } catch {
            throw CommandFailure("the plan has no place for its files: \(error)")
        }
        PlanFolder.removeOld(beside: path, now: now)
    }

    private var artifacts: String { FileSystem.join(path, "artifacts") }

    /// Removes the folder when the plan has made no file.
    func removeIfEmpty() {
        guard (try? FileSystem.list(artifacts).isEmpty) ?? false else { return }
        remove()
    }

    func remove() { try? FileSystem.removeTree(path) }

    /// What cannot be removed stays: it may be another user's.
    private static func removeOld(beside path: String, now: Timestamp) {
        let above = FileSystem.folder(of: path)
        for name in (try? FileSystem.list(above)) ?? [] where name.hasPrefix(prefix + ".") {
            let other = FileSystem.join(above, name)
            var status = stat()
            guard other != path, lstat(other, &status) == 0, status.st_uid == getuid(),
                status.st_mode & S_IFMT == S_IFDIR,
                now - Timestamp(seconds: Int64(status.st_mtim.tv_sec)) > life
            else { continue }
            try? FileSystem.removeTree(other)
        }
    }
}
