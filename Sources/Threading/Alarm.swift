internal import CTimer
internal import Glibc

/// Waits for instants, all on one thread and one of the kernel's timers.
///
/// `Task.sleep` has a thread of Dispatch's wake up for each new timer, and keeps a cancelled one until its time has come.
/// Here a wait that ends early, as the one for a time-out nearly always does, wakes nobody.
///
/// Safe to share: what changes is behind a lock.
public final class Alarm: Sendable {
    fileprivate struct Waits: Sendable {
        /// Those that have neither ended nor been cancelled, by number.
        var open: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// The instants of those and of some that were cancelled: a binary heap, the earliest first.
        var heap: [Instant] = []
        /// When the timer goes off; nil when it does not.
        var set: Int64?
        var count = 0
    }

    fileprivate struct Instant: Sendable {
        /// Nanoseconds of the clock that goes on while the machine sleeps.
        let time: Int64
        let number: Int
    }

    private let waits = Locked(Waits())
    private let timer: Int32

    /// The one that everybody shares; nil when the system has no timer or no descriptor left.
    private static let shared = Alarm()

    private init?() {
        timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC))
        guard timer >= 0 else { return nil }
        onThread { [self] in serve() }
    }

    /// Returns after this time.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled.
    public static func sleep(for duration: Duration) async throws {
        guard let shared else { return try await Task.sleep(for: duration) }
        try await shared.wait(for: duration)
    }

    private func wait(for duration: Duration) async throws {
        let (seconds, attoseconds) = duration.components
        // Beyond a hundred years nobody tells the difference.
        let length = min(max(seconds, 0), 100 * 366 * 86_400) * 1_000_000_000 + attoseconds / 1_000_000_000
        let time = Alarm.now + length
        let number = waits.withLock { waits in
            waits.count += 1
            return waits.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waits.withLock { waits in
                    waits.open[number] = continuation
                    waits.insert(Instant(time: time, number: number))
                    if waits.set.map({ time < $0 }) ?? true { set(time, &waits) }
                }
                // A cancellation that came before this found nothing to end.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func cancel(_ number: Int) {
        let continuation = waits.withLock { $0.open.removeValue(forKey: number) }
        continuation?.resume(throwing: CancellationError())
    }

    private func serve() {
        var expirations: UInt64 = 0
        while true {
            guard read(timer, &expirations, 8) == 8 else { continue }
            let due = waits.withLock { waits in
                let now = Alarm.now
                var due: [CheckedContinuation<Void, any Error>] = []
                waits.set = nil
                while let first = waits.heap.first {
                    guard waits.open[first.number] != nil, first.time > now else {
                        waits.removeFirst()
                        if let continuation = waits.open.removeValue(forKey: first.number) { due.append(continuation) }
                        continue
                    }
                    set(first.time, &waits)
                    break
                }
                return due
            }
            for continuation in due { continuation.resume() }
        }
    }

    private func set(_ time: Int64, _ waits: inout Waits) {
        waits.set = time
        var setting = itimerspec()
        setting.it_value = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Alarm.Waits {
    fileprivate mutating func insert(_ instant: Alarm.Instant) {
        // Cancelled ones would pile up until their time comes.
        if heap.count > 64, heap.count > 2 * open.count {
            heap.removeAll { open[$0.number] == nil }
            // What is sorted is a heap.
            heap.sort { $0.time < $1.time }
        }
        heap.append(instant)
        var child = heap.count - 1
        while child > 0, heap[child].time < heap[(child - 1) / 2].time {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    fileprivate mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var smallest = parent
            for child in 2 * parent + 1...2 * parent + 2
            where child < heap.count && heap[child].time < heap[smallest].time {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
