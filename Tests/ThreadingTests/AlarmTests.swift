import Testing
import Threading

@Suite struct AlarmTests {
    @Test func returnsNoEarlierThanItsTime() async throws {
        let start = ContinuousClock.now
        try await Alarm.sleep(for: .milliseconds(3))
        #expect(.now - start >= .milliseconds(3))
    }

    @Test func noTimeAndATimeThatIsOverReturn() async throws {
        try await Alarm.sleep(for: .zero)
        try await Alarm.sleep(for: .seconds(-5))
    }

    @Test func aLongWaitHoldsUpNoShortOneAndEndsWhenItIsCancelled() async throws {
        let long = Task { try await Alarm.sleep(for: .seconds(Int64.max)) }
        try await Alarm.sleep(for: .milliseconds(1))
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
    }

    @Test func aCancelledTaskDoesNotWait() async {
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Alarm.sleep(for: .seconds(3600))
        }
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    /// Enough for the cancelled ones to be cleared away in between.
    @Test func manyWaitsEndEachInItsWay() async throws {
        let ends = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let wait = Task {
                        try await Alarm.sleep(for: number % 5 == 0 ? .milliseconds(number % 7) : .seconds(3600))
                    }
                    if number % 5 != 0 { wait.cancel() }
                    return (try? await wait.value) != nil
                }
            }
            return await group.reduce(into: [true: 0, false: 0]) { $0[$1, default: 0] += 1 }
        }
        #expect(ends == [true: 100, false: 400])
    }
}
