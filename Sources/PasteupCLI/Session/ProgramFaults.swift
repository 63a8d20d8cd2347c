package import Engine
package import HTTP
package import SQLiteJournal

/// What tests make go wrong inside the program. The shipped program is started without any, and nothing outside of it can
/// bring them in.
package struct ProgramFaults: Sendable {
    /// Asked before and after each commit of the journal.
    package var journal: SQLiteFaultInjector?
    /// Stands between the program and the network.
    package var client: (@Sendable (any HTTPClient) -> any HTTPClient)?
    /// The machine's clocks unless a test has its own.
    package var clock: any EngineClock = SystemClock()
    /// The time that one hook has.
    package var hookTimeout = Duration.seconds(30)

    package init() {}
}
