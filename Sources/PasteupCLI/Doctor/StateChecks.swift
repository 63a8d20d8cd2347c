internal import Files
internal import Journal
internal import SQLiteJournal
internal import Values

/// Whether the state folder can hold runs, and the journal in it is sound. Nothing is made: a folder that is missing is
/// made by the first run.
struct StateChecks {
    let state: StateFolder

    /// Below this a run with a few photos may not fit.
    static let leastFreeBytes = 100_000_000

    func findings() async -> [Finding] { [folder, space] + (await journal()) }

    var folder: Finding {
        let path = state.path
        guard FileSystem.exists(path) else {
            let above = StateChecks.nearest(path)
            return FileSystem.isFolder(above) && FileSystem.isWritable(above)
                ? Finding("state folder", .ok, "'\(path)' is made by the first run")
                : Finding(
                    "state folder", .error,
                    "'\(path)' cannot be made: '\(above)' is not a folder that you may write to",
                    fix: "Choose another with --state DIR or PASTEUP_STATE.")
        }
        guard FileSystem.isFolder(path) else {
            return Finding(
                "state folder", .error, "'\(path)' is no folder",
                fix: "Choose another with --state DIR or PASTEUP_STATE.")
        }
        guard FileSystem.isOwn(path) else {
            return Finding(
                "state folder", .error, "'\(path)' belongs to another user",
                fix: "Choose a folder of your own with --state DIR or PASTEUP_STATE.")
        }
        if let obstacle = FileSystem.obstacle(toWriting: path) {
            return Finding(
                "state folder", .error, "\(obstacle), so nothing can be run",
                fix: FileSystem.isOwn(path) && ((try? FileSystem.mode(path)) ?? 0) & 0o200 == 0
                    ? "Write: chmod 700 \(quoted(path))" : "Choose another with --state DIR or PASTEUP_STATE.")
        }
        let open = openPaths
        guard let first = open.first else { return Finding("state folder", .ok, "'\(path)' is yours alone") }
        return Finding(
            "state folder", .warning, "others may look into '\(first)', which can hold addresses that give access",
            fix: "Write: chmod go= " + open.map(quoted).joined(separator: " "))
    }

    /// What others may read or enter though it ought to be its owner's alone.
    private var openPaths: [String] {
        let paths = [state.path] + ["runs", "journal.sqlite"].map { FileSystem.join(state.path, $0) }
        return paths.filter { ((try? FileSystem.mode($0)) ?? 0) & 0o077 != 0 }
    }

    private var space: Finding {
        let place = StateChecks.nearest(state.path)
        do {
            let free = try FileSystem.freeBytes(place)
            let text = "\(byteText(free)) free for '\(state.path)'"
            guard free < StateChecks.leastFreeBytes else { return Finding("free space", .ok, text) }
            return Finding(
                "free space", .warning, "only \(text)",
                fix: "Make room, as with: pasteup prune --older-than 30d\(state.options)")
        } catch {
            return Finding("free space", .warning, "it is not known how much room there is: \(error)")
        }
    }

    private func journal() async -> [Finding] {
        guard (try? state.hasJournal()) ?? true else {
            return [Finding("journal", .ok, "there is none yet; the first run makes it")]
        }
        do throws(JournalError) {
            let store = try await SQLiteJournalStore.open(folder: state.path, forReading: true)
            let problems: Result<[String], JournalError>
            do throws(JournalError) {
                problems = .success(try await store.integrityCheck())
            } catch {
                problems = .failure(error)
            }
            await store.close()
            guard let first = try problems.get().first else {
                return [
                    Finding("journal", .ok, "'\(store.path)' is sound, format \(SQLiteJournalStore.formatVersion)")
                ]
            }
            return [
                Finding(
                    "journal", .error, "'\(store.path)' is damaged: \(shown(first))",
                    fix: "Put a good copy in its place; without one, a new journal knows no runs and no keys of 'once'."
                )
            ]
        } catch {
            return [Finding("journal", .error, error.message, fix: error.fix)]
        }
    }

    /// The path itself or the nearest folder above that is there.
    static func nearest(_ path: String) -> String {
        var path = path
        while !FileSystem.exists(path), path != "/", path != "." { path = FileSystem.folder(of: path) }
        return path
    }
}
