import Journal
import StepKit
import Testing
import Values

@testable import Engine

/// The main job, killed after every commit and gone on with: one post, never two, and no step lost.
@Suite struct SchedulerCrashTests {
    enum Reply: Sendable {
        case success
        /// Fails without having done anything.
        case failure(ErrorClass, retryAfter: Duration? = nil)
        /// In doubt; it happened all the same, or it did not.
        case doubt(happened: Bool)
        case captcha
    }

    struct Scenario: Sendable, CustomTestStringConvertible {
        let name: String
        /// What the n-th attempt at a step meets; success when the list is over.
        let replies: [String: [Reply]]
        var testDescription: String { name }
    }

    static let scenarios = [
        Scenario(name: "nothing goes wrong", replies: [:]),
        Scenario(name: "post in doubt, happened", replies: ["post": [.doubt(happened: true)]]),
        Scenario(name: "post in doubt, did not happen", replies: ["post": [.doubt(happened: false)]]),
        Scenario(
            name: "post in doubt twice", replies: ["post": [.doubt(happened: false), .doubt(happened: true)]]),
        Scenario(name: "captcha", replies: ["post": [.captcha, .captcha]]),
        Scenario(name: "captcha, then doubt", replies: ["post": [.captcha, .doubt(happened: true)]]),
        Scenario(name: "save in doubt", replies: ["saved": [.doubt(happened: true)]]),
        Scenario(name: "save stale", replies: ["saved": [.failure(.stale)]]),
        Scenario(name: "post before sending", replies: ["post": [.failure(.network), .failure(.rateLimit)]]),
        Scenario(
            name: "long wait",
            replies: ["post": [.failure(.rateLimit, retryAfter: .seconds(3600))], "latest": [.failure(.quota)]]),
        Scenario(
            name: "reads fail",
            replies: ["latest": [.failure(.network)], "server": [.failure(.server)], "upload": [.failure(.timeout)]]),
        Scenario(name: "captcha on the save", replies: ["saved": [.captcha, .failure(.stale)]]),
    ]

    /// The services, as they are outside of any process.
    struct World {
        var replies: [String: [Reply]]
        var posts = 0
        var attempts: [String: Int] = [:]

        /// - Returns: the reply, its effect done.
        mutating func call(_ step: String) -> Reply {
            attempts[step, default: 0] += 1
            let list = replies[step] ?? []
            let reply = attempts[step]! <= list.count ? list[attempts[step]! - 1] : .success
            switch reply {
            case .success, .doubt(happened: true): if step == "post" { posts += 1 }
            default: break
            }
            return reply
        }
    }

    /// Where a process dies.
    struct Death {
        /// So many batches are on disk.
        var batches: Int
        /// Whether what was sent before has reached its service.
        var happens: Bool
    }

    @Test(arguments: scenarios) func oneDeathAtAnyPlace(_ scenario: Scenario) throws {
        var world = World(replies: scenario.replies)
        let whole = try Self.runToEnd(Rig(.mainJob()), &world, deaths: [])
        #expect(world.posts == 1)
        for place in 1...whole.batches.count {
            for happens in [false, true] {
                var world = World(replies: scenario.replies)
                let rig = try Self.runToEnd(
                    Rig(.mainJob()), &world, deaths: [Death(batches: place, happens: happens)])
                #expect(world.posts == 1, "died after batch \(place), happened: \(happens)")
                #expect(rig.finish == .succeeded, "died after batch \(place), happened: \(happens)")
                #expect(Set(rig.states.values) == [.succeeded], "died after batch \(place), happened: \(happens)")
                #expect(rig.ledger["post"]?.state == .done([:]))
            }
        }
    }

    @Test(arguments: scenarios) func twoDeathsAtAnyPlaces(_ scenario: Scenario) throws {
        for first in 1...20 {
            for second in stride(from: first, through: first + 12, by: 3) {
                var world = World(replies: scenario.replies)
                let rig = try Self.runToEnd(
                    Rig(.mainJob()), &world,
                    deaths: [
                        Death(batches: first, happens: second % 2 == 0),
                        Death(batches: second, happens: first % 2 == 0),
                    ])
                #expect(world.posts == 1, "\(first), \(second)")
                #expect(Set(rig.states.values) == [.succeeded], "\(first), \(second)")
            }
        }
    }

    /// The store keeps batches whole; the scheduler does not depend on it for the steps.
    @Test(arguments: scenarios) func batchesTornBetweenTheirEntries(_ scenario: Scenario) throws {
        var world = World(replies: scenario.replies)
        let whole = try Self.runToEnd(Rig(.mainJob(once: false)), &world, deaths: [])
        for count in 1..<whole.journal.count {
            var rest = count
            var batches: [[JournalEntry]] = []
            for batch in whole.batches where rest > 0 {
                batches.append(Array(batch.prefix(rest)))
                rest -= batch.count
            }
            // Only a post whose intent is in what is left can have happened.
            let entries = batches.flatMap(\.self)
            let intents = entries.count { $0.address == "post" && $0.kind == .attemptStarted }
            let isDone = entries.contains { $0.address == "post" && $0.kind == .stepSucceeded }
            for happened in isDone ? [true] : intents > 0 ? [false, true] : [false] {
                var world = World(replies: [:])
                world.posts = happened ? 1 : 0
                var rig = Rig(.mainJob(once: false))
                rig.batches = batches
                if happened, !isDone, entries.last(where: { $0.address == "post" })?.kind != .attemptStarted {
                    continue
                }
                try rig.restart(after: .seconds(7200))
                rig = try Self.runToEnd(rig, &world, deaths: [], isBegun: true)
                #expect(world.posts == 1, "\(count) entries left, happened: \(happened)")
                #expect(rig.state("post") == .succeeded, "\(count) entries left, happened: \(happened)")
            }
        }
    }

    /// Runs processes until nothing is left to do, answering what is asked.
    static func runToEnd(
        _ rig: Rig, _ world: inout World, deaths: [Death], isBegun: Bool = false
    ) throws -> Rig {
        var rig = rig
        var deaths = deaths
        if !isBegun { rig.begin() }
        var steps = 0
        while true {
            steps += 1
            guard steps < 500 else {
                Issue.record("the run does not come to its end: \(rig.states)")
                return rig
            }
            if let death = deaths.first, rig.batches.count >= death.batches {
                deaths.removeFirst()
                if death.happens { for step in rig.running { _ = world.call(step) } }
                try rig.restart(after: .seconds(1))
                checkLooks(rig)
                continue
            }
            if let finish = rig.finish {
                guard finish == .paused || finish == .waiting else { return rig }
                var answers: [String: ResumeHow] = [:]
                for step in rig.names where rig.state(step) == .paused { answers[step] = .answer(nil) }
                try rig.restart(after: .seconds(3600), answers: answers)
                continue
            }
            if let step = rig.looking.first {
                rig.look(step, world.posts > 0 ? .found([:]) : .absent)
            } else if let step = rig.running.first {
                reply(world.call(step), step, &rig)
            } else {
                #expect(rig.fire() != nil, "nothing is under way: \(rig.states)")
            }
        }
    }

    private static func reply(_ reply: Reply, _ step: String, _ rig: inout Rig) {
        switch reply {
        case .success: rig.succeed(step)
        case .failure(let errorClass, let retryAfter): rig.fail(step, errorClass, retryAfter: retryAfter)
        case .doubt: rig.fail(step, .inDoubt)
        case .captcha: rig.pause(step, .captcha)
        }
    }

    /// A post whose intent is the last that the journal says of it is looked for before anything else.
    private static func checkLooks(_ rig: Rig) {
        let before = rig.batches.dropLast().flatMap(\.self).last { $0.address == "post" }
        guard before?.kind == .attemptStarted else { return }
        let first = rig.begun.first { $0.contains("post") }
        #expect(first == nil || first == "look post")
    }
}
