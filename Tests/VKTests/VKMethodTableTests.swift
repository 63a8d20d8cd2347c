import Files
import Glibc
import ServiceTestSupport
import Testing
import Values

@testable import VK

/// The table of methods against VK's schema (VKCOM/vk-api-schema, MIT), which it is made from:
/// `RECORD_SNAPSHOTS=1 swift test --filter VKMethodTableTests` makes it anew.
@Suite struct VKMethodTableTests {
    @Test func tableIsMadeFromTheSchema() throws {
        let path = FileSystem.join(
            FileSystem.folder(of: #filePath), "../../Sources/VK/Methods/VKMethodTable+Text.swift")
        let made = try Self.source()
        let kept = String(decoding: try FileSystem.read(path), as: UTF8.self)
        if getenv("RECORD_SNAPSHOTS") != nil, made != kept {
            try FileSystem.write(Array(made.utf8), to: path, mode: 0o644)
            Issue.record("recorded anew")
            return
        }
        #expect(made == kept)
    }

    private static func source() throws -> String {
        let schema = Fixtures("vk-schema")
        let licence = try schema.text("LICENSE").split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "//" : "// " + $0 }.joined(separator: "\n")
        var lines: [String] = []
        for section in ["wall", "photos", "stories"] {
            let methods = try #require(try Fixtures("vk-schema/\(section)").json("methods")["methods"]?.array)
            for method in methods {
                let tokens = (method["access_token_type"]?.array ?? []).compactMap { $0.string?.first.map(String.init) }
                lines.append(
                    "\(method["name"]?.string ?? "") \(tokens.joined()) \(summary(method["description"]))".trimmed)
                for parameter in method["parameters"]?.array ?? [] { lines.append(" " + (try line(parameter)).trimmed) }
            }
        }
        return """
            // Made from VKCOM/vk-api-schema (wall, photos, stories; API 5.199) by VKMethodTableTests, which says how.
            //
            \(licence)

            // swift-format-ignore-file

            extension VKMethodTable {
                static let text = #\"\"\"
            \(lines.map { "        " + $0 }.joined(separator: "\n"))
                    \"\"\"#
            }

            """
    }

    private static func line(_ parameter: Value) throws -> String {
        let name = try #require(parameter["name"]?.string)
        let type = try type(of: parameter, name) + (parameter["required"] == true ? "!" : "")
        return "\(name) \(type) \(summary(parameter["description"]))"
    }

    private static func type(of value: Value, _ name: String) throws -> String {
        if name == "publish_date" || name == "start_time" || name == "end_time" { return "t" }
        if let types = value["type"]?.array { return types.contains("string") ? "s" : "i" }
        switch value["type"]?.string {
        case "integer": return "i"
        case "number": return "n"
        case "boolean": return "b"
        case "string":
            guard let words = value["enum"]?.array?.compactMap(\.string), !words.isEmpty else { return "s" }
            return "c:" + words.joined(separator: ",")
        case "array": return "l" + (value["items"]?["type"]?.string == "integer" ? "i" : "s")
        default: throw SchemaGap(name: name)
        }
    }

    private struct SchemaGap: Error { let name: String }

    /// The first sentence of the schema's own words.
    private static func summary(_ description: Value?) -> String {
        let words = (description?.string ?? "").split { $0.isWhitespace }
        var sentence: [Substring] = []
        var length = 0
        for word in words {
            guard length + word.count < 160 else { return sentence.joined(separator: " ") + " …" }
            sentence.append(word)
            length += word.count + 1
            if word.hasSuffix("."), !["e.g.", "i.e.", "etc."].contains(word), sentence.count > 1 { break }
        }
        return sentence.joined(separator: " ")
    }

    @Test func everyMethodOfTheSchemaIsThere() throws {
        #expect(VKMethodTable.names.count == 25 + 44 + 17)
        for name in VKMethodTable.names { #expect(VKMethodTable.method(name)?.name == name) }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
