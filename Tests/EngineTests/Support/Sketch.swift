import StepKit
import Workflows

@testable import Engine

/// A step of a scheduler's test, in words.
struct Sketch: Sendable {
    var name: String
    var needs: [String]
    /// What its `with` mentions; all it needs unless said.
    var sources: [String]?
    /// What its key of `once` mentions; nil for no `once`.
    var once: [String]?
    var effect: Effect
    var rule: DoubtRule
    var account: String?
    var retry: RetryPolicy
    var condition: SchedulerNode.Condition
    /// What its `if` mentions.
    var asks: [String]
    var continuesOnError: Bool
    /// The step whose list it goes over, itself or another one; nil for a step that is carried out once.
    var over: String?
    /// What its list mentions.
    var list: [String]
    var maxParallel: Int?
    var failFast: Bool
    /// The steps that it adds up, as the last of a part.
    var members: [String]?

    init(
        _ name: String, _ effect: Effect = .pure, needs: [String] = [], sources: [String]? = nil,
        once: [String]? = nil, rule: DoubtRule = .ask, account: String? = nil,
        retry: RetryPolicy = RetryPolicy(jitter: .none), condition: SchedulerNode.Condition = .none,
        asks: [String] = [], continuesOnError: Bool = false, over: String? = nil, list: [String] = [],
        maxParallel: Int? = nil,
        failFast: Bool = false, members: [String]? = nil
    ) {
        self.name = name
        self.effect = effect
        self.needs = needs
        self.sources = sources
        self.once = once
        self.rule = rule
        self.account = account
        self.retry = retry
        self.condition = condition
        self.asks = asks
        self.continuesOnError = continuesOnError
        self.over = over
        self.list = list
        self.maxParallel = maxParallel
        self.failFast = failFast
        self.members = members
    }
}

extension [Sketch] {
    var graph: StepGraph {
        let places = Dictionary(uniqueKeysWithValues: enumerated().map { ($1.name, $0) })
        func indices(_ names: [String]) -> [Int] { names.map { places[$0]! }.sorted() }
        // A step that goes over another's list waits for that one, item by item.
        let lists = map { sketch in sketch.list + (sketch.over.map { $0 == sketch.name ? [] : [$0] } ?? []) }
        do {
            return try StepGraph(
                dependencies: enumerated().map { Set(indices($1.needs + $1.asks + lists[$0])).sorted() },
                sources: map { indices($0.sources ?? $0.needs) }, onceSources: map { indices($0.once ?? []) },
                conditionSources: map { indices($0.asks) }, listSources: lists.map(indices),
                roots: map { $0.over.map { places[$0]! } })
        } catch {
            preconditionFailure("a sketch has a cycle: \(error.steps)")
        }
    }

    var nodes: [SchedulerNode] {
        map {
            SchedulerNode(
                address: $0.name, effect: $0.effect, doubtRule: $0.rule, account: $0.account, retry: $0.retry,
                condition: $0.condition, hasOnce: $0.once != nil, continuesOnError: $0.continuesOnError,
                maxParallel: $0.maxParallel, failFast: $0.failFast,
                role: $0.members.map(SchedulerNode.Role.end) ?? .call)
        }
    }

    /// The graph that the program is there for: photo, card, server, upload, save, post.
    static func mainJob(once: Bool = true) -> [Sketch] {
        [
            Sketch("latest", .read, account: "insta"),
            Sketch("card", .pure, needs: ["latest"]),
            Sketch("server", .read, account: "vk"),
            Sketch("upload", .idempotent, needs: ["server", "card"]),
            Sketch("saved", .write, needs: ["upload"], rule: .redoInputs, account: "vk"),
            Sketch(
                "post", .write, needs: ["saved", "latest"], once: once ? ["latest"] : nil, rule: .look, account: "vk"),
        ]
    }

    /// The same over a list: server for all, card, upload, save and post for each row.
    static func rows(
        once: Bool = false, maxParallel: Int? = nil, failFast: Bool = false,
        postRetry: RetryPolicy = RetryPolicy(jitter: .none)
    ) -> [Sketch] {
        [
            Sketch("server", .read, account: "vk"),
            Sketch("card", .pure, over: "card"),
            Sketch("upload", .idempotent, needs: ["server", "card"], over: "card", maxParallel: maxParallel),
            Sketch("saved", .write, needs: ["upload"], rule: .redoInputs, account: "vk", over: "card"),
            Sketch(
                "post", .write, needs: ["saved"], once: once ? [] : nil, rule: .look, account: "vk", retry: postRetry,
                over: "card", failFast: failFast),
            Sketch("report", .pure, needs: ["post"]),
        ]
    }
}
