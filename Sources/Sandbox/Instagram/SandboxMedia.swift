internal import Values

/// One item of the Instagram account.
public struct SandboxMedia: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case image = "IMAGE"
        case video = "VIDEO"
        case album = "CAROUSEL_ALBUM"
    }

    public var id: String
    public var kind: Kind
    /// Nil leaves the member out of answers, as Instagram does.
    public var caption: String?
    /// A picture's name: one of `PhotoScene`'s raw values. A video's is its still, an album's its first picture.
    public var scene: String
    /// 1080 x 1080 instead of 1440 x 1800.
    public var isSquare: Bool
    /// Milliseconds since 1970.
    public var timestamp: Int64
    public var altText: String?
    /// An album's items; their captions and times mean nothing.
    public var children: [SandboxMedia]
    /// Whether it is a story: listed apart, for 24 hours.
    public var isStory: Bool
    /// Whether its address is left out, as Instagram does for what others hold rights in.
    public var withholdsURL: Bool

    public init(
        id: String, kind: Kind = .image, caption: String? = nil, scene: String, isSquare: Bool = false,
        timestamp: Int64 = 0, altText: String? = nil, children: [SandboxMedia] = [], isStory: Bool = false,
        withholdsURL: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.caption = caption
        self.scene = scene
        self.isSquare = isSquare
        self.timestamp = timestamp
        self.altText = altText
        self.children = children
        self.isStory = isStory
        self.withholdsURL = withholdsURL
    }

    /// The code in the item's link, made of its id as Instagram does it: base 64, high digits first.
    var shortcode: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var rest = UInt64(id) ?? 0
        var code = ""
        while rest > 0 {
            code = String(alphabet[Int(rest % 64)]) + code
            rest /= 64
        }
        return "D" + code
    }

    var value: Value {
        [
            "id": .string(id), "kind": .string(kind.rawValue), "caption": .optional(caption), "scene": .string(scene),
            "square": .bool(isSquare), "timestamp": .integer(timestamp), "alt-text": .optional(altText),
            "children": .array(children.map(\.value)), "story": .bool(isStory), "withholds-url": .bool(withholdsURL),
        ]
    }

    init(value: Value) throws {
        let stored = Stored(value, "a media item")
        id = try stored.string("id")
        kind = Kind(rawValue: try stored.string("kind")) ?? .image
        caption = value["caption"]?.string
        scene = try stored.string("scene")
        isSquare = value["square"]?.bool ?? false
        timestamp = try stored.integer("timestamp")
        altText = value["alt-text"]?.string
        children = try stored.list("children") { try SandboxMedia(value: $0) }
        isStory = value["story"]?.bool ?? false
        withholdsURL = value["withholds-url"]?.bool ?? false
    }
}

extension SandboxMedia {
    /// The café's eight items. The first is an old one that is pinned to the top; the others are newest first.
    static let cafe: [SandboxMedia] = [
        SandboxMedia(
            id: "17895695668004550",
            caption: "Мы открылись! 🎉\n\nул. Садовая, 12 · каждый день с 8 до 22\n\n#кафемиро #открытие",
            scene: "leaves", isSquare: true, timestamp: time("2025-10-04T08:00:00Z"),
            altText: "Осенние листья на тёмном столе"),
        SandboxMedia(
            id: "18042713969215733",
            caption:
                "Доброе утро, город! ☕️\nСегодня варим Эфиопию Иргачеффе: жасмин, бергамот и немного мёда.\n\n#кафемиро #кофе #утро",
            scene: "coffee", timestamp: time("2026-10-18T06:24:07Z"),
            altText: "Чашка кофе с рисунком на пенке, вид сверху"),
        SandboxMedia(
            id: "18021550441392876", kind: .album,
            caption: "Выходные у моря 🌊 Листайте →\n— маяк в семь вечера\n— горы по дороге домой\n#море #маяк",
            scene: "lighthouse", timestamp: time("2026-10-11T17:02:51Z"),
            children: [
                SandboxMedia(id: "17984412200573341", kind: .video, scene: "lighthouse"),
                SandboxMedia(id: "18008815127490062", scene: "lighthouse", altText: "Маяк над морем на закате"),
                SandboxMedia(id: "17899471126043357", scene: "mountains"),
            ]),
        SandboxMedia(
            id: "17931604870826158", kind: .video, caption: "Как мы рисуем на молоке 🤍 #латтеарт", scene: "coffee",
            timestamp: time("2026-10-05T12:40:00Z")),
        SandboxMedia(id: "18063399850617204", scene: "city", timestamp: time("2026-09-28T19:15:33Z")),
        SandboxMedia(
            id: "17852036411990827",
            caption:
                "New on the menu: lemon & thyme tart 🍋\nFresh every day until it's gone.\n\n@koritsa_bakery #lemon",
            scene: "lemons", isSquare: true, timestamp: time("2026-09-20T10:05:12Z"),
            altText: "Lemon slices on blue linen"),
        SandboxMedia(
            id: "18117590026374410", kind: .album, caption: "Осень пришла 🍂", scene: "leaves",
            timestamp: time("2026-09-14T15:30:00Z"),
            children: [
                SandboxMedia(id: "17960230485517792", scene: "leaves"),
                SandboxMedia(id: "18035527714069481", scene: "city"),
            ]),
        SandboxMedia(
            id: "17870148332659015", caption: "Горы никуда не спешат. И мы не будем 🏔\n#отпуск", scene: "mountains",
            timestamp: time("2026-08-30T16:48:20Z"), altText: "Слоистые горы на закате"),
    ]

    private static func time(_ text: String) -> Int64 { Timestamp(iso8601: text)?.milliseconds ?? 0 }
}
