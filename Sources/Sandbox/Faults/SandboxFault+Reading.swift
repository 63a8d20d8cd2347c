internal import HTTPServer
internal import Values

extension SandboxFault {
    /// Reads a list of faults: a JSON array of them, or an object with the member `faults`.
    ///
    /// - Throws: `SandboxError` that names the fault by its number and says what may stand there.
    public static func list(json: [UInt8]) throws -> [SandboxFault] {
        let value: Value
        do { value = try Value(json: json) } catch {
            throw SandboxError("the faults are not JSON: \(error). Write [{\"on\": …, \"call\": 1, \"fault\": {…}}].")
        }
        return try list(value)
    }

    static func list(_ value: Value) throws -> [SandboxFault] {
        guard let items = value.array ?? value["faults"]?.array else {
            throw SandboxError(
                "the faults are \(value.typeName), not a list. Write [{\"on\": …, \"call\": 1, \"fault\": {…}}].")
        }
        return try items.enumerated().map { try SandboxFault($1, place: "fault \($0 + 1)") }
    }

    private init(_ value: Value, place: String) throws {
        let members = try Members(value, place: place, allowed: ["on", "call", "fault"])
        on = try members.string("on")
        guard SandboxFault.places.contains(on) || VKMethods.names.contains(on) else {
            throw SandboxError(
                "\(place): nothing is called '\(on)'. 'on' is a VK method that the sandbox knows ("
                    + VKMethods.names.sorted().joined(separator: ", ") + ") or one of "
                    + SandboxFault.places.joined(separator: ", ") + ".")
        }
        calls = try Calls(members.value("call") ?? 1, place: place)
        guard let fault = members.value("fault") else {
            throw SandboxError("\(place): 'fault' is missing. Write \"fault\": {\"type\": …}.")
        }
        action = try Action(fault, on: on, place: place)
    }

    /// The fault as it is written, for `GET /_sandbox/state` and the state folder.
    var value: Value { ["on": .string(on), "call": calls.value, "fault": action.value] }
}

extension SandboxFault.Calls {
    fileprivate init(_ value: Value, place: String) throws {
        func number(_ value: Value?) -> Int? { value?.integer.flatMap { $0 > 0 ? Int($0) : nil } }
        if let one = number(value) {
            self = .at([one])
        } else if value.string == "every" {
            self = .every
        } else if let list = value.array, !list.isEmpty, list.allSatisfy({ number($0) != nil }) {
            self = .at(list.compactMap(number))
        } else if let from = number(value["from"]), let times = number(value["times"]), value.object?.count == 2 {
            self = .range(from: from, times: times)
        } else {
            throw SandboxError(
                "\(place): 'call' is \(value.json()). Write a number from 1 on, a list of them, \"every\", "
                    + "or {\"from\": 2, \"times\": 3}.")
        }
    }

    fileprivate var value: Value {
        switch self {
        case .at(let numbers):
            numbers.count == 1 ? .integer(Int64(numbers[0])) : .array(numbers.map { .integer(Int64($0)) })
        case .every: "every"
        case .range(let from, let times): ["from": .integer(Int64(from)), "times": .integer(Int64(times))]
        }
    }
}

extension SandboxFault.Action {
    /// Keys of each type, and what it can be put on.
    static let types: [(name: String, keys: [String], suits: @Sendable (String) -> Bool, where: String)] = [
        ("vk-error", ["code", "message", "subcode", "echo-token", "when"], isMethod, "VK's methods"),
        ("captcha", ["form", "answer", "auto", "remixstlid"], isMethod, "VK's methods"),
        ("http", ["status", "body", "retry-after", "when"], { _ in true }, ""),
        ("instagram-error", ["code", "subcode", "message", "status"], isInstagram, "Instagram's calls"),
        ("delay", ["duration"], { _ in true }, ""),
        ("hang", ["when"], { _ in true }, ""),
        ("cut", ["when", "how"], { _ in true }, ""),
        ("empty-upload", [], { $0 == "upload" }, "'upload'"),
        ("text", ["body", "when"], { _ in true }, ""),
        ("truncate", ["bytes"], { _ in true }, ""),
        ("container", ["status", "text"], { $0 == "container" }, "'container'"),
        ("usage", ["percent", "minutes"], isInstagram, "Instagram's calls"),
        ("drop-attachment", [], { $0 == "wall.post" }, "'wall.post'"),
    ]

    private static let isMethod: @Sendable (String) -> Bool = { VKMethods.names.contains($0) }
    private static let isInstagram: @Sendable (String) -> Bool = {
        SandboxFault.instagramPlaces.contains($0)
    }

    fileprivate init(_ value: Value, on: String, place: String) throws {
        let name = try Members(value, place: place, allowed: nil).string("type")
        guard let type = Self.types.first(where: { $0.name == name }) else {
            throw SandboxError(
                "\(place): there is no type '\(name)'. Types are \(Self.types.map(\.name).joined(separator: ", ")).")
        }
        guard type.suits(on) else {
            throw SandboxError("\(place): '\(name)' goes with \(type.where) only, not with '\(on)'.")
        }
        let members = try Members(value, place: "\(place) (\(name))", allowed: ["type"] + type.keys)
        func moment() throws -> SandboxFault.Moment { try members.choice("when") ?? .before }
        switch name {
        case "vk-error":
            self = .vkError(
                code: try members.integer("code"), message: try members.optionalString("message"),
                subcode: try members.optionalInteger("subcode"), echoesToken: try members.flag("echo-token"),
                try moment())
        case "captcha":
            self = .captcha(
                try members.choice("form"), answer: try members.optionalString("answer"),
                solvesItself: try members.flag("auto"), remixstlid: try members.choice("remixstlid"))
        case "http":
            self = .http(
                status: Int(try members.integer("status", in: 200...599)), body: try members.optionalString("body"),
                retryAfter: try members.optionalInteger("retry-after").map { Int($0) }, try moment())
        case "instagram-error":
            self = .instagramError(
                code: try members.integer("code"), subcode: try members.optionalInteger("subcode"),
                message: try members.optionalString("message"),
                status: Int(try members.optionalInteger("status") ?? 400))
        case "delay":
            let text = try members.string("duration")
            guard let duration = Duration(text: text) else {
                throw SandboxError("\(place): '\(text)' is no duration. Write \"300ms\", \"2s\" or \"1m\".")
            }
            self = .delay(duration)
        case "hang": self = .hang(try moment())
        case "cut": self = .cut(try moment(), try members.choice("how") ?? .reset)
        case "empty-upload": self = .emptyUpload
        case "text": self = .text(try members.string("body"), try moment())
        case "truncate": self = .truncate(bytes: Int(try members.integer("bytes", in: 0...Int64(Int32.max))))
        case "container":
            guard let status: SandboxFault.ContainerState = try members.choice("status") else {
                throw SandboxError("\(place): 'status' is missing.")
            }
            self = .container(status, text: try members.optionalString("text"))
        case "usage":
            self = .usage(
                percent: try members.integer("percent", in: 0...100), minutes: try members.optionalInteger("minutes"))
        default: self = .dropAttachment
        }
    }

    fileprivate var value: Value {
        var object = ValueObject()
        func optional(_ integer: Int64?) -> Value? { integer.map { .integer($0) } }
        func optional(_ text: String?) -> Value? { text.map { .string($0) } }
        switch self {
        case .vkError(let code, let message, let subcode, let echoesToken, let moment):
            object = ["type": "vk-error", "code": .integer(code), "when": .string(moment.rawValue)]
            object["message"] = optional(message)
            object["subcode"] = optional(subcode)
            if echoesToken { object["echo-token"] = true }
        case .captcha(let form, let answer, let solvesItself, let place):
            object = ["type": "captcha"]
            if solvesItself { object["auto"] = true }
            object["remixstlid"] = optional(place?.rawValue)
            object["form"] = optional(form?.rawValue)
            object["answer"] = optional(answer)
        case .http(let status, let body, let retryAfter, let moment):
            object = ["type": "http", "status": .integer(Int64(status)), "when": .string(moment.rawValue)]
            object["body"] = optional(body)
            object["retry-after"] = optional(retryAfter.map { Int64($0) })
        case .instagramError(let code, let subcode, let message, let status):
            object = ["type": "instagram-error", "code": .integer(code), "status": .integer(Int64(status))]
            object["subcode"] = optional(subcode)
            object["message"] = optional(message)
        case .delay(let duration): object = ["type": "delay", "duration": .string("\(duration.wholeMilliseconds)ms")]
        case .hang(let moment): object = ["type": "hang", "when": .string(moment.rawValue)]
        case .cut(let moment, let how):
            object = ["type": "cut", "when": .string(moment.rawValue), "how": .string(how.rawValue)]
        case .emptyUpload: object = ["type": "empty-upload"]
        case .text(let body, let moment):
            object = ["type": "text", "body": .string(body), "when": .string(moment.rawValue)]
        case .truncate(let bytes): object = ["type": "truncate", "bytes": .integer(Int64(bytes))]
        case .container(let status, let text):
            object = ["type": "container", "status": .string(status.rawValue)]
            object["text"] = optional(text)
        case .usage(let percent, let minutes):
            object = ["type": "usage", "percent": .integer(percent)]
            object["minutes"] = optional(minutes)
        case .dropAttachment: object = ["type": "drop-attachment"]
        }
        return .object(object)
    }
}

/// The members of a fault, with errors that name their place.
private struct Members {
    private let object: ValueObject
    private let place: String

    /// - Parameter allowed: nil for any.
    init(_ value: Value, place: String, allowed: [String]?) throws {
        guard let object = value.object else {
            throw SandboxError("\(place) is \(value.typeName), not an object.")
        }
        if let allowed, let key = object.keys.first(where: { !allowed.contains($0) }) {
            throw SandboxError("\(place): unknown key '\(key)'. Keys are \(allowed.joined(separator: ", ")).")
        }
        self.object = object
        self.place = place
    }

    func value(_ key: String) -> Value? { object[key] }

    func string(_ key: String) throws -> String {
        guard let text = try optionalString(key) else { throw SandboxError("\(place): '\(key)' is missing.") }
        return text
    }

    func optionalString(_ key: String) throws -> String? {
        guard let value = object[key] else { return nil }
        guard let text = value.string else {
            throw SandboxError("\(place): '\(key)' is \(value.typeName), not a string.")
        }
        return text
    }

    func integer(_ key: String, in range: ClosedRange<Int64> = .min ... .max) throws -> Int64 {
        guard let number = try optionalInteger(key) else { throw SandboxError("\(place): '\(key)' is missing.") }
        guard range.contains(number) else {
            throw SandboxError(
                "\(place): '\(key)' is \(number). It lies between \(range.lowerBound) and \(range.upperBound).")
        }
        return number
    }

    func optionalInteger(_ key: String) throws -> Int64? {
        guard let value = object[key] else { return nil }
        guard let number = value.integer else {
            throw SandboxError("\(place): '\(key)' is \(value.typeName), not a whole number.")
        }
        return number
    }

    func flag(_ key: String) throws -> Bool {
        guard let value = object[key] else { return false }
        guard let flag = value.bool else {
            throw SandboxError("\(place): '\(key)' is \(value.typeName), not true or false.")
        }
        return flag
    }

    func choice<Choice: RawRepresentable<String>>(_ key: String) throws -> Choice? {
        guard let text = try optionalString(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw SandboxError("\(place): '\(key)' cannot be '\(text)'.")
        }
        return choice
    }
}
