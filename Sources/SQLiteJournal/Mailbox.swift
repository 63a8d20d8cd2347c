internal import Glibc
internal import Journal
internal import Threading

/// What a store asks of its thread. Of the closures that answer one is called, once.
enum Request: Sendable {
    case read(Reading)
    case write(Writing)
    /// Ends the thread, after all requests before it.
    case close(answer: @Sendable () -> Void)

    func fail(_ error: JournalError) {
        switch self {
        case .read(let reading): reading.fail(error)
        case .write(let writing): writing.fail(error)
        case .close(let answer): answer()
        }
    }
}

struct Reading: Sendable {
    /// Reads; gives back what answers the caller. It may be asked again as long as it has not answered.
    let read: @Sendable (JournalTables) -> @Sendable () -> Void
    let fail: @Sendable (JournalError) -> Void
}

struct Writing: Sendable {
    let isDurable: Bool
    let kinds: [JournalEntry.Kind]
    /// Writes inside the open transaction; gives back what answers the caller after the commit.
    let write: @Sendable (JournalTables) throws(JournalError) -> @Sendable () -> Void
    let fail: @Sendable (JournalError) -> Void
}

/// Requests on their way to a store's thread, in the order in which they came.
///
/// Safe to share: the requests are behind a lock, and a semaphore is made for use by many threads.
final class Mailbox: @unchecked Sendable {
    private struct Content {
        var requests: [Request] = []
        /// A `close` is on its way or done: only more of these are taken.
        var isClosing = false
        var hasEnded = false
    }

    private let content = Locked(Content())
    private let filled: UnsafeMutablePointer<sem_t>

    init() {
        filled = .allocate(capacity: 1)
        sem_init(filled, 0, 0)
    }

    deinit {
        sem_destroy(filled)
        filled.deallocate()
    }

    /// Hands over a request; one that comes too late is answered at once.
    func post(_ request: Request) {
        enum Outcome { case first, taken, refused }
        let outcome: Outcome = content.withLock { content in
            var isClose = false
            if case .close = request { isClose = true }
            guard !content.hasEnded, isClose || !content.isClosing else { return .refused }
            if isClose { content.isClosing = true }
            content.requests.append(request)
            return content.requests.count == 1 ? .first : .taken
        }
        switch outcome {
        case .first: sem_post(filled)
        case .taken: break
        case .refused: request.fail(JournalError(.other, "the journal is closed"))
        }
    }

    /// Blocks until there are requests, and takes them all.
    func take() -> [Request] {
        while sem_wait(filled) != 0 {}
        return content.withLock { content in
            defer { content.requests.removeAll(keepingCapacity: false) }
            return content.requests
        }
    }

    /// Refuses all later requests.
    ///
    /// - Returns: what answers those who asked for the end since `take`.
    func end() -> [@Sendable () -> Void] {
        content.withLock { content in
            content.hasEnded = true
            defer { content.requests = [] }
            return content.requests.compactMap { if case .close(let answer) = $0 { answer } else { nil } }
        }
    }
}
