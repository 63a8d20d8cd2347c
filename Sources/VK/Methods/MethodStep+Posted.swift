internal import ServiceKit
internal import StepKit
internal import Values

extension MethodStep {
    /// Makes VK's answer of what a person gives.
    ///
    /// | method | given | answer |
    /// |---|---|---|
    /// | answered with 1 | `1` | 1 |
    /// | makes media, as photos.save | `photo1_2,photo1_3` | the list of them |
    /// | makes a post | `42`, its address | `post_id` |
    /// | any other | `42`, `1_42`, an address | the number; as an object with `id`, and `owner_id` where that is known |
    /// | any | VK's answer, as JSON | itself |
    /// | outside the schema | any text | itself |
    func outputs(forPosted text: String, of call: StepCall) -> ValueObject? {
        let owner = call["owner_id"]?.integer ?? call["group_id"]?.integer.map(\.opposite)
        if let answer = try? Value(json: text), answer.object != nil || answer.array != nil {
            return method.confirmation == nil ? method.outputs(answer, owner: owner) : nil
        }
        if method.confirmation != nil { return text == "1" ? method.outputs(1, owner: owner) : nil }
        if let type = method.mediaType {
            let things = text.split(separator: ",").map { NamedThing(String($0), type: type) }
            guard !things.isEmpty, things.allSatisfy({ $0 != nil && ($0?.owner ?? owner) != nil }) else { return nil }
            return method.outputs(.array(things.compactMap { $0?.object(owner: owner) }), owner: owner)
        }
        guard let thing = NamedThing(text) else {
            return method.isDescribed || text.isEmpty ? nil : method.outputs(.string(text), owner: owner)
        }
        if method.makesPost {
            return method.outputs(["post_id": .integer(thing.id)], owner: thing.owner ?? owner)
        }
        if method.name == "stories.save" {
            return method.outputs(["count": 1, "items": [thing.object(owner: owner)]], owner: owner)
        }
        if thing.owner == nil, method.answersNumber {
            return method.outputs(.integer(thing.id), owner: owner)
        }
        var outputs = method.outputs(thing.object(owner: owner), owner: owner)
        outputs["value"] = .integer(thing.id)
        return outputs
    }

    /// What is given, as `StepDeclaration.postedForm` says it.
    static func postedForm(of method: VKMethod) -> String {
        if method.confirmation != nil { return "1, which is all that VK answers to it" }
        if let type = method.mediaType { return "what it made as \(type)1_2, several joined by commas" }
        return method.isDescribed
            ? "the id as the service shows it" : "the id as the service shows it, or VK's whole answer as JSON"
    }
}
