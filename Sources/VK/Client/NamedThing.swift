internal import StepKit
internal import Values

/// A thing on VK as a person names it: "42", "photo-12_42", "photo-12_42_key", or an address with one of these.
struct NamedThing: Sendable, Hashable {
    /// Nil where only a number was given.
    let owner: Int64?
    let id: Int64
    let key: String?

    /// - Parameter type: "photo"; the word that stands before the ids, where there is one. Nil for any.
    init?(_ text: String, type: String? = nil) {
        var rest = text.split(whereSeparator: \.isWhitespace).first ?? ""
        if text.contains("/") {
            // The last one counts: https://vk.com/album1_0?z=photo1_2%2Falbum1_0 has two, and the type tells them apart.
            let parts = rest.split { "/?&=#%".contains($0) }
            let things = parts.filter { NamedThing(String($0), type: type)?.owner != nil }
            guard let last = things.last else { return nil }
            rest = last
        }
        let word = rest.prefix { $0.isASCII && $0.isLetter }
        guard word.isEmpty || type == nil || word == type! else { return nil }
        let parts = rest.dropFirst(word.count).split(separator: "_", omittingEmptySubsequences: false)
        let numbers = parts.prefix(2).map { Int64($0) }
        if word.isEmpty, parts.count == 1, let id = numbers[0], id > 0 {
            (owner, self.id, key) = (nil, id, nil)
        } else if (2...3).contains(parts.count), let owner = numbers[0], owner != 0, let id = numbers[1], id > 0 {
            let key = parts.count == 3 ? parts[2] : nil
            guard key?.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) ?? true, key != "" else { return nil }
            (self.owner, self.id, self.key) = (owner, id, key.map(String.init))
        } else {
            return nil
        }
    }

    /// As VK would give it.
    ///
    /// - Parameter standard: the owner where only a number was given.
    func object(owner standard: Int64?) -> Value {
        var object: ValueObject = ["id": .integer(id)]
        object["owner_id"] = (owner ?? standard).map(Value.integer)
        object["access_key"] = key.map(Value.string)
        return .object(object)
    }
}
