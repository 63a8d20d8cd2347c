/// The candidate that the author most likely meant: the nearest by Damerau-Levenshtein distance, the first of several
/// that are equally near; nil when none is near enough.
///
/// Letter case and the separators `-`, `_` and blank do not count, so that `maxAttempts` finds `max-attempts`. How many
/// mistakes are forgiven grows with the length of the longer of the two words:
///
/// | length | 1…2 | 3 | 4…8 | 9…12 | 13 and more |
/// |---|---|---|---|---|---|
/// | mistakes | 1 swap | 1 | 2 | 3 | 4 |
public func nearest(_ word: String, among candidates: some Sequence<String>) -> String? {
    let letters = lettersThatCount(word)
    guard !letters.isEmpty else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let others = lettersThatCount(candidate)
        let length = max(letters.count, others.count)
        let limit = length == 4 ? 2 : min(4, (length + 3) / 4)
        // Of one or two letters everything is near everything.
        if length <= 2, letters.sorted() != others.sorted() { continue }
        guard abs(letters.count - others.count) <= limit else { continue }
        let distance = editDistance(letters, others)
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
}

private func lettersThatCount(_ word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != " " }
}

/// Insertions, deletions, replacements and swaps of neighbours, with no letter touched twice ("optimal string
/// alignment").
private func editDistance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: other.count + 1)
    var last = Array(0...other.count)
    for row in 0..<one.count {
        var current = [row + 1]
        current.reserveCapacity(other.count + 1)
        for column in 0..<other.count {
            let replaced = last[column] + (one[row] == other[column] ? 0 : 1)
            var least = min(replaced, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                least = min(least, beforeLast[column - 1] + 1)
            }
            current.append(least)
        }
        beforeLast = last
        last = current
    }
    return last[other.count]
}
