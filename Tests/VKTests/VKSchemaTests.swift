import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// Our declarations against VK's own schema (VKCOM/vk-api-schema, MIT).
@Suite struct VKSchemaTests {
    /// What VK has added since the schema's last version, by its pages and by its clients.
    static let newer: [String: Set<String>] = [
        "wall.post": ["primary_attachments_mode", "photo_attachments_crop", "topic_id", "verify"]
    ]

    /// What we send by ourselves.
    static let ours: [String: Set<String>] = ["wall.post": ["guid"]]

    @Test(arguments: [
        ("photos", "photos.getWallUploadServer"), ("photos", "photos.saveWallPhoto"), ("wall", "wall.post"),
    ])
    func parametersAreThoseOfTheSchema(section: String, method: String) throws {
        let methods = try #require(try Fixtures("vk-schema/\(section)").json("methods")["methods"]?.array)
        let schema = try #require(methods.first { $0["name"]?.string == method }?["parameters"]?.array)
        let kinds = VKConnector(
            client: ScriptedHTTPClient(), limiter: CountingLimiter(), now: { VKErrorTests.now }
        ).stepKinds
        let declaration = try #require(kinds.map(\.declaration).first { $0.name == "vk." + method })
        let declared = Dictionary(uniqueKeysWithValues: declaration.parameters.map { ($0.name, $0) })
        for parameter in schema {
            let name = try #require(parameter["name"]?.string)
            if Self.ours[method]?.contains(name) ?? false { continue }
            let ours = try #require(declared[name], "\(name) is missing")
            let type =
                name == "publish_date"
                ? "time" : parameter["type"]?.string == "array" ? "list" : parameter["type"]?.string
            #expect(ours.type.name == type, "\(name)")
            #expect(ours.isRequired == (parameter["required"] == true), "\(name)")
        }
        let known = Set(schema.compactMap { $0["name"]?.string }).union(Self.newer[method] ?? [])
        #expect(Set(declared.keys).subtracting(known).isEmpty)
    }

    @Test func errorTableKnowsEveryGlobalCodeOfTheSchema() throws {
        let errors = try #require(try Fixtures("vk-schema").json("errors")["errors"]?.object)
        let missing = errors.filter { $0.value["global"] == true }.compactMap { $0.value["code"]?.integer }
            .filter { VKErrorRule.rule(for: $0) == nil }
        #expect(missing == [])
    }
}
