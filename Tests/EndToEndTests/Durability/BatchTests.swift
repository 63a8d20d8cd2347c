import Glibc
import Journal
import Sandbox
import TestSupport
import Testing
import Values

/// Many posts in one run, killed again and again.
@Suite struct BatchTests {
    @Test(arguments: [1, 2] as [UInt64])
    func batchKilledFiveTimesPostsEachOnce(seed: UInt64) async throws {
        let count = isStress ? 200 : 40
        let story = try Story { $0.ignoreGuid = true }
        let workflow = try story.write("many.yaml", independentPosts(count))
        var random = Draws(seed: seed)
        var struck = 0
        var words = ["run", workflow]
        var last: ProgramResult?
        for _ in 0..<5 {
            let place = random.next(2) == 0 ? "journal" : "request"
            let moment = random.next(2) == 0 ? "before" : "after"
            // A post takes a request and some commits; a fifth of them lies between two deaths.
            let fault = "\(place) \(2 + random.next(count / 5)) \(moment) kill"
            let (result, isStruck) = try await story.faulty(words, fault: fault)
            #expect(isStruck && result.signal == SIGKILL, "\(fault): \(result.all)")
            struck += isStruck ? 1 : 0
            if let id = try await story.runs().first?.id { words = ["resume", id] }
            last = result
        }
        #expect(struck == 5)
        let end = try await story.faulty(words).result
        #expect(end.code == 0, "\(end.all)\nbefore it: \(last?.all ?? "")")
        let texts = try await story.posts().compactMap { $0["text"]?.string }
        #expect(texts.count == count)
        #expect(Set(texts) == Set((1...count).map { "post \($0)" }))
        let ledger = try await story.ledger()
        #expect(ledger.count == count)
        #expect(ledger.allSatisfy { if case .done = $0.state { true } else { false } })
        #expect(try await story.runs().map(\.state) == [.succeeded])
    }
}

/// Draws that can be repeated: the "minimal standard" generator of S. Park and K. Miller (CACM 31, 1988).
private struct Draws {
    private var state: UInt64

    init(seed: UInt64) { state = seed * 7919 }

    /// From 0 up to, not including, the bound.
    mutating func next(_ bound: Int) -> Int {
        state = state * 16_807 % 2_147_483_647
        return Int(state >> 8) % bound
    }
}
