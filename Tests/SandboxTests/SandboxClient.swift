import Sandbox
import StoryCard
import TestSupport
import Threading
import Values

/// A sandbox, and what tests say to it by HTTP.
struct Client: Sendable {
    let sandbox: SandboxServer
    let port: UInt16
    /// What the sandbox's clock says, in milliseconds.
    let time: Locked<Int64>

    init(_ change: (inout SandboxConfiguration) -> Void = { _ in }) throws {
        let time = Locked<Int64>(1_795_000_000_000)
        var configuration = SandboxConfiguration()
        configuration.clock = { Timestamp(milliseconds: time.withLock { $0 }) }
        change(&configuration)
        sandbox = try SandboxServer(configuration: configuration)
        try sandbox.start()
        port = sandbox.port
        self.time = time
    }

    func pass(_ duration: Duration) { time.withLock { $0 += duration.wholeMilliseconds } }

    func get(_ target: String, headers: [(String, String)] = []) async throws -> RawAnswer {
        try await rawHTTP(port: port, "GET", target, headers: headers)
    }

    func json(_ target: String) async throws -> Value { try Value(json: try await get(target).body) }

    func state() async throws -> Value { try await json("/_sandbox/state") }

    @discardableResult
    func control(_ method: String, _ path: String, _ body: Value? = nil) async throws -> RawAnswer {
        try await rawHTTP(
            port: port, method, "/_sandbox/" + path, headers: [("Content-Type", "application/json")],
            body: Array((body?.json() ?? "").utf8))
    }

    func setFaults(_ faults: Value) async throws {
        let answer = try await control("POST", "faults", faults)
        if answer.status != 200 { throw SandboxError(answer.text) }
    }

    /// The whole answer of a VK method.
    func vkRaw(
        _ method: String, _ parameters: [(String, String)] = [], token: SandboxToken? = .vk, version: String? = "5.199",
        cookie: String? = nil
    ) async throws -> RawAnswer {
        var headers = [("Content-Type", "application/x-www-form-urlencoded")]
        if let token { headers.append(("Authorization", "Bearer " + sandbox.token(token))) }
        if let cookie { headers.append(("Cookie", cookie)) }
        let all = parameters + (version.map { [("v", $0)] } ?? [])
        let body = all.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
        return try await rawHTTP(port: port, "POST", "/method/" + method, headers: headers, body: Array(body.utf8))
    }

    func vk(
        _ method: String, _ parameters: [(String, String)] = [], token: SandboxToken? = .vk, version: String? = "5.199",
        cookie: String? = nil
    ) async throws -> Value {
        try Value(
            json: try await vkRaw(method, parameters, token: token, version: version, cookie: cookie).body)
    }

    /// The error's code, nil for success.
    func vkCode(
        _ method: String, _ parameters: [(String, String)] = [], token: SandboxToken? = .vk, version: String? = "5.199"
    ) async throws -> Int64? {
        try await vk(method, parameters, token: token, version: version)["error"]?["error_code"]?.integer
    }

    func upload(_ bytes: [UInt8], to address: String, field: String = "photo", name: String? = "photo.jpg") async throws
        -> RawAnswer
    {
        let (contentType, body) = rawMultipart(field: field, fileName: name, bytes)
        return try await rawHTTP(
            port: port, "POST", path(of: address), headers: [("Content-Type", contentType)], body: body)
    }

    /// An address without its scheme and host.
    func path(of address: String) -> String { String(address.dropFirst("http://127.0.0.1:\(port)".count)) }

    /// Uploads and saves a picture, and gives its attachment's text.
    func savedPhoto(group: Int64? = nil, _ bytes: [UInt8] = smallJPEG) async throws -> String {
        let groupParameter = group.map { [("group_id", "\($0)")] } ?? []
        let server = try await vk("photos.getWallUploadServer", groupParameter)
        let address = server["response"]?["upload_url"]?.string ?? ""
        let answer = try Value(json: try await upload(bytes, to: address).body)
        let saved = try await vk(
            "photos.saveWallPhoto",
            groupParameter + [
                ("photo", answer["photo"]?.string ?? ""), ("hash", answer["hash"]?.string ?? ""),
                ("server", "\(answer["server"]?.integer ?? 0)"),
            ])
        guard let photo = saved["response"]?[0], let owner = photo["owner_id"]?.integer, let id = photo["id"]?.integer
        else { throw SandboxError(saved.json()) }
        return "photo\(owner)_\(id)"
    }
}

/// 40 x 30, grey.
let smallJPEG = jpeg(width: 40, height: 30)

func jpeg(width: Int, height: Int) -> [UInt8] {
    let image = PixelImage(width: width, height: height, pixels: [UInt8](repeating: 128, count: width * height * 4))
    return (try? encodeJPEG(image, quality: 80)) ?? []
}

let cafe: Int64 = 226_100_401
let user: Int64 = 743_215_608
