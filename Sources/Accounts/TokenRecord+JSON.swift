internal import StepKit
internal import Values

/// How a record is kept in a file.
extension TokenRecord {
    var json: String {
        var object: ValueObject = [
            "type": .string(type), "name": .string(name), "token": .string(token.reveal()),
            "source": .string(source.rawValue), "obtained": .string(obtained.iso8601),
        ]
        object["refresh-token"] = refreshToken.map { .string($0.reveal()) }
        object["client-id"] = clientID.map(Value.string)
        object["device-id"] = deviceID.map(Value.string)
        object["rights"] = rights.map { .array($0.map(Value.string)) }
        object["user-id"] = userID.map(Value.string)
        object["user-name"] = userName.map(Value.string)
        object["expires"] = expires.map { .string($0.iso8601) }
        object["tried"] = tried.map { .string($0.iso8601) }
        object["asked"] = asked.map { .string($0.iso8601) }
        object["base-url"] = baseURL.map(Value.string)
        return Value.object(object).json(.indented) + "\n"
    }

    /// Nil for what is no record.
    init?(json bytes: [UInt8]) {
        guard let value = try? Value(json: bytes), let type = value["type"]?.string,
            let token = value["token"]?.string,
            let source = value["source"]?.string.flatMap(Source.init),
            let obtained = value["obtained"]?.string.flatMap({ Timestamp(iso8601: $0) })
        else { return nil }
        self.init(
            type: type, name: value["name"]?.string ?? "", token: Secret(token), source: source, obtained: obtained)
        refreshToken = value["refresh-token"]?.string.map { Secret($0) }
        clientID = value["client-id"]?.string
        deviceID = value["device-id"]?.string
        rights = value["rights"]?.array?.compactMap(\.string)
        userID = value["user-id"]?.string
        userName = value["user-name"]?.string
        expires = value["expires"]?.string.flatMap { Timestamp(iso8601: $0) }
        tried = value["tried"]?.string.flatMap { Timestamp(iso8601: $0) }
        asked = value["asked"]?.string.flatMap { Timestamp(iso8601: $0) }
        baseURL = value["base-url"]?.string
    }
}
