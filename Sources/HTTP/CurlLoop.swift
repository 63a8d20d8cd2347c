internal import CCurl
internal import Glibc
internal import Synchronization
internal import Threading

/// The thread that owns libcurl's multi handle. Others leave commands in its mailbox and wake it.
final class CurlLoop: Sendable {
    typealias Continuation = CheckedContinuation<Transfer.Outcome, any Error>

    enum Command: Sendable {
        case start(Transfer, Continuation)
        case cancel(Transfer)
    }

    /// Safe to share: `curl_multi_wakeup` is the one call that other threads make, and they make it under the mailbox's
    /// lock, which the thread takes to forget the handle before it frees it.
    private struct Handle: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private struct Mailbox {
        var commands: [Command] = []
        var handle: Handle?
        var isStopping = false
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    static let isShutDown = HTTPError(
        kind: .other, message: "the HTTP client has been shut down", mayHaveBeenSent: false)

    private let mailbox: Locked<Mailbox>

    /// libcurl's own state of the process, made once.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Starts the thread.
    init(maxConnectionsPerHost: Int) {
        precondition(Self.isReady, "curl_global_init failed")
        let handle = Handle(multi: curl_multi_init()!)
        mailbox = Locked(Mailbox(handle: handle))
        onThread { [self] in
            // OpenSSL writes with write(2), and libcurl leaves SIGPIPE alone when CURLOPT_NOSIGNAL is set.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            let worker = CurlWorker(multi: handle.multi, maxConnectionsPerHost: maxConnectionsPerHost)
            while let commands = takeCommands() { worker.turn(commands) }
            end(worker)
        }
    }

    func start(_ transfer: Transfer, _ continuation: Continuation) {
        if !post(.start(transfer, continuation)) { continuation.resume(throwing: Self.isShutDown) }
    }

    func cancel(_ transfer: Transfer) {
        // A cancellation may overtake the command that starts the transfer.
        transfer.isCancelled.store(true, ordering: .releasing)
        _ = post(.cancel(transfer))
    }

    /// Lets the thread end.
    func stop() {
        mailbox.withLock {
            $0.isStopping = true
            if let handle = $0.handle { curl_multi_wakeup(handle.multi) }
        }
    }

    /// Lets the thread end, and waits for it.
    func stopped() async {
        await withCheckedContinuation { continuation in
            let isOver = mailbox.withLock {
                guard let handle = $0.handle else { return true }
                $0.isStopping = true
                $0.waitingForEnd.append(continuation)
                curl_multi_wakeup(handle.multi)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func post(_ command: Command) -> Bool {
        mailbox.withLock {
            guard !$0.isStopping, let handle = $0.handle else { return false }
            $0.commands.append(command)
            curl_multi_wakeup(handle.multi)
            return true
        }
    }

    /// Nil when it is time to end.
    private func takeCommands() -> [Command]? {
        mailbox.withLock { mailbox in
            if mailbox.isStopping { return nil }
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
    }

    private func end(_ worker: CurlWorker) {
        let left = mailbox.withLock { mailbox in
            defer {
                mailbox.commands = []
                mailbox.handle = nil
            }
            return mailbox.commands
        }
        for case .start(_, let continuation) in left { continuation.resume(throwing: Self.isShutDown) }
        worker.close()
        let waiting = mailbox.withLock { mailbox in
            defer { mailbox.waitingForEnd = [] }
            return mailbox.waitingForEnd
        }
        for continuation in waiting { continuation.resume() }
    }
}
