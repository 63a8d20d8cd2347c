internal import CCurl
internal import Synchronization
internal import Values

/// What the loop's thread does: starts transfers, drives them, hands out their results. Lives on that thread alone.
///
/// Transfers to one host and port beyond the most that may be under way wait here and not in libcurl, whose own queue
/// (`CURLMOPT_MAX_HOST_CONNECTIONS`) does not look at a transfer's time limit until its turn comes (7.88).
final class CurlWorker {
    private struct Job {
        let transfer: Transfer
        let continuation: CurlLoop.Continuation
    }

    private let multi: UnsafeMutableRawPointer
    /// Keeps TLS sessions from one connection to the next.
    private let share: UnsafeMutableRawPointer
    private let maxConnectionsPerHost: Int
    private var underWay: [UnsafeMutableRawPointer: Job] = [:]
    private var loads: [String: Int] = [:]
    private var waiting: [Job] = []

    init(multi: UnsafeMutableRawPointer, maxConnectionsPerHost: Int) {
        self.multi = multi
        self.maxConnectionsPerHost = maxConnectionsPerHost
        share = curl_share_init()!
        _ = pasteup_curl_share_data(share, CURL_LOCK_DATA_SSL_SESSION)
        _ = pasteup_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        _ = pasteup_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maxConnectionsPerHost)
    }

    /// Carries out the commands, moves every transfer as far as it goes, then waits until a socket, a time limit or a
    /// new command has something to do.
    func turn(_ commands: [CurlLoop.Command]) {
        for command in commands {
            switch command {
            case .start(let transfer, let continuation):
                waiting.append(Job(transfer: transfer, continuation: continuation))
            case .cancel(let transfer):
                cancel(transfer)
            }
        }
        expireWaiting()
        startWaiting()
        var count: Int32 = 0
        let code = curl_multi_perform(multi, &count)
        guard code == CURLM_OK else { return failAll(String(cString: curl_multi_strerror(code))) }
        finishDone()
        startWaiting()
        curl_multi_poll(multi, nil, 0, pause, nil)
    }

    /// Fails what is left, and frees the handles.
    func close() {
        failAll(nil)
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
    }

    private func startWaiting() {
        var rest: [Job] = []
        for job in waiting {
            let transfer = job.transfer
            if transfer.isCancelled.load(ordering: .acquiring) {
                job.continuation.resume(throwing: CancellationError())
            } else if loads[transfer.host, default: 0] >= maxConnectionsPerHost {
                rest.append(job)
            } else {
                start(job)
            }
        }
        waiting = rest
    }

    private func start(_ job: Job) {
        do throws(HTTPError) {
            let easy = try job.transfer.begin(share: share)
            let code = curl_multi_add_handle(multi, easy)
            guard code == CURLM_OK else {
                job.transfer.end()
                throw HTTPError(
                    kind: .other, message: String(cString: curl_multi_strerror(code)), mayHaveBeenSent: false)
            }
            underWay[easy] = job
            loads[job.transfer.host, default: 0] += 1
        } catch {
            job.continuation.resume(throwing: error)
        }
    }

    private func finishDone() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            // The message is gone once its handle is removed.
            let code = pasteup_curl_message_result(message)
            finish(easy) { $0.outcome(code) }
        }
    }

    private func cancel(_ transfer: Transfer) {
        guard let easy = underWay.first(where: { $0.value.transfer === transfer })?.key else { return }
        finish(easy) { _ in .failure(CancellationError()) }
    }

    private func expireWaiting() {
        let now = ContinuousClock.now
        waiting.removeAll { job in
            guard job.transfer.deadline <= now else { return false }
            job.continuation.resume(throwing: job.transfer.expired)
            return true
        }
    }

    private func failAll(_ reason: String?) {
        for easy in Array(underWay.keys) {
            finish(easy) { transfer in
                .failure(transfer.failure(.other, reason ?? CurlLoop.isShutDown.message))
            }
        }
        for job in waiting {
            job.continuation.resume(
                throwing: HTTPError(
                    kind: .other, message: reason ?? CurlLoop.isShutDown.message, mayHaveBeenSent: false))
        }
        waiting = []
    }

    private func finish(
        _ easy: UnsafeMutableRawPointer, _ result: (Transfer) -> Result<Transfer.Outcome, any Error>
    ) {
        guard let job = underWay.removeValue(forKey: easy) else { return }
        let result = result(job.transfer)
        curl_multi_remove_handle(multi, easy)
        job.transfer.end()
        loads[job.transfer.host, default: 1] -= 1
        if loads[job.transfer.host] == 0 { loads[job.transfer.host] = nil }
        job.continuation.resume(with: result)
    }

    /// The longest wait in milliseconds: until the first of the waiting transfers runs out of time.
    private var pause: Int32 {
        guard let first = waiting.map(\.transfer.deadline).min() else { return 60_000 }
        return Int32(min(60_000, max(0, (first - ContinuousClock.now).wholeMilliseconds + 1)))
    }
}
