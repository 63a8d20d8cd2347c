internal import Testing

@testable import YAML

@Suite struct DocumentTests {
    /// The values that another reader of YAML 1.2 finds.
    @Test(arguments: Fixture.all(in: "documents"))
    func readsWhatRuamelReads(_ fixture: Fixture) throws {
        let document = try YAMLDocument.load(
            bytes: #require(fixture.bytes(".yaml")), file: fixture.name + ".yaml")
        let wanted = try #require(fixture.bytes(".json"))
        #expect(json(document.root) + "\n" == String(decoding: wanted, as: UTF8.self))
    }

    /// As Python's `json.dumps` writes it, keys sorted by code point.
    private func json(_ node: YAMLNode) -> String {
        switch node.content {
        case .sequence(let elements): return "[" + elements.map(json).joined(separator: ",") + "]"
        case .mapping(let mapping):
            let pairs = mapping.pairs.sorted {
                $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars)
            }
            return "{" + pairs.map { quoted($0.name) + ":" + json($0.value) }.joined(separator: ",") + "}"
        case .scalar(let scalar):
            switch scalar.value {
            case .null: return "null"
            case .bool(let value): return "\(value)"
            case .integer(let value): return "\(value)"
            case .double(let value): return "\(value)"
            case .string(let text): return quoted(text)
            }
        }
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
