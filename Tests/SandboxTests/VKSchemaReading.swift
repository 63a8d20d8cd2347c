import Files
import TestSupport
import Values

/// VK's own description of its answers (VKCOM/vk-api-schema, MIT): JSON Schema of draft 4's shape, `required` beside the
/// member it is about.
///
/// What points to a section that is not at hand fits anything.
struct VKAnswerSchema {
    private let folder = FileSystem.join(FileSystem.folder(of: #filePath), "../VKTests/Fixtures/vk-schema")
    private var files: [String: Value] = [:]

    /// The schema of a method's answer, the envelope included.
    ///
    /// - Parameter kind: "response", "extendedResponse".
    mutating func problems(of method: String, _ answer: Value, kind: String = "response") throws -> [String] {
        let section = String(method.prefix { $0 != "." })
        let methods = try file("\(section)/methods.json")["methods"]?.array ?? []
        guard let schema = methods.first(where: { $0["name"]?.string == method })?["responses"]?[kind] else {
            return ["the schema has no '\(kind)' of \(method)"]
        }
        return try problems(answer, schema, at: "", in: section)
    }

    private mutating func problems(
        _ value: Value, _ schema: Value, at place: String, in section: String
    ) throws -> [String] {
        if let reference = schema["$ref"]?.string {
            guard let (target, section) = try resolved(reference, in: section) else { return [] }
            return try problems(value, target, at: place, in: section)
        }
        var found: [String] = []
        for part in schema["allOf"]?.array ?? [] { found += try problems(value, part, at: place, in: section) }
        if let choices = schema["oneOf"]?.array {
            let all = try choices.map { try problems(value, $0, at: place, in: section) }
            if !all.contains(where: \.isEmpty) { found += all.first ?? [] }
        }
        if let type = schema["type"], !fits(value, type) {
            return found + ["\(place) is \(value.json().prefix(60)), not \(type.json())"]
        }
        if let words = schema["enum"]?.array, !words.contains(value) {
            found.append("\(place) is \(value.json()), none of \(words.map { $0.json() }.joined(separator: ", "))")
        }
        if let least = schema["minimum"]?.double, let number = value.double, number < least {
            found.append("\(place) is \(number), below \(least)")
        }
        if let most = schema["maximum"]?.double, let number = value.double, number > most {
            found.append("\(place) is \(number), above \(most)")
        }
        for (name, member) in schema["properties"]?.object ?? [:] {
            if let inner = value[name] {
                found += try problems(inner, member, at: "\(place).\(name)", in: section)
            } else if member["required"] == true, value.object != nil {
                found.append("\(place).\(name) is missing")
            }
        }
        if let element = schema["items"], let elements = value.array {
            for (index, inner) in elements.enumerated() {
                found += try problems(inner, element, at: "\(place)[\(index)]", in: section)
            }
        }
        return found
    }

    private func fits(_ value: Value, _ type: Value) -> Bool {
        if let types = type.array { return types.contains { fits(value, $0) } }
        switch type.string {
        case "object": return value.object != nil
        case "array": return value.array != nil
        case "string": return value.string != nil
        case "integer": return value.integer != nil
        case "number": return value.double != nil
        case "boolean": return value.bool != nil
        default: return true
        }
    }

    /// "../wall/objects.json#/definitions/wall_wallpost"; nil for a section that is not at hand.
    private mutating func resolved(_ reference: String, in section: String) throws -> (Value, section: String)? {
        let parts = reference.split(separator: "#", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        var path = parts[0]
        while path.hasPrefix("../") { path.removeFirst(3) }
        let target = path.split(separator: "/").first.map(String.init) ?? section
        guard ["wall", "photos", "stories"].contains(target) else { return nil }
        guard let name = parts[1].split(separator: "/").last.map(String.init),
            let definition = try file(path)["definitions"]?[name]
        else { return nil }
        return (definition, target)
    }

    private mutating func file(_ path: String) throws -> Value {
        if let known = files[path] { return known }
        let value = try Value(json: try FileSystem.read(FileSystem.join(folder, path)))
        files[path] = value
        return value
    }
}
