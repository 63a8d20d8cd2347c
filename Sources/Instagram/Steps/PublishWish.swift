internal import HTTP
internal import StepKit
internal import Values

/// What is to be published, checked against Instagram's rules before anything is sent (Instagram Platform, "IG User
/// Media").
struct PublishWish: Sendable {
    let pictures: [String]
    let isStory: Bool
    let caption: String
    private let altText: String
    private let tags: Value?
    private let collaborators: [String]
    private let location: String?

    var isCarousel: Bool { pictures.count > 1 }

    /// - Throws: `StepError` of class `invalid`.
    init(_ call: StepCall) throws {
        let many = (call["image_urls"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
        let one = call["image_url"]?.string
        isStory = call["story"]?.bool ?? false
        caption = call["caption"]?.string ?? ""
        altText = call["alt_text"]?.string ?? ""
        tags = call["user_tags"]
        collaborators = (call["collaborators"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
        location = call["location_id"]?.string
        switch (one, many.isEmpty) {
        case (let one?, true): pictures = [one]
        case (nil, false): pictures = many
        case (_?, false):
            throw StepError(
                .invalid, "both 'image_url' and 'image_urls' are given", fix: "Give one picture, or a carousel's.")
        case (nil, true):
            throw StepError(
                .invalid, "there is no picture",
                fix: "Give its public address under 'image_url', or several under 'image_urls'.")
        }
        if one == nil {
            guard (2...10).contains(many.count) else {
                throw StepError(
                    .invalid, "'image_urls' has \(many.count) addresses", why: "A carousel has 2 to 10 pictures.",
                    fix: many.count == 1 ? "Give a single one under 'image_url'." : "Split them over several posts.")
            }
        }
        try checkAddresses(of: call)
        try checkTexts()
    }

    private func checkAddresses(of call: StepCall) throws {
        let isAtHome = call.account.flatMap { URLParts($0.baseURL) }?.isLoopback ?? false
        for address in pictures {
            let shown = redactedAddress(address)
            guard let parts = URLParts(address), !parts.host.isEmpty else {
                throw StepError(.invalid, "'\(shown)' is no address")
            }
            guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw StepError(
                    .invalid, "the address '\(shown)' has blanks or letters beyond ASCII",
                    fix: "Percent-encode them, as urlencode() does.")
            }
            guard parts.scheme == "https" && !parts.isLoopback || isAtHome else {
                throw StepError(
                    .invalid, "Instagram cannot load '\(shown)'",
                    why: "It loads the picture itself: from a public address, by https.",
                    fix: "Put the file where everybody can read it, and give that address.")
            }
        }
    }

    private func checkTexts() throws {
        func refuse(_ what: String, _ fix: String) -> StepError { StepError(.invalid, what, fix: fix) }
        if isStory {
            guard !isCarousel else { throw refuse("a story has one picture", "Publish a story for each.") }
            guard caption.isEmpty, altText.isEmpty, collaborators.isEmpty else {
                throw refuse(
                    "a story has neither 'caption' nor 'alt_text' nor 'collaborators'",
                    "Leave them out; card.compose can put a text on the picture.")
            }
        }
        guard caption.count <= 2200 else {
            throw refuse(
                "the caption has \(caption.count) characters, 2,200 are taken", "Shorten it, as truncate() does.")
        }
        let hashtags = marks("#")
        guard hashtags <= 30 else {
            throw refuse("the caption has \(hashtags) hashtags, 30 are taken", "Leave some out.")
        }
        let mentions = marks("@")
        guard mentions <= 20 else {
            throw refuse("the caption has \(mentions) @ tags, 20 are taken", "Leave some out.")
        }
        guard altText.count <= 1000 else {
            throw refuse("'alt_text' has \(altText.count) characters, 1,000 are taken", "Shorten it.")
        }
        guard collaborators.count <= 3 else {
            throw refuse("there are \(collaborators.count) 'collaborators', 3 are taken", "Leave some out.")
        }
    }

    /// How many words of the caption the sign begins.
    private func marks(_ sign: Character) -> Int {
        var count = 0
        var before: Character?
        var isOpen = false
        for character in caption {
            if isOpen, character.isLetter || character.isNumber || character == "_" { count += 1 }
            isOpen = character == sign && !(before.map { $0.isLetter || $0.isNumber } ?? false)
            before = character
        }
        return count
    }

    // MARK: Fields

    /// Of the container of an item of a carousel.
    func fields(ofItem index: Int) -> [(name: String, value: String)] {
        var fields = [(name: "image_url", value: pictures[index]), (name: "is_carousel_item", value: "true")]
        if index == 0 { fields += pictureFields }
        return fields
    }

    /// Of the container that is published.
    ///
    /// - Parameter children: the containers of a carousel's items.
    func fields(children: [String]) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if isCarousel {
            fields += [("media_type", "CAROUSEL"), ("children", children.joined(separator: ","))]
        } else {
            if isStory { fields.append(("media_type", "STORIES")) }
            fields.append(("image_url", pictures[0]))
            fields += pictureFields
        }
        if !caption.isEmpty { fields.append(("caption", caption)) }
        if !collaborators.isEmpty {
            fields.append(("collaborators", Value.array(collaborators.map(Value.string)).json()))
        }
        if let location, !location.isEmpty { fields.append(("location_id", location)) }
        return fields
    }

    private var pictureFields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if !altText.isEmpty { fields.append(("alt_text", altText)) }
        if let tags, tags.array?.isEmpty == false { fields.append(("user_tags", tags.json())) }
        return fields
    }
}
