/// The way through a list's pages, which ends though Instagram names page after page: with one that was read before, or
/// with the five hundredth.
struct PageTrail: Sendable {
    private static let maxPages = 500

    /// Where the next page begins; nil for the first one.
    private(set) var after: String?
    private(set) var isOver = false
    private var seen: Set<String> = []

    /// Goes on to the next page.
    ///
    /// - Parameter next: where it begins; nil at the end of the list.
    mutating func advance(to next: String?) {
        after = next
        isOver = next.map { !seen.insert($0).inserted || seen.count >= Self.maxPages } ?? true
    }
}
