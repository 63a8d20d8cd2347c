import Files
import Journal
import SQLiteJournal
import Testing
import Values

/// The stores that must behave alike.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory = "memory"
    case sqlite = "sqlite"

    var testDescription: String { rawValue }

    /// Runs `body` with an empty store, which is closed and removed afterwards.
    func withStore(_ body: (any JournalStore) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemoryJournalStore())
        case .sqlite:
            let folder = try FileSystem.makeTemporaryFolder(prefix: "journal-tests")
            defer { try? FileSystem.removeTree(folder) }
            let store = try await SQLiteJournalStore.open(folder: folder)
            do {
                try await body(store)
            } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }
}

/// A run whose facts follow from its id.
func makeRun(
    _ id: String, file: String = "/workflows/daily.yaml", state: RunState = .running, wakesAt: Timestamp? = nil
) -> RunRecord {
    RunRecord(
        id: id, workflow: "daily", file: file, lockKey: "lock-" + id, inputs: ["wall": -12, "note": "a\"b\n\u{1F4F7}"],
        options: ["sandbox": true], startedAt: Timestamp(milliseconds: 1_790_000_000_123), state: state,
        wakesAt: wakesAt)
}

func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_790_000_000 + seconds) }

/// The kind of the error that `body` throws; nil when it throws none.
func errorKind(_ body: () async throws(JournalError) -> Void) async -> JournalError.Kind? {
    do {
        try await body()
        return nil
    } catch {
        return error.kind
    }
}
