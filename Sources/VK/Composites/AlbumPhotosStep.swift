internal import Files
internal import ServiceKit
internal import StepKit
internal import Values

/// `vk.album-photos`: photos into an album, five to a call.
struct AlbumPhotosStep: StepKind {
    /// As many as one upload takes (dev.vk.com, "Uploading photos to an album").
    private static let batchSize = 5

    let client: VKClient

    let declaration = StepDeclaration(
        "vk.album-photos", "Puts photos into an album: uploads and saves them, five at a time.", effect: .write,
        account: "vk",
        parameters: [
            Parameter(
                "photos", .list(.file), required: true, "The photos: JPEG, PNG or GIF, up to 50 MB each, in order."),
            Parameter("album_id", .integer, required: true, "The album's id."),
            Parameter("group_id", .integer, "The community whose album it is, as a positive id; else the own."),
            Parameter("caption", .string, "The photos' own text, up to 2048 characters."),
            Parameter("latitude", .number, "Degrees, -90 to 90."),
            Parameter("longitude", .number, "Degrees, -180 to 180."),
        ],
        outputs: [
            Output("attachments", .list(.string), "The photos as 'attachments' of a post wants them, in their order."),
            Output("attachment", .string, "The first photo."),
            Output("items", .list(.map), "The photos as VK describes them."),
            Output("response", .any, "VK's whole answers."),
        ],
        hasOpenOutputs: true, doubtRule: .look,
        postedForm: "the batch's photos as photo1_2,photo1_3, or their addresses",
        example: """
            album:
              uses: vk.album-photos
              with: { album_id: 257, photos: [one.jpg, two.jpg] }
            """)

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems("album-photos", in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        var batches: [[UploadFile]] = []
        for batch in self.batches(of: call) {
            var files: [UploadFile] = []
            for (place, path) in batch.enumerated() {
                files.append(try await UploadFile.look(at: path, field: "file\(place + 1)", use: .photo))
            }
            batches.append(files)
        }
        var items: [Value] = []
        for (index, files) in batches.enumerated() {
            let saved = try await upload(files, number: index + 1, call).run()
            let photos = saved.array ?? []
            if photos.count < files.count {
                call.warn("VK has saved \(photos.count) of \(files.count) photos of a batch")
            }
            items += photos
        }
        return .succeeded(outputs(items))
    }

    private func batches(of call: StepCall) -> [[String]] {
        let paths = (sentElements(of: call["photos"]) ?? []).compactMap(\.string)
        return stride(from: 0, to: paths.count, by: Self.batchSize).map {
            Array(paths[$0..<min($0 + Self.batchSize, paths.count)])
        }
    }

    private func upload(_ files: [UploadFile], number: Int, _ call: StepCall) -> SavedUpload {
        let album: ValueObject = ["album_id": call["album_id"] ?? .null, "group_id": call["group_id"] ?? .null]
        let settings = ValueObject(["caption", "latitude", "longitude"].map { ($0, call[$0] ?? .null) })
        return SavedUpload(
            client: client, call: call, name: "batch-\(number)", serverMethod: "photos.getUploadServer",
            serverParameters: album, files: files, saveMethod: "photos.save", saveEffect: .write,
            saveParameters: { upload in
                album.adding(settings).adding([
                    "server": upload["server"] ?? .null, "photos_list": upload["photos_list"] ?? .null,
                    "hash": upload["hash"] ?? .null,
                ])
            },
            isMade: { saved in
                saved.array.map { !$0.isEmpty && $0.allSatisfy { attachment($0, type: "photo") != nil } } ?? false
            })
    }

    private func outputs(_ items: [Value]) -> ValueObject {
        let names = items.compactMap { attachment($0, type: "photo") }.map(Value.string)
        return [
            "attachments": .array(names), "attachment": names.first ?? .null, "items": .array(items),
            "response": .array(items),
        ]
    }

    /// Looks whether photos have come into the album since the last batch was sent; which ones, a person must say.
    func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting {
        let batches = batches(of: call)
        let finished = batches.indices.flatMap { call.parts["batch-\($0 + 1)/saved"]?.array ?? [] }
        guard let open = openBatch(of: call) else { return .found(outputs(finished)) }
        let window = SendingWindow(part: "batch-\(open)/saving", of: call, now: client.now())
        guard let sentAt = window.sentAt, window.settled == nil else { return window.settled ?? .neverSent }
        var parameters: ValueObject = [
            "album_id": call["album_id"].map { .string($0.json()) } ?? .null, "rev": true, "count": 50,
        ]
        parameters["owner_id"] = call["group_id"]?.integer.map { .integer($0.opposite) }
        let (answer, serverTime): (Value, Timestamp?)
        do {
            (answer, serverTime) = try await client.exchange(
                "photos.get", parameters, effect: .read, for: call.part("look", [:]), asksPerson: false)
        } catch let error as StepError where !error.errorClass.isRetried {
            return .unreadable(reason: error.what)
        }
        guard let photos = answer["items"]?.array else {
            throw StepError(.server, "VK answered photos.get without 'items'")
        }
        let earliest = WallSearch.earliest(since: sentAt, serverTime: serverTime, now: client.now()).seconds
        // Every owner's photos are numbered from the same number on: an id alone is another's photo, too.
        let others = call.others.flatMap { $0["attachments"]?.array ?? [] }.compactMap(\.string)
        let known = Set((finished.compactMap { attachment($0, type: "photo") } + others).map(withoutKey))
        let recent = photos.filter { $0["date"]?.looseInteger ?? .max >= earliest }
        // VK gives the newest first.
        let addresses = recent.reversed().compactMap { attachment($0, type: "photo").map(withoutKey) }
            .filter { !known.contains($0) }.map { "https://vk.com/\($0)" }
        guard !addresses.isEmpty else { return window.judge(.absent) }
        // As many as were sent are a batch, as a person would give it.
        return .several(addresses.count <= batches[open - 1].count ? [addresses.joined(separator: ",")] : addresses)
    }

    /// "photo1_2" of "photo1_2_key".
    private func withoutKey(_ name: String) -> String {
        name.split(separator: "_").prefix(2).joined(separator: "_")
    }

    /// The first batch that VK has not answered, from 1; nil when all are saved.
    private func openBatch(of call: StepCall) -> Int? {
        let count = batches(of: call).count
        return count == 0 ? nil : (1...count).first { call.parts["batch-\($0)/saved"] == nil }
    }

    /// Takes a batch's photos as "photo1_2,photo1_3", or by their addresses; nil for what cannot be they.
    private func photos(named text: String, for batch: Int, of call: StepCall) -> [Value]? {
        let owner = call["group_id"]?.integer.map(\.opposite)
        let things = text.split(separator: ",").map { NamedThing(String($0), type: "photo") }
        let batches = batches(of: call)
        guard !things.isEmpty, things.count <= batches[batch - 1].count,
            things.allSatisfy({ $0 != nil && ($0?.owner ?? owner) != nil })
        else { return nil }
        return things.compactMap { $0?.object(owner: owner) }
    }

    /// A batch before the last one: the others are still to be done. What the finished ones have made stays, whatever
    /// becomes of this one.
    func parts(settledBy answer: PauseAnswer, of call: StepCall) -> [(name: String, value: Value)]? {
        guard let open = openBatch(of: call) else { return [] }
        guard call.parts["batch-\(open)/saving"] != nil else {
            // An earlier process died when it had taken the answer.
            return open > 1 ? [] : nil
        }
        switch answer {
        case .resend: return open > 1 ? ["upload", "saving"].map { ("batch-\(open)/\($0)", .null) } : nil
        case .posted(let id):
            guard open < batches(of: call).count, let photos = photos(named: id, for: open, of: call) else {
                return nil
            }
            return [("batch-\(open)/saved", .array(photos))]
        default: return nil
        }
    }

    func outputs(forPosted id: String, of call: StepCall) -> ValueObject? {
        let count = batches(of: call).count
        guard openBatch(of: call) == count, let photos = photos(named: id, for: count, of: call) else { return nil }
        return outputs((1..<count).flatMap { call.parts["batch-\($0)/saved"]?.array ?? [] } + photos)
    }

    func extraTime(for call: StepCall) -> Duration {
        let batches = batches(of: call)
        let bytes = batches.joined().reduce(0) { $0 + ((try? FileSystem.size($1)) ?? 0) }
        return UploadFile.extraTime(forBytes: bytes) + call.timeout * (batches.count * 3)
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        func members(_ names: String...) -> [PlannedMember] { call.parameters.filter { names.contains($0.name) } }
        let answers = ["server", "photos_list", "hash"].map { PlannedMember($0, .after(["upload"])) }
        return [
            plannedCall(of: "photos.getUploadServer", call.with(members("album_id", "group_id"))),
            PlannedRequest("POST", .after(["upload server"]), fields: members("photos")),
            plannedCall(
                of: "photos.save",
                call.with(members("album_id", "group_id", "caption", "latitude", "longitude") + answers)),
        ]
    }
}
