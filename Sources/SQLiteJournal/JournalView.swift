internal import CSQLite
internal import Files
internal import Journal

/// What a journal is read through.
struct JournalView {
    let connection: SQLiteConnection
    /// How the journal's files were before it was opened; nil where the connection sees by itself what others write.
    var stamps: [FileStamp?]?
}

/// The one that reads a journal which cannot be written here, and which others may write all the same, on the store's
/// thread.
///
/// Its view does not follow the file, so it is opened anew when the file has changed. What was read while that happened may
/// be half of the one state and half of the other, and is read again.
final class JournalReader {
    private let file: JournalFile
    private let busyTimeout: Duration
    private let reopen: () throws(JournalError) -> JournalView
    /// Nil when it could not be opened anew.
    private var view: JournalView?

    init(
        _ file: JournalFile, _ view: JournalView, busyTimeout: Duration,
        reopen: @escaping () throws(JournalError) -> JournalView
    ) {
        self.file = file
        self.view = view
        self.busyTimeout = busyTimeout
        self.reopen = reopen
    }

    /// Serves requests until one says `close`.
    func serve(_ mailbox: Mailbox) {
        while true {
            var closes: [@Sendable () -> Void] = []
            for request in mailbox.take() {
                switch request {
                case .read(let reading): read(reading)
                case .write(let writing): writing.fail(refusal)
                case .close(let answer): closes.append(answer)
                }
            }
            guard closes.isEmpty else {
                close()
                for close in closes + mailbox.end() { close() }
                return
            }
        }
    }

    private func read(_ reading: Reading) {
        do throws(JournalError) {
            for _ in 0..<JournalFile.maxCopies {
                let view = try current()
                let answer = reading.read(JournalTables(connection: view.connection))
                if hasStoodStill(view) { return answer() }
            }
        } catch {
            return reading.fail(error)
        }
        reading.fail(.unreadable(file.path, "another process writes to it all the time"))
    }

    private func current() throws(JournalError) -> JournalView {
        if let view, hasStoodStill(view) { return view }
        // First the old one is closed: a descriptor that goes takes the locks with it that this process has on the file
        // ("How To Corrupt An SQLite Database File", 2.2).
        close()
        let fresh = try reopen()
        view = fresh
        return fresh
    }

    private func hasStoodStill(_ view: JournalView) -> Bool {
        guard let stamps = view.stamps else { return true }
        return stamps == file.stamps()
    }

    private func close() {
        view?.connection.close()
        view = nil
    }

    private var refusal: JournalError {
        SQLiteFailure(SQLITE_READONLY, words: String(cString: sqlite3_errstr(SQLITE_READONLY)), systemCode: 0)
            .journalError(path: file.path, patience: BusyPatience(limit: busyTimeout))
    }
}
