import Glibc
import Journal
import Sandbox
import TestSupport
import Testing
import Values

/// Many posts in one run, killed again and again.
@Suite(.programs) struct BatchTests {
    enum Form: String, CaseIterable, Sendable {
        /// A step for each post.
        case steps
        /// One step for the rows of a table.
        case rows
    }

    @Test(arguments: 1...(isStress ? 4 : 2), Form.allCases)
    func batchKilledFiveTimesPostsEachOnce(seed: Int, form: Form) async throws {
        let count = isStress ? 200 : 40
        let story = try Story { $0.ignoreGuid = true }
        let text = form == .steps ? independentPosts(count) : try tableOfPosts(count, story)
        let workflow = try story.write("many.yaml", text)
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
