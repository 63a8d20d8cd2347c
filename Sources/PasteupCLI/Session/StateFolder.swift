internal import Files
internal import Glibc
internal import Journal
internal import SQLiteJournal

/// Where runs are remembered: the journal, and a folder for each run.
struct StateFolder: Sendable {
    /// Absolute.
    let path: String
    /// As options for the next command, when the folder is not the default one: `--state DIR` or `--sandbox`.
    let options: String
    private let faults: ProgramFaults

    /// The folder for a command.
    ///
    /// - Parameter isSandbox: the part of it that belongs to the sandbox.
    init(_ arguments: ParsedArguments, _ session: Session, isSandbox: Bool) throws {
        try self.init(
            arguments.value("--state"), session.environment, isSandbox: isSandbox, faults: session.faults)
    }

    /// `given`, else `$PASTEUP_STATE`, else `$XDG_STATE_HOME/pasteup`, else `~/.local/state/pasteup`.
    init(
        _ given: String?, _ environment: [String: String], isSandbox: Bool, faults: ProgramFaults = ProgramFaults()
    ) throws {
        guard given != "" else { throw UsageError("'--state' is empty", fix: "Give the path of a folder.") }
        let base = try given ?? StateFolder.standard(environment)
        let absolute = FileSystem.join(FileSystem.currentFolder, base)
        path = isSandbox ? FileSystem.join(absolute, "sandbox") : absolute
        self.faults = faults
        options = (isSandbox ? " --sandbox" : "") + (given.map { " --state " + quoted($0) } ?? "")
    }

    /// - Parameters:
    ///   - path: absolute.
    ///   - options: as options for the next command; empty for the default folder.
    init(path: String, options: String) {
        self.path = path
        self.options = options
        faults = ProgramFaults()
    }

    private static func standard(_ environment: [String: String]) throws -> String {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let path = value("PASTEUP_STATE") { return path }
        if let base = value("XDG_STATE_HOME") { return FileSystem.join(base, "pasteup") }
        if let home = value("HOME") { return FileSystem.join(home, ".local/state/pasteup") }
        throw CommandFailure(
            "there is no state folder", why: "Neither PASTEUP_STATE, XDG_STATE_HOME nor HOME is set.",
            fix: "Give one with --state DIR.")
    }

    var sandboxData: String { FileSystem.join(path, "stand-in") }

    func runFolder(_ id: String) -> String { FileSystem.join(FileSystem.join(path, "runs"), id) }

    func lockPath(_ id: String) -> String { FileSystem.join(runFolder(id), "lock") }

    /// Whether a process works on the run at this moment.
    func isAlive(_ id: String) -> Bool { FileLock.isHeld(lockPath(id)) }

    /// Makes the folder and opens the journal.
    ///
    /// - Parameter forReading: whether it will do when nothing can be written there.
    func open(forReading: Bool = false) async throws -> SQLiteJournalStore {
        do {
            if !forReading { try FileSystem.makeFolder(path) }
            return try await SQLiteJournalStore.open(
                folder: path, forReading: forReading, faultInjector: faults.journal)
        } catch let error as FileError {
            throw unusable(error)
        } catch let error as JournalError {
            throw CommandFailure(error.message, fix: error.fix)
        }
    }

    /// Whether there is a journal at all.
    ///
    /// - Throws: `CommandFailure` when the folder cannot be looked into.
    func hasJournal() throws -> Bool {
        do { return try FileSystem.isThere(FileSystem.join(path, "journal.sqlite")) } catch { throw unusable(error) }
    }

    /// Where the runs are that are not in this folder: those of the sandbox are often asked for without its option.
    ///
    /// - Parameter prefix: the beginning of their ids; empty for any.
    /// - Returns: nil when there are none either.
    func hint(runs prefix: String) -> String? {
        let runs = FileSystem.join(FileSystem.join(path, "sandbox"), "runs")
        guard let names = try? FileSystem.list(runs), names.contains(where: { $0.hasPrefix(prefix) }) else {
            return nil
        }
        return "The sandbox has \(prefix.isEmpty ? "runs" : "such a run"): add --sandbox."
    }

    private func unusable(_ error: FileError) -> CommandFailure {
        if FileSystem.exists(path), !FileSystem.isFolder(path) {
            return CommandFailure(
                "the state folder '\(path)' is a file, not a folder", fix: "Choose a folder with --state DIR.")
        }
        return CommandFailure(
            "the state folder cannot be used: \(error)", fix: "Mend that, or choose another folder with --state DIR.")
    }
}

/// A word as a shell takes it.
func quoted(_ word: String) -> String {
    let isPlain =
        !word.isEmpty
        && word.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+=:,@%".contains($0))
        }
    return isPlain
        ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
