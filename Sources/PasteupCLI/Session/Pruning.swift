internal import Engine
internal import Files
internal import Journal
internal import SQLiteJournal
internal import Values

/// Removes runs that are over, with their folders, and folders that no run belongs to.
///
/// A folder without a run is left when a process dies between making the one and adding the other, or between removing
/// the one and the other here. Whatever a process works on is not touched: its lock is taken first.
struct Pruning {
    struct Report: Equatable {
        /// The runs that are, or would be, removed; oldest first.
        var runs: [RunRecord] = []
        /// Names of folders without a run, sorted.
        var orphans: [String] = []
        var bytes = 0
        /// Folders that could not be removed, with the system's words.
        var failures: [String] = []
    }

    private let state: StateFolder
    private let store: SQLiteJournalStore

    init(_ state: StateFolder, _ store: SQLiteJournalStore) {
        self.state = state
        self.store = store
    }

    /// - Parameters:
    ///   - instant: what last changed before it goes.
    ///   - removes: false only says what would go.
    func prune(olderThan instant: Timestamp, removes: Bool) async throws -> Report {
        var report = Report()
        try await pruneRuns(instant, removes, &report)
        try await sweepOrphans(instant, removes, &report)
        return report
    }

    private func pruneRuns(_ instant: Timestamp, _ removes: Bool, _ report: inout Report) async throws {
        var locks: [String: FileLock?] = [:]
        for run in try await store.prunable(olderThan: instant) {
            let folder = state.runFolder(run.id)
            // Without a folder there is no lock, and nobody works on it.
            guard FileSystem.exists(folder) else {
                locks[run.id] = .some(nil)
                continue
            }
            if let lock = (try? FileLock.take(state.lockPath(run.id))) ?? nil { locks[run.id] = .some(lock) }
        }
        defer { withExtendedLifetime(locks) {} }
        let free = Set(locks.keys)
        // Asked again, now that nobody can change them.
        let gone =
            removes
            ? try await store.prune(olderThan: instant, among: free)
            : try await store.prunable(olderThan: instant).filter { free.contains($0.id) }
        report.runs = gone
        for run in gone { remove(state.runFolder(run.id), removes, &report) }
    }

    private func sweepOrphans(_ instant: Timestamp, _ removes: Bool, _ report: inout Report) async throws {
        let runs = FileSystem.join(state.path, "runs")
        guard FileSystem.exists(runs) else { return }
        for name in try FileSystem.list(runs) where isRunID(name) {
            let folder = state.runFolder(name)
            guard FileSystem.isFolder(folder), try await store.run(name) == nil,
                let changed = try? FileSystem.changedMilliseconds(folder), changed < instant.milliseconds
            else { continue }
            // A dry run leaves no lock file behind: it would make the folder look young.
            let lock =
                FileSystem.exists(state.lockPath(name)) || removes ? try? FileLock.take(state.lockPath(name)) : nil
            if FileSystem.exists(state.lockPath(name)), lock == nil { continue }
            defer { withExtendedLifetime(lock) {} }
            report.orphans.append(name)
            remove(folder, removes, &report)
        }
    }

    private func remove(_ folder: String, _ removes: Bool, _ report: inout Report) {
        let bytes = FileSystem.treeBytes(folder)
        if removes {
            do { try FileSystem.removeTree(folder) } catch {
                report.failures.append("\(error)")
                return
            }
        }
        report.bytes += bytes
    }
}
