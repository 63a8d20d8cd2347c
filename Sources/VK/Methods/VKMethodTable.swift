internal import StepKit

/// VK's own description of its methods, read a method at a time when one is asked for.
///
/// The text (`VKMethodTable+Text.swift`) is made from VK's schema. A method is a line `name tokens summary`, its tokens
/// being `u`, `g` and `s` for a user's, a community's and a service token; its parameters follow, each with a blank before
/// it: ` name type summary`. The types:
///
/// | letter | type |
/// |---|---|
/// | `i n b s t` | integer, number, boolean, text, time |
/// | `l` and one of them | a list |
/// | `c:a,b` | one of these words |
///
/// A `!` after the type: required.
enum VKMethodTable {
    /// The sections that the schema describes wholly.
    static let sections: Set<String> = ["wall", "photos", "stories"]

    /// The method; nil when the schema does not have it.
    static func method(_ name: String) -> VKMethod? {
        guard sections.contains(String(VKMethod.section(of: name))) else { return nil }
        return read(name, in: Array(text.utf8))
    }

    /// The names of all its methods, in the schema's order.
    static var names: [String] {
        text.utf8.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: " ") }.compactMap {
            line in line.split(separator: UInt8(ascii: " ")).first.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func read(_ name: String, in bytes: [UInt8]) -> VKMethod? {
        let blank = UInt8(ascii: " ")
        var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
        while let line = lines.first, !line.prefix(while: { $0 != blank }).elementsEqual(name.utf8) {
            lines.removeFirst()
        }
        guard let head = lines.popFirst() else { return nil }
        var parameters: [Parameter] = []
        while let line = lines.popFirst(), line.first == blank {
            if let parameter = parameter(String(decoding: line.dropFirst(), as: UTF8.self)) {
                parameters.append(parameter)
            }
        }
        let newer = additions[name] ?? []
        let summary = String(
            decoding: head.split(separator: blank, maxSplits: 2).dropFirst(2).first ?? [], as: UTF8.self)
        return VKMethod(
            name, summary.isEmpty ? "Calls VK's method \(name)." : summary,
            parameters: parameters + newer.filter { one in !parameters.contains { $0.name == one.name } })
    }

    /// Which tokens may call it; nil when the schema does not have it.
    static func tokenKinds(of name: String) -> Set<TokenFacts.Kind>? {
        guard sections.contains(String(VKMethod.section(of: name))) else { return nil }
        let blank = UInt8(ascii: " ")
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.first != blank {
            let parts = line.split(separator: blank, maxSplits: 2)
            guard parts.count > 1, parts[0].elementsEqual(name.utf8) else { continue }
            let letters: [(UInt8, TokenFacts.Kind)] = [
                (UInt8(ascii: "u"), .user), (UInt8(ascii: "g"), .community), (UInt8(ascii: "s"), .service),
            ]
            return Set(letters.filter { parts[1].contains($0.0) }.map(\.1))
        }
        return nil
    }

    private static func parameter(_ line: String) -> Parameter? {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, let type = type(parts[1]) else { return nil }
        return Parameter(
            String(parts[0]), type, required: parts[1].hasSuffix("!"), parts.count > 2 ? String(parts[2]) : "")
    }

    private static func type(_ text: Substring) -> ValueType? {
        var code = text
        if code.hasSuffix("!") { code.removeLast() }
        if code.hasPrefix("c:") { return .choice(code.dropFirst(2).split(separator: ",").map(String.init)) }
        if code.first == "l" { return type(code.dropFirst()).map(ValueType.list) }
        switch code {
        case "i": return .integer
        case "n": return .number
        case "b": return .boolean
        case "s": return .string
        case "t": return .time
        default: return nil
        }
    }

    /// What the schema of 5.199 lacks and VK takes: by its pages, and by the clients SevereCloud/vksdk and negezor/vk-io.
    private static let additions: [String: [Parameter]] = [
        "wall.get": [
            Parameter(
                "owner_id", .integer, "Whose wall: a user's id, or a community's as a negative one; else the own.")
        ],
        "wall.edit": [
            Parameter("primary_attachments_mode", .choice(["grid", "carousel"]), "How several photos are laid out."),
            Parameter("photo_attachments_crop", .any, "How photos of a carousel are cropped, in VK's own form."),
        ],
        "stories.getPhotoUploadServer": [Parameter("lifetime", .integer, "How long the story is shown, in seconds.")],
        "stories.getVideoUploadServer": [Parameter("lifetime", .integer, "How long the story is shown, in seconds.")],
    ]
}
