import Files
import Glibc
import Journal
import Sandbox
import TestSupport
import Testing
import Values

/// `vk.wall-photo`, struck at its first, second, third … commit or request until a run passes untouched: a step of many
/// calls, of which no finished one may be lost or made twice.
@Suite(.programs) struct WallPhotoKillTests {
    @Test(arguments: [
        "journal # before kill", "journal # after kill", "request # before kill", "request # after kill",
    ])
    func killedBetweenItsCallsItPostsOnce(fault series: String) async throws {
        let story = try Self.story(ignoresGuid: series.hasPrefix("request"))
        for number in 1...100 {
            let fault = series.replacing("#", with: "\(number)")
            let (struck, isStruck) = try await story.faulty(
                ["run", story.folder.file("wall-photo.yaml")], fault: fault)
            if !isStruck {
                #expect(struck.code == 0, "\(struck.all)")
                try await Self.expectWholePost(story, saved: 2...4, "untouched")
                // The step has at least as many commits and requests as calls. Before that it is a request without an answer,
                // after which nothing strikes.
                if number > 8 { return }
                try await story.startOver()
                continue
            }
            #expect(struck.signal == SIGKILL, "\(fault): \(struck.all)")
            let last =
                if let run = try await story.runs().first, !run.state.isFinal {
                    try await story.pasteup("resume", run.id)
                } else {
                    try await story.pasteup("run", story.folder.file("wall-photo.yaml"))
                }
            #expect(last.code == 0, "\(fault): \(struck.all)\n\(last.all)")
            // What was saved, and whose answer was lost, is saved once more; the photos may be saved at the same time.
            try await Self.expectWholePost(story, saved: 2...4, "\(fault): \(struck.all)\n\(last.all)")
            try await story.startOver()
        }
        Issue.record("no run passed untouched")
    }

    /// A part that cannot be kept ends the run: nothing more is sent that nobody would remember.
    @Test(arguments: ["journal #+ before full", "journal # before busy", "journal # after busy"])
    func partThatCannotBeKeptEndsTheRun(fault series: String) async throws {
        let story = try Self.story(ignoresGuid: true)
        for number in 1...100 {
            let fault = series.replacing("#", with: "\(number)")
            let (struck, isStruck) = try await story.faulty(
                ["run", story.folder.file("wall-photo.yaml")], fault: fault)
            if !isStruck { return try await Self.expectWholePost(story, saved: 2...2, "untouched") }
            #expect(struck.code == 1, "\(fault): \(struck.all)")
            let last = try await story.pasteup("run", story.folder.file("wall-photo.yaml"))
            #expect(last.code == 0, "\(fault): \(struck.all)\n\(last.all)")
            try await Self.expectWholePost(story, saved: 2...4, "\(fault): \(struck.all)\n\(last.all)")
            try await story.startOver()
        }
        Issue.record("no run passed untouched")
    }

    static func story(ignoresGuid: Bool = false) throws -> Story {
        let story = try Story { $0.ignoreGuid = ignoresGuid }
        try story.write("wall-photo.yaml", Story.fixture("wall-photo.yaml"))
        for (name, source) in [("one.jpg", "baseline.jpg"), ("two.png", "alpha.png")] {
            let path = FileSystem.join(FileSystem.folder(of: #filePath), "../../StoryCardTests/Fixtures/\(source)")
            try FileSystem.write(try FileSystem.read(path), to: story.folder.file(name))
        }
        return story
    }

    static func expectWholePost(
        _ story: Story, saved: ClosedRange<Int>, _ comment: @autoclosure () -> String
    ) async throws {
        let state = try await story.state()
        let posts = state["posts"]?.array ?? []
        #expect(posts.count == 1, "\(comment())")
        let attachments = posts.first?["attachments"]?.array ?? []
        #expect(attachments.count == 3, "\(comment())")
        let photos = state["photos"]?.array ?? []
        #expect(saved.contains(photos.count), "\(photos.count) photos. \(comment())")
        // In the order of the file: the first is the JPEG.
        let formats = attachments.prefix(2).map { name in
            photos.first { $0["attachment"] == name }?["format"]?.string
        }
        #expect(formats == ["jpeg", "png"], "\(comment())")
        #expect(try await story.ledger().map(\.key.text) == ["two-photos"], "\(comment())")
        #expect(try await story.runs().allSatisfy { $0.state == .succeeded }, "\(comment())")
    }
}
