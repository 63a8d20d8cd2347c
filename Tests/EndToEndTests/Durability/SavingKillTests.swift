import Files
import Glibc
import Journal
import Sandbox
import TestSupport
import Testing
import Values

/// Steps of VK that make something other than a post, struck at their first, second, third … commit or request: what was
/// made is never made twice, and what may have been made is for a person to look at.
@Suite(.programs) struct SavingKillTests {
    private static let head = """
        name: saving
        accounts:
          vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}", settle: 50ms }
        defaults:
          timeout: 1s
          retry: { initial: 10ms, max: 50ms }
        steps:

        """

    private static let steps = [
        ("stories.save", "  story: { uses: vk.story, once: this, with: { photo: one.jpg } }\n"),
        (
            "wall.createComment",
            "  hours: { uses: vk.wall.createComment, once: this, "
                + "with: { owner_id: -226100401, post_id: 1, message: Until 22 } }\n"
        ),
    ]

    @Test(arguments: steps, ["journal # after kill", "request # after kill"])
    func killedAtAnyInstantNothingIsMadeTwice(step: (method: String, text: String), fault series: String) async throws {
        let story = try Story { $0.ignoreGuid = true }
        let photo = FileSystem.join(FileSystem.folder(of: #filePath), "../../StoryCardTests/Fixtures/baseline.jpg")
        try FileSystem.write(try FileSystem.read(photo), to: story.folder.file("one.jpg"))
        let post = try story.write(
            "post.yaml",
            Self.head.replacing("name: saving", with: "name: post")
                + "  post: { uses: vk.wall-text, with: { owner_id: -226100401, message: Hello } }\n")
        let file = try story.write("saving.yaml", Self.head + step.text)
        for number in 1...60 {
            let posted = try await story.pasteup("run", post)
            #expect(posted.code == 0, "\(posted.all)")
            let fault = series.replacing("#", with: "\(number)")
            let (struck, isStruck) = try await story.faulty(["run", file], fault: fault)
            var last = struck
            if isStruck {
                #expect(struck.signal == SIGKILL, "\(fault): \(struck.all)")
                last = try await story.pasteup("run", file)
            }
            let made = try await story.count(step.method)
            let isOpen = last.code == 3
            #expect(last.code == 0 || isOpen, "\(fault): \(last.all)")
            #expect(made == 1, "\(fault): \(struck.all)\n\(last.all)")
            #expect(!isOpen || step.method == "stories.save", "a comment can be found. \(fault): \(last.all)")
            try await story.startOver()
            if !isStruck { return #expect(number > 1) }
        }
        Issue.record("no run passed untouched")
    }
}
