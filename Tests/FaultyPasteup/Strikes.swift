internal import Glibc
internal import SQLiteJournal
internal import Threading

/// One thing that goes wrong: "journal 3 before kill".
///
/// | word | is |
/// |---|---|
/// | 1 | `journal` for the store's commits, `request` for HTTP requests |
/// | 2 | which one, counted from 1; `3+` is every one from the third on; for requests also the label, as `wall.post` |
/// | 3 | `before` or `after` it: after a request means that its answer is there and nobody has seen it |
/// | 4 | `kill` ends the process at once, `stop` stops it until SIGCONT; for the journal also `full` and `busy` |
struct Strike: Sendable {
    enum Place: String, Sendable { case journal, request }
    enum Moment: String, Sendable { case before, after }
    enum Harm: String, Sendable { case kill, stop, full, busy }

    let place: Place
    let moment: Moment
    let harm: Harm
    private let target: Target

    private enum Target: Sendable {
        case number(Int)
        case from(Int)
        case label(String)
    }

    init(_ text: Substring) {
        let words = text.split(separator: " ")
        guard words.count == 4, let place = Place(rawValue: String(words[0])),
            let moment = Moment(rawValue: String(words[2])), let harm = Harm(rawValue: String(words[3])),
            place == .journal || harm == .kill || harm == .stop
        else { fatalError("FAULT: '\(text)' is no strike") }
        self.place = place
        self.moment = moment
        self.harm = harm
        if let number = Int(words[1]) {
            target = .number(number)
        } else if words[1].hasSuffix("+"), let number = Int(words[1].dropLast()) {
            target = .from(number)
        } else {
            target = .label(String(words[1]))
        }
    }

    func hits(_ place: Place, _ number: Int, label: String? = nil, _ moment: Moment) -> Bool {
        guard self.place == place, self.moment == moment else { return false }
        return switch target {
        case .number(let wanted): number == wanted
        case .from(let first): number >= first
        case .label(let wanted): label == wanted
        }
    }
}

/// All that goes wrong in this process.
final class Strikes: Sendable {
    private let strikes: [Strike]
    private let mark: String?
    private let requests = Locked(0)

    init(_ text: String, mark: String?) {
        strikes = text.split(separator: ";").map { Strike($0) }
        self.mark = mark
    }

    /// For the store's thread.
    func journal(_ event: SQLiteWriteEvent) -> SQLiteFault? {
        let moment: Strike.Moment = event.moment == .before ? .before : .after
        guard let strike = strikes.first(where: { $0.hits(.journal, event.number, moment) }) else { return nil }
        leaveMark()
        switch strike.harm {
        case .kill: return .run { kill(getpid(), SIGKILL) }
        case .stop: return .run { Strikes.stop() }
        case .full: return .full
        case .busy: return .busy
        }
    }

    /// - Returns: the request's number.
    func nextRequest() -> Int {
        requests.withLock { count in
            count += 1
            return count
        }
    }

    func request(_ number: Int, label: String?, _ moment: Strike.Moment) {
        guard let strike = strikes.first(where: { $0.hits(.request, number, label: label, moment) }) else { return }
        leaveMark()
        if strike.harm == .stop { Strikes.stop() } else { kill(getpid(), SIGKILL) }
    }

    /// Stops the process until SIGCONT, and this thread for certain before it goes on.
    ///
    /// A signal to the whole process may be taken by any of its threads: `kill` then returns here, and this thread sends
    /// what it was not to send before the one that took the signal has had its turn on a processor. One to the thread
    /// itself is taken before the call returns (signal(7), "Execution of signal handlers"), and stops all others.
    private static func stop() { raise(SIGSTOP) }

    private func leaveMark() {
        guard let mark else { return }
        close(open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }
}
