/// The text of a post, in the form in which two of them are compared: VK gives back another than it was given.
///
/// Line ends are LF, the entities that VK writes (`&amp; &lt; &gt; &quot; &#39; <br>`) are what they stand for, and
/// blanks at the ends and runs of blanks, line ends included, are one blank. Letter case counts. Compared as Swift's
/// strings are, by canonical equivalence.
func comparable(wallText text: String) -> String {
    var plain = text
    for (entity, character) in entities { plain = replace(entity, by: character, in: plain) }
    return plain.split { $0.isWhitespace }.joined(separator: " ")
}

/// `&amp;` comes first: a text that itself holds `&lt;` comes back as `&amp;lt;`, and the two must meet.
private let entities = [
    ("&amp;", "&"), ("<br>", "\n"), ("<br/>", "\n"), ("<br />", "\n"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""),
    ("&#39;", "'"),
    ("&#039;", "'"),
]

private func replace(_ needle: String, by replacement: String, in text: String) -> String {
    let bytes = Array(text.utf8)
    let wanted = Array(needle.utf8)
    guard bytes.count >= wanted.count else { return text }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
        if bytes[position] == wanted[0], bytes[position...].starts(with: wanted) {
            output += replacement.utf8
            position += wanted.count
        } else {
            output.append(bytes[position])
            position += 1
        }
    }
    return String(decoding: output, as: UTF8.self)
}
