import Journal
import Sandbox
import TestSupport
import Testing
import Values

/// `instagram.publish`, struck at its first, second, third … commit or request until a run passes untouched: whatever is
/// lost, the container that was made is published once.
@Suite(.programs) struct PublishKillTests {
    private static let workflow = """
        name: publish
        accounts:
          insta: { type: instagram, token: "${{ secrets.INSTAGRAM_TOKEN }}", base-url: "${{ env.SANDBOX }}", settle: 50ms }
        defaults:
          timeout: 5s
          retry: { initial: 10ms, max: 50ms }
        steps:
          post:
            uses: instagram.publish
            once: menu
            with:
              image_urls: ["https://cafe.example/one.jpg", "https://cafe.example/two.jpg"]
              caption: Меню
        outputs:
          id: ${{ steps.post.outputs.id }}

        """

    @Test(arguments: ["journal # before kill", "journal # after kill", "request # before kill", "request # after kill"])
    func killedBetweenItsCallsItPublishesOnce(fault series: String) async throws {
        let story = try Story()
        let file = try story.write("publish.yaml", Self.workflow)
        for number in 1...100 {
            let fault = series.replacing("#", with: "\(number)")
            let (struck, isStruck, last) = try await story.struckAndRunAgain(file, fault: fault)
            #expect(last.code == 0, "\(fault): \(struck.all)\n\(last.all)")
            let posts = try await story.state()["media"]?.array?.filter { $0["caption"] == "Меню" } ?? []
            #expect(posts.count == 1, "\(fault): \(struck.all)\n\(last.all)")
            // Struck after its last commit the run is over, and has nobody to tell.
            let isDone = last.errors.contains("nothing to do, 'menu' was posted already")
            #expect(last.output.hasPrefix("id: ") || isDone, "\(fault): \(last.all)")
            if !isStruck {
                // me, the quota, three containers, their states, the publishing, and what came of it.
                #expect(number > 8)
                return
            }
            try await story.startOver()
        }
        Issue.record("no run passed untouched")
    }
}
