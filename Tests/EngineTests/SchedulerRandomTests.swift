import Expressions
import Journal
import StepKit
import TestSupport
import Testing
import Values
import Workflows

@testable import Engine

/// Random graphs with random results over several processes: what must always hold, holds.
@Suite struct SchedulerRandomTests {
    @Test(arguments: 0..<10) func invariantsHold(group: UInt64) throws {
        for seed in group * 150..<(group + 1) * 150 {
            var random = SeededRandom(seed: seed)
            let sketches = Self.draw(&random)
            let concurrency = Int.random(in: 1...4, using: &random)
            var rig = Rig(sketches, concurrency: concurrency)
            for sketch in sketches where sketch.over == sketch.name {
                rig.lists.updateValue(
                    random.chance(4) ? nil : Int.random(in: 0...4, using: &random), forKey: sketch.name)
            }
            for sketch in sketches {
                for name in [sketch.name] + (0..<4).map({ "\(sketch.name)[\($0)]" }) {
                    if sketch.condition != .none {
                        let holds = random.chance(80)
                        rig.conditions[name] = { _ in holds }
                    }
                    if sketch.once != nil {
                        if random.chance(20) { rig.ledger[name] = .elsewhere(name, .done([:])) }
                        if random.chance(10) { rig.keys.updateValue(nil, forKey: name) }
                        if random.chance(10) { rig.keys[name] = "shared" }
                    }
                    if sketch.over == nil { break }
                }
            }
            rig.begin()
            try Self.runToEnd(&rig, sketches, concurrency, &random, "seed \(seed)")
        }
    }

    static func draw(_ random: inout SeededRandom) -> [Sketch] {
        let count = Int.random(in: 1...14, using: &random)
        let names = (0..<count).map { "s\($0)" }
        let density = Int.random(in: 5...50, using: &random)
        var sketches: [Sketch] = []
        var roots: [String] = []
        for (place, name) in names.enumerated() {
            let needs = names[..<place].filter { _ in random.chance(density) }
            let effect = [Effect.pure, .read, .idempotent, .write, .write].randomElement(using: &random)!
            var sketch = Sketch(
                name, effect, needs: needs, rule: [.ask, .look, .redoInputs].randomElement(using: &random)!,
                account: effect == .pure ? nil : ["a", "b"].randomElement(using: &random)!,
                retry: RetryPolicy(maxAttempts: Int.random(in: 1...4, using: &random)),
                condition: random.chance(70) ? .none : random.chance(50) ? .plain : .asksStatus,
                continuesOnError: random.chance(10))
            if random.chance(15) {
                sketch.over = name
                sketch.list = needs.filter { _ in random.chance(30) }
                roots.append(name)
            } else if let root = roots.randomElement(using: &random), random.chance(50) {
                sketch.over = root
            }
            if sketch.over != nil {
                if random.chance(30) { sketch.maxParallel = Int.random(in: 1...2, using: &random) }
                sketch.failFast = random.chance(20)
            }
            if random.chance(25) { sketch.once = needs.filter { _ in random.chance(40) } }
            if sketch.condition != .none { sketch.asks = needs.filter { _ in random.chance(30) } }
            sketches.append(sketch)
        }
        // The order of the file says nothing of the order of the graph.
        return sketches.shuffled(using: &random)
    }

    static func runToEnd(
        _ rig: inout Rig, _ sketches: [Sketch], _ concurrency: Int, _ random: inout SeededRandom, _ seed: Comment
    ) throws {
        var turns = 0
        var processes = 1
        while true {
            turns += 1
            guard turns < 3000 else {
                Issue.record("\(seed): it does not end: \(rig.states)")
                return
            }
            check(rig, sketches, concurrency, seed)
            if let finish = rig.finish {
                if finish.isFinal {
                    checkEnd(rig, sketches, finish, seed)
                    return
                }
                processes += 1
                try next(&rig, &random, isPatient: processes > 40)
                continue
            }
            if random.chance(2), processes < 20 {
                // Death without a word.
                processes += 1
                try next(&rig, &random, isPatient: false)
                continue
            }
            if random.chance(2), processes < 20 {
                let begun = rig.begun.count
                rig.stop(.interrupted)
                #expect(rig.begun.count == begun, "\(seed): something began after the stop")
                if let step = rig.running.randomElement(using: &random) { end(step, &rig, &random) }
                rig.cancelAll()
                #expect(rig.begun.count == begun, "\(seed): something began after the stop")
                #expect(rig.finish != nil, "\(seed): the stop does not end")
                continue
            }
            advance(&rig, &random, seed)
        }
    }

    private static func advance(_ rig: inout Rig, _ random: inout SeededRandom, _ seed: Comment) {
        let choices = rig.running.count + rig.looking.count + (rig.timers.isEmpty ? 0 : 1)
        guard choices > 0 else {
            Issue.record("\(seed): nothing is under way and the run is not over: \(rig.states)")
            rig.stop()
            return
        }
        let choice = Int.random(in: 0..<choices, using: &random)
        if choice < rig.running.count {
            end(rig.running[choice], &rig, &random)
        } else if choice < rig.running.count + rig.looking.count {
            endLook(rig.looking[choice - rig.running.count], &rig, &random)
        } else {
            rig.fire()
        }
    }

    private static func end(_ step: String, _ rig: inout Rig, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55: rig.succeed(step)
        case 55..<58: rig.findNothing(step)
        case 58..<63: rig.pause(step, [.captcha, .auth, .approval].randomElement(using: &random)!)
        default:
            let classes = ErrorClass.allCases.filter { $0 != .permission || random.chance(30) }
            let long = random.chance(10) ? Duration.seconds(600) : nil
            rig.fail(step, classes.randomElement(using: &random)!, retryAfter: long)
        }
    }

    private static func endLook(_ step: String, _ rig: inout Rig, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: rig.look(step, .found([:]))
        case 3..<7: rig.look(step, .absent)
        case 7: rig.look(step, .several(["1", "2"]))
        case 8: rig.look(step, .unreadable(reason: "closed"))
        default: rig.failLook(step, .network)
        }
    }

    /// - Parameter isPatient: every question is answered, every time waited for, so that the run comes to its end.
    private static func next(_ rig: inout Rig, _ random: inout SeededRandom, isPatient: Bool) throws {
        var answers: [String: ResumeHow] = [:]
        for step in rig.states.keys.sorted() where rig.state(step) == .paused && (isPatient || random.chance(60)) {
            let doubt = rig.scheduler.pause(of: rig.index(step))?.kind == .inDoubt
            let given: [ResumeHow] =
                doubt
                ? [.posted([:]), .answer(.resend), .answer(nil)]
                : [.answer(nil), .answer(.captcha("x")), .answer(.approved), .answer(.rejected), .posted([:])]
            answers[step] = isPatient ? .posted([:]) : given.randomElement(using: &random)!
        }
        if random.chance(50), let last = rig.batches.last, last.allSatisfy({ $0.kind == .onceReserved }) {
            // The process has died after the ledger and before the journal.
            rig.batches.removeLast()
        }
        try rig.restart(
            after: isPatient || random.chance(60) ? .seconds(4000) : .seconds(1), answers: answers)
    }

    // MARK: What must hold

    private static func check(_ rig: Rig, _ sketches: [Sketch], _ concurrency: Int, _ seed: Comment) {
        #expect(rig.running.count + rig.looking.count <= concurrency, "\(seed): too much at once")
        #expect(Set(rig.running).count == rig.running.count, "\(seed): a step runs twice at once")
        #expect(Set(rig.looking).isDisjoint(with: rig.running), "\(seed): a step is sent while it is looked for")
        #expect(rig.begunTooEarly == [], "\(seed): begun before what they need has ended")
        let nodes = rig.scheduler.nodes
        var writing: Set<String> = []
        var items: [String: Int] = [:]
        for name in rig.running {
            let node = nodes[rig.index(name)]
            if node.effect == .write, let account = node.account {
                #expect(writing.insert(account).inserted, "\(seed): two writes of account \(account) at once")
            }
            items[node.address, default: 0] += 1
            if let limit = node.maxParallel {
                #expect(items[node.address, default: 0] <= limit, "\(seed): too many items of \(node.address) at once")
            }
        }
    }

    private static func checkEnd(_ rig: Rig, _ sketches: [Sketch], _ finish: RunState, _ seed: Comment) {
        let nodes = rig.scheduler.nodes
        var hasFailed = false
        let hasAnyFailed = rig.states.values.contains(.failed)
        for index in nodes.indices {
            let name = nodes.address(of: index)
            let state = rig.state(name)
            #expect(state.isFinal, "\(seed): the run is \(finish), but \(name) is \(state)")
            if nodes.isExpanded(index) { continue }
            if state == .failed, !nodes[index].continuesOnError { hasFailed = true }
            if state == .succeeded, nodes[index].condition != .asksStatus {
                // One that ran again, for another step, may have failed since.
                for other in nodes.dependencies(of: index) {
                    let need = nodes.address(of: other)
                    guard
                        !rig.journal.contains(where: {
                            $0.kind == .stepReset && ($0.address == need || $0.address.hasPrefix("\(need)["))
                        })
                    else { continue }
                    let isMet =
                        rig.state(need) == .succeeded || (rig.state(need) == .failed && nodes[other].continuesOnError)
                    #expect(isMet, "\(seed): \(name) succeeded without \(need)")
                }
            }
            if state == .skipped, case .dependency(let other, let seen)? = rig.scheduler.skipReason(of: index) {
                #expect(rig.state(other) == seen && seen != .succeeded, "\(seed): \(name) names \(other)")
            }
            if case .sameKey(let key, let holder)? = rig.scheduler.skipReason(of: index), !hasAnyFailed,
                rig.state(holder) == .skipped, rig.scheduler.attempts(of: rig.index(holder)) == 0
            {
                #expect(rig.ledger[key]?.isDone == true, "\(seed): neither \(holder) nor \(name) has posted '\(key)'")
            }
            guard nodes[index].hasOnce, !rig.history(name).contains(.stepReset), let key = rig.key(name),
                let entry = rig.ledger[key], entry.run == "own",
                entry.address == name
            else { continue }
            #expect(
                (entry.state == .done([:])) == (state == .succeeded),
                "\(seed): the key of \(name), \(state), is \(entry.state)")
            #expect(entry.state != .reserved, "\(seed): the key of \(name), which is \(state), is never given back")
        }
        #expect(finish == (hasFailed ? .failed : .succeeded), "\(seed)")
    }
}
