import ServiceTestSupport
import Values

/// Posts and pages of them, as Instagram writes them.
enum PostPages {
    /// A post of November 2026.
    static func item(_ id: String, day: Int, _ type: String = "IMAGE", _ more: ValueObject = [:]) -> Value {
        var item: ValueObject = [
            "id": .string(id), "media_type": .string(type), "media_product_type": "FEED",
            "media_url": .string("https://cdn.example/\(id).jpg?oe=KEY"),
            "permalink": .string("https://www.instagram.com/p/\(id)/"), "username": "cafe",
            "caption": .string("Post \(id)"),
            "timestamp": .string("2026-11-\(day < 10 ? "0" : "")\(day)T08:00:00+0000"),
        ]
        for (name, value) in more { item[name] = value.isNull ? nil : value }
        return .object(item)
    }

    /// - Parameter after: where the next page begins; nil for the last one.
    static func page(
        _ items: [Value], after: String? = nil, headers: [(name: String, value: String)] = []
    ) -> ScriptedHTTPClient.Answer {
        var paging: ValueObject = ["cursors": ["before": "b", "after": .string(after ?? "last")]]
        if after != nil { paging["next"] = "https://graph.instagram.com/v26.0/1/media?access_token=IGAASECRETTOKEN" }
        return .json(Value.object(["data": .array(items), "paging": .object(paging)]).json(), headers: headers)
    }

    static let jpeg = ScriptedHTTPClient.Answer.bytes(SampleBytes.jpeg)

    static let expired = ScriptedHTTPClient.Answer.status(
        403, "URL signature expired", headers: [(name: "content-type", value: "text/plain")])
}
