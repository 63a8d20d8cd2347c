internal import StepKit
internal import Values

/// Parameters that several steps take, and how they are read.
enum MediaParameters {
    static func kinds(default kinds: [Media.Kind]) -> Parameter {
        Parameter(
            "kinds", .list(.choice(Media.Kind.allCases.map(\.rawValue))),
            default: .array(kinds.map { .string($0.rawValue) }), "Which kinds of posts count. A reel is a video.")
    }

    static let thumbnail = Parameter(
        "thumbnail", .boolean, default: false,
        "Whether a video's still will do where a post has no image: needed for the kind 'video'.")

    static let id = Parameter("id", .string, required: true, "The post's id.")

    /// - Throws: `StepError` for an empty list.
    static func kinds(of call: StepCall) throws -> Set<Media.Kind> {
        let kinds = Set((call["kinds"]?.array ?? []).compactMap { $0.string.flatMap(Media.Kind.init) })
        guard !kinds.isEmpty else {
            throw StepError(.invalid, "'kinds' is empty", fix: "Name at least one of image, carousel, video.")
        }
        return kinds
    }

    static func takesStills(_ call: StepCall) -> Bool { call["thumbnail"]?.bool ?? false }
}

/// The request for a page of media, as a plan shows it.
func plannedPage(of edge: String, limit: Int, _ call: PlannedCall) -> PlannedRequest {
    plannedRead(
        .known(.string(edge)), call,
        fields: [
            PlannedMember("fields", .known(.string(Media.fields))),
            PlannedMember("limit", .known(.integer(Int64(limit)))),
        ])
}

/// A request that reads a node, as a plan shows it.
func plannedRead(_ node: PlannedValue, _ call: PlannedCall, fields: [PlannedMember]) -> PlannedRequest {
    PlannedRequest("GET", plannedAddress(node, call), fields: fields + [PlannedMember("access_token", .secret)])
}

func plannedAddress(_ node: PlannedValue, _ call: PlannedCall) -> PlannedValue {
    let baseURL = call.baseURL ?? InstagramAccount.type.baseURL
    if case .known(let value) = node {
        return .known(.string(nodeAddress(value.string ?? value.json(), baseURL: baseURL, settings: call.settings)))
    }
    return .text([.known(.string(nodeAddress("", baseURL: baseURL, settings: call.settings))), node])
}
