import Files
import Sandbox
import TestSupport
import Testing
import Threading
import Values

/// The Instagram steps as a user meets them: new photos since the last run, and publishing.
@Suite(.programs) struct InstagramStepTests {
    /// Posts the oldest photo that was not posted yet.
    private static let batch = """
        name: batch
        accounts:
          insta: { type: instagram, token: "${{ secrets.INSTAGRAM_TOKEN }}", base-url: "${{ env.SANDBOX }}" }
          vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}", rate: 1000, settle: 50ms }
        steps:
          new:
            uses: instagram.media
            with: { newer-than-ledger: own/, limit: 1 }
          photo:
            uses: instagram.download
            if: steps.new.outputs.count > 0
            with: { id: "${{ steps.new.outputs.ids[0] }}" }
          post:
            uses: vk.wall.post
            once: own/${{ steps.photo.outputs.id }}
            with: { message: "${{ steps.photo.outputs.caption }}" }

        """

    private func texts(_ story: Story) async throws -> [String] {
        try await story.posts().compactMap { $0["text"]?.string }
    }

    @Test func eachNewPhotoIsPostedOnceOldestFirst() async throws {
        let story = try Story(caption: "first")
        let file = try story.write("batch.yaml", Self.batch)
        #expect(try await story.pasteup("run", file).code == 0)
        #expect(try await texts(story) == ["first"])
        let idle = try await story.pasteup("run", file)
        #expect(idle.code == 0, "\(idle.all)")
        #expect(try await texts(story) == ["first"])
        for caption in ["second", "third"] {
            try await story.control("POST", "media", ["caption": .string(caption)])
        }
        // Without a picture to be had, and not an image: both are passed over.
        try await story.control("POST", "media", ["caption": "held", "withholds-url": true])
        try await story.control("POST", "media", ["caption": "reel", "kind": "VIDEO"])
        let second = try await story.pasteup("run", file)
        #expect(second.code == 0, "\(second.all)")
        #expect(second.errors.contains("Instagram gives no address for it"), "\(second.errors)")
        let plan = try await story.pasteup("plan", "--fetch", file)
        #expect(plan.output.contains("third"), "the plan asks the ledger, too: \(plan.all)")
        #expect(try await story.pasteup("run", file).code == 0)
        #expect(try await story.pasteup("run", file).code == 0)
        #expect(try await texts(story).sorted() == ["first", "second", "third"])
    }

    @Test func expiredLinkIsReadAnew() async throws {
        let story = try Story()
        let file = try story.write("batch.yaml", Self.batch)
        try await story.fault("cdn", ["type": "http", "status": 403, "body": "URL signature expired"])
        let run = try await story.pasteup("run", file)
        #expect(run.code == 0, "\(run.all)")
        #expect(try await story.count("cdn") == 2)
    }

    private static let publish = """
        name: publish
        accounts:
          insta: { type: instagram, token: "${{ secrets.INSTAGRAM_TOKEN }}", base-url: "${{ env.SANDBOX }}", settle: 50ms }
        defaults:
          retry: { max-attempts: 3, initial: 10ms, factor: 2, max: 50ms, jitter: full }
        steps:
          post:
            uses: instagram.publish
            timeout: 5s
            with: { image_url: "https://cafe.example/card.jpg", caption: "Кофе & чай + 100%" }
        outputs:
          id: ${{ steps.post.outputs.id }}

        """

    private func published(_ story: Story) async throws -> [Value] {
        try await story.state()["containers"]?.array?.filter { $0["media"]?.string != nil } ?? []
    }

    @Test func pictureBecomesAPost() async throws {
        let story = try Story()
        let run = try await story.pasteup("run", try story.write("publish.yaml", Self.publish))
        #expect(run.code == 0, "\(run.all)")
        let posts = try await published(story)
        #expect(posts.count == 1)
        #expect(posts[0]["caption"] == "Кофе & чай + 100%")
        #expect(run.output.contains(try #require(posts[0]["media"]?.string)))
        try story.expectNowhere(story.sandbox.instagramToken)
    }

    /// Whatever becomes of the answer, one post.
    @Test(
        arguments: [
            ["type": "cut", "when": "after"], ["type": "cut", "when": "before"],
            ["type": "http", "status": 502, "when": "after"], ["type": "http", "status": 502, "when": "before"],
            ["type": "text", "body": "<html>", "when": "after"], ["type": "instagram-error", "code": 2],
            ["type": "instagram-error", "code": 9007, "subcode": 2_207_027], ["type": "truncate", "bytes": 5],
        ] as [Value]) func lostAnswerDoublesNothing(fault: Value) async throws
    {
        let story = try Story()
        try await story.fault("media_publish", fault)
        let run = try await story.pasteup("run", try story.write("publish.yaml", Self.publish))
        // Instagram says when to try again in one of the cases: the run waits.
        #expect(run.code == 0 || fault["code"] == 9007, "\(run.all)")
        if run.code == 0 { #expect(try await published(story).count == 1) }
        #expect(try await published(story).count <= 1)
    }

    /// The lost request does its work after the looks, when the run is about to send it anew, or has done so.
    @Test(arguments: [3, 4, 5, 6]) func lateEffectOfALostRequestDoublesNothing(looks: Int64) async throws {
        let story = try Story()
        try await story.setFaults([
            ["on": "media_publish", "call": 1, "fault": ["type": "cut", "when": "after"]],
            [
                "on": "container", "call": ["from": 2, "times": .integer(looks)],
                "fault": ["type": "container", "status": "FINISHED"],
            ],
        ])
        let run = try await story.pasteup("run", try story.write("publish.yaml", Self.publish))
        #expect(run.code == 0, "\(run.all)")
        let posts = try await published(story)
        #expect(posts.count == 1)
        #expect(run.output.contains(try #require(posts[0]["media"]?.string)))
    }

    @Test func refusedPictureIsExplained() async throws {
        let story = try Story()
        try await story.fault(
            "container", ["type": "container", "status": "ERROR", "text": "Error: 2207052 could not be fetched"])
        let run = try await story.pasteup("run", try story.write("publish.yaml", Self.publish))
        #expect(run.code == 1, "\(run.all)")
        #expect(run.errors.contains("The address must be public, https, without a sign-in"), "\(run.errors)")
        #expect(try await published(story).isEmpty)
    }

    @Test func usedUpQuotaWaits() async throws {
        let story = try Story { $0.instagramQuota = 0 }
        let run = try await story.pasteup("run", try story.write("publish.yaml", Self.publish))
        // A quota of nothing is no quota at all: Instagram itself refuses.
        #expect(run.code == 4, "\(run.all)")
        #expect(try await published(story).isEmpty)
    }

    /// The headers of one call say that the limit is used up: the next call is not made before it is free again.
    @Test func usedUpLimitOfCallsWaits() async throws {
        let story = try Story()
        let file = try story.write("batch.yaml", Self.batch)
        try await story.fault("me/media", ["type": "usage", "percent": 100, "minutes": 19])
        let run = try await story.pasteup("run", file)
        #expect(run.code == 4, "\(run.all)")
        #expect(run.errors.contains("Instagram's limit of calls is used up (100 %)"), "\(run.errors)")
        #expect(try await story.count("media") == 0)
        #expect(try await story.posts().isEmpty)
    }

    /// Before that the calls slow down, by a quarter of a call's time limit at most, and the run says so.
    @Test func nearlyUsedUpLimitOfCallsSlowsTheRunDown() async throws {
        let story = try Story(caption: "first")
        let file = try story.write(
            "batch.yaml",
            Self.batch.replacing("steps:\n", with: "defaults: { timeout: 4s }\nsteps:\n", maxReplacements: 1))
        try await story.fault("me/media", ["type": "usage", "percent": 90])
        let run = try await story.pasteup("run", file)
        #expect(run.code == 0, "\(run.all)")
        #expect(
            run.errors.contains("90 % of Instagram's limit of calls are used: the next call waits 1s"),
            "\(run.errors)")
        #expect(try await texts(story) == ["first"])
    }

    @Test func quietLimitOfCallsIsNotSpokenOf() async throws {
        let story = try Story(caption: "first")
        let file = try story.write("batch.yaml", Self.batch)
        try await story.fault("me/media", ["type": "usage", "percent": 80])
        let run = try await story.pasteup("run", file)
        #expect(run.code == 0, "\(run.all)")
        #expect(!run.errors.contains("limit of calls"), "\(run.errors)")
    }

    /// Whoever asks again hears the reason once.
    @Test func doubtThatNobodyCanSettleIsToldInTheSameWordsEachTime() async throws {
        let story = try Story()
        try await story.setFaults([
            ["on": "media_publish", "call": 1, "fault": ["type": "cut", "when": "before"]],
            [
                "on": "container", "call": ["from": 2, "times": 100],
                "fault": ["type": "instagram-error", "code": 24, "subcode": 2_207_008],
            ],
        ])
        let run = try await story.pasteup("run", try story.write("publish.yaml", Self.publish))
        #expect(run.code == 3, "\(run.all)")
        let question = try #require(run.errors.split(separator: "\n").first { $0.hasPrefix("paused: ") })
        for _ in 0..<2 {
            let again = try await story.pasteup("resume")
            #expect(again.code == 3, "\(again.all)")
            #expect(again.errors.split(separator: "\n").contains(question), "\(again.errors)")
        }
        // A person who has looked has the last word.
        try await story.setFaults([])
        #expect(try await story.pasteup("resume", "--resend").code == 0)
        #expect(try await published(story).count == 1)
    }

    // MARK: Answers that are no answers

    private static let errors = FileSystem.join(
        FileSystem.folder(of: FileSystem.folder(of: #filePath)), "InstagramTests/Fixtures/errors")

    private static func error(_ file: String) throws -> Value {
        try Value(json: FileSystem.read(FileSystem.join(errors, file)))
    }

    /// One case for each way in which a failure ends, by class, pause and next command.
    private static let ends: [String] = {
        var names: [String: String] = [:]
        for name in (try? FileSystem.list(errors)) ?? [] {
            guard let json = try? error(name), json["headers"] == nil else { continue }
            names[["class", "pause", "next"].map { json[$0]?.string ?? "" }.joined(separator: " ")] = name
        }
        return names.values.sorted()
    }()

    private static let once = """
        name: once
        accounts:
          insta: { type: instagram, token: "${{ secrets.INSTAGRAM_TOKEN }}", base-url: "${{ env.SANDBOX }}" }
        defaults:
          retry: { max-attempts: 2, initial: 10ms }
        steps:
          latest:
            uses: instagram.latest

        """

    /// The next command that the case promises is the one that the program prints.
    @Test(arguments: ends) func failureEndsWithTheNextCommand(name: String) async throws {
        let json = try Self.error(name)
        let story = try Story()
        try await story.fault(
            "me/media",
            [
                "type": "http", "status": json["status"] ?? 400,
                "body": .string(json["body"]?.string ?? json["answer"]?.json() ?? ""),
            ], calls: "every")
        let result = try await story.pasteup("run", try story.write("once.yaml", Self.once))
        let run = try #require(result.errors.rest(after: "run ")?.split(separator: " ").first)
        let next = try #require(json["next"]?.string).replacing("RUN", with: run)
        #expect(result.errors.contains(": \(next)\n"), "\(name): \(result.errors)")
        #expect(result.code == (json["pause"] != nil ? 3 : next.hasSuffix("--due") ? 4 : 1), "\(name)")
    }

    @Test func missingRightIsNamed() async throws {
        let story = try Story { $0.instagramRights = [InstagramScope.basic] }
        let run = try await story.pasteup("run", try story.write("publish.yaml", Self.publish))
        #expect(run.code == 1, "\(run.all)")
        #expect(run.errors.contains("instagram_business_content_publish"), "\(run.errors)")
    }

    // MARK: Tokens that are refreshed by themselves

    @Test func tokenOfTheEnvironmentIsRefreshedOnceItIsADayOld() async throws {
        let time = Clock()
        let story = try Story { configuration in configuration.clock = { time.now } }
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.count("refresh_access_token") == 0, "nobody knows how old it is: it may be new")
        let folder = story.folder.file(".config/pasteup/tokens")
        let name = try #require(FileSystem.list(folder).first { !$0.hasSuffix(".lock") })
        let path = FileSystem.join(folder, name)
        #expect(!String(decoding: try FileSystem.read(path), as: UTF8.self).contains(story.sandbox.instagramToken))
        var record = try Value(json: FileSystem.read(path)).object ?? [:]
        record["obtained"] = .string(Timestamp(milliseconds: Timestamp.now.milliseconds - 2 * 86_400_000).iso8601)
        try FileSystem.write(Array(Value.object(record).json().utf8), to: path)

        // Instagram finds it too young all the same: the run goes on with what it has, and says so.
        let early = try await story.pasteup("run", story.workflow)
        #expect(early.code == 0, "\(early.all)")
        #expect(early.errors.contains("the token of account 'insta' could not be refreshed"), "\(early.errors)")
        let quiet = try await story.pasteup("run", story.workflow)
        #expect(!quiet.errors.contains("could not be refreshed"), "not at every run: \(quiet.errors)")

        time.pass(.seconds(3 * 86_400))
        record["tried"] = nil
        try FileSystem.write(Array(Value.object(record).json().utf8), to: path)
        let late = try await story.pasteup("run", story.workflow)
        #expect(late.code == 0, "\(late.all)")
        #expect(!late.errors.contains("could not be refreshed"), "\(late.errors)")
        #expect(try await story.count("refresh_access_token") == 2)
        let kept = try Value(json: FileSystem.read(path))
        #expect(kept["expires"]?.string.flatMap { Timestamp(iso8601: $0) } ?? .now > .now + .seconds(59 * 86_400))
    }
}

/// The sandbox's time of day: the machine's, moved on.
private final class Clock: Sendable {
    private let moved = Locked(Duration.zero)

    var now: Timestamp { .now + moved.withLock { $0 } }

    func pass(_ duration: Duration) { moved.withLock { $0 += duration } }
}
