public import Diagnostics

/// What is told how a process has left a run: a program or an address that gets the event as JSON.
public struct Hook: Sendable {
    public enum Event: String, Sendable, Hashable, CaseIterable {
        /// A person must answer something.
        case pause = "on-pause"
        case failure = "on-failure"
        case success = "on-success"
    }

    public enum Action: Sendable {
        /// A program and its arguments, and the variables that it gets.
        case run(command: Argument, environment: Argument?)
        /// An address that the event is posted to, and headers of that request.
        case post(url: Argument, headers: Argument?)
    }

    public let event: Event
    public let action: Action
    public let range: SourceRange

    public init(_ event: Event, _ action: Action, range: SourceRange) {
        self.event = event
        self.action = action
        self.range = range
    }

    /// Every value that it is made of.
    public var arguments: [Argument] {
        switch action {
        case .run(let command, let environment): [command] + (environment.map { [$0] } ?? [])
        case .post(let url, let headers): [url] + (headers.map { [$0] } ?? [])
        }
    }
}
