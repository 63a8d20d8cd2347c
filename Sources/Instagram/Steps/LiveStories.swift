internal import StepKit
internal import Values

/// `instagram.stories`: the account's stories of the last 24 hours.
struct LiveStories: StepKind {
    static let edge = "me/stories"

    let client: InstagramClient

    let declaration = StepDeclaration(
        "instagram.stories", "Lists the account's stories of the last 24 hours, newest first.", effect: .read,
        account: "instagram",
        parameters: [MediaParameters.kinds(default: [.image, .video])],
        outputs: listOutputs,
        example: """
            stories:
              uses: instagram.stories
              with: { kinds: [image] }
            """)

    func run(_ call: StepCall) async throws -> StepResult {
        var search = NewMedia(kinds: try MediaParameters.kinds(of: call), since: nil, known: nil, picture: nil)
        var trail = PageTrail()
        repeat {
            let page = try await client.page(of: Self.edge, after: trail.after, limit: 100, for: call)
            trail.advance(to: page.after)
            search.take(page)
        } while !trail.isOver && search.found.count < ListMedia.reach
        return .succeeded(mediaList(search.newestFirst()))
    }

    func extraTime(for call: StepCall) -> Duration { .seconds(120) }

    func plan(_ call: PlannedCall) -> [PlannedRequest] { [plannedPage(of: Self.edge, limit: 100, call)] }
}
