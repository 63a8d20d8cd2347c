internal import Files
internal import StepKit
internal import Values

/// `vk.document`: a file as a document that posts and comments can attach.
///
/// A document that nothing attaches is seen by nobody, so that saving it twice does no harm.
struct DocumentStep: StepKind {
    let client: VKClient

    let declaration = StepDeclaration(
        "vk.document", "Uploads a file as a document, ready to be attached to a post.", effect: .idempotent,
        account: "vk",
        parameters: [
            Parameter("file", .file, required: true, "The file; VK takes no audio and no programs."),
            Parameter("title", .string, "Its name on VK; else the file's own."),
            Parameter("tags", .list(.string), "Words by which it is found."),
            Parameter("group_id", .integer, "The community for whose wall it is, as a positive id; else the own."),
        ],
        outputs: [
            Output("attachment", .string, "The document as 'attachments' of a post wants it."),
            Output("attachments", .list(.string), "'attachment', as a list."),
            Output("id", .integer, "The document's id."), Output("owner_id", .integer, "Whose it is."),
            Output("url", .url, sensitive: true, "Where it can be loaded."),
            Output("response", .any, sensitive: true, "VK's whole answer."),
        ],
        hasOpenOutputs: true,
        example: """
            menu:
              uses: vk.document
              with: { file: menu.pdf, title: Menu }
            """)

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems("document", in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        guard let path = call["file"]?.string else { throw StepError(.invalid, "'file' is missing") }
        let file = try await UploadFile.look(at: path, field: "file", use: .other)
        let group = ValueObject([("group_id", call["group_id"] ?? .null)])
        let settings: ValueObject = [
            "title": call["title"] ?? .string(FileSystem.name(of: path)), "tags": call["tags"] ?? .null,
        ]
        let saved = try await SavedUpload(
            client: client, call: call, name: "document", serverMethod: "docs.getWallUploadServer",
            serverParameters: group, files: [file], saveMethod: "docs.save", saveEffect: .idempotent,
            saveParameters: { settings.adding(["file": $0["file"] ?? .null]) },
            isMade: { attachment($0[0] ?? $0, type: "doc") != nil }
        ).run()
        let document = saved[0] ?? saved
        guard let attachment = attachment(document, type: "doc") else {
            throw StepError(.server, "VK answered docs.save without a document")
        }
        let members = document["type"]?.string.flatMap { document[$0]?.object } ?? document.object ?? [:]
        return .succeeded(
            members.adding([
                "attachment": .string(attachment), "attachments": [.string(attachment)], "response": saved,
            ]))
    }

    func extraTime(for call: StepCall) -> Duration {
        let bytes = call["file"]?.string.flatMap { try? FileSystem.size($0) } ?? 0
        return UploadFile.extraTime(forBytes: bytes) + call.timeout * 2
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        func members(_ names: String...) -> [PlannedMember] { call.parameters.filter { names.contains($0.name) } }
        return [
            plannedCall(of: "docs.getWallUploadServer", call.with(members("group_id"))),
            PlannedRequest("POST", .after(["upload server"]), fields: members("file")),
            plannedCall(
                of: "docs.save",
                call.with(members("title", "tags") + [PlannedMember("file", .after(["upload"]))])),
        ]
    }
}
