internal import Values

/// `execute`: of VK's language only calls are understood, `return API.wall.get({"count": 1});` and a list of such calls.
extension VKMethods {
    /// VK's limits (SevereCloud/vk-limits).
    private static let maxCalls = 25

    static func execute(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _ context: VKContext
    ) throws -> Value {
        guard let code = call.text("code") else { throw VKError.parameter("code is undefined") }
        let script = try Script(code)
        guard script.calls.count <= maxCalls else {
            throw VKError(code: 13, message: "Runtime error occurred during code invocation: too many api calls")
        }
        var answers: [Value] = []
        // All of it counts as one call.
        var configuration = context.configuration
        configuration.enforceRate = false
        for (method, parameters) in script.calls {
            let inner = VKCall(call, method: method, parameters: parameters)
            do {
                answers.append(try self.call(inner, &state, VKContext(configuration: configuration)))
            } catch let error as VKError {
                answers.append(false)
                state.shelf.executeErrors.append([
                    "method": .string(method), "error_code": .integer(error.code), "error_msg": .string(error.message),
                ])
            }
        }
        return script.isList ? .array(answers) : answers.first ?? .null
    }

    private struct Script {
        var calls: [(method: String, parameters: ValueObject)] = []
        let isList: Bool

        init(_ code: String) throws {
            let broken = VKError(code: 12, message: "Unable to compile code")
            var rest = code.drop { $0.isWhitespace }
            guard rest.hasPrefix("return") else { throw broken }
            rest = rest.dropFirst("return".count).drop { $0.isWhitespace }
            isList = rest.first == "["
            if isList { rest.removeFirst() }
            while let first = rest.first(where: { !$0.isWhitespace && $0 != "," }), first == "A" {
                rest = rest.drop { $0.isWhitespace || $0 == "," }
                guard rest.hasPrefix("API."), let open = rest.firstIndex(of: "(") else { throw broken }
                let method = String(rest[..<open].dropFirst("API.".count))
                rest = rest[rest.index(after: open)...]
                let argument = Self.untilClosed(&rest)
                let text = argument.allSatisfy(\.isWhitespace) ? "{}" : String(argument)
                guard let parameters = try? Value(json: Array(text.utf8)).object else { throw broken }
                calls.append((method, parameters))
            }
            guard !calls.isEmpty || isList else { throw broken }
        }

        /// What stands before the parenthesis that closes the call; `rest` begins after it.
        private static func untilClosed(_ rest: inout Substring) -> Substring {
            var depth = 0
            var isQuoted = false
            var isEscaped = false
            let start = rest.startIndex
            for index in rest.indices {
                let character = rest[index]
                if isQuoted {
                    if isEscaped {
                        isEscaped = false
                    } else if character == "\\" {
                        isEscaped = true
                    } else if character == "\"" {
                        isQuoted = false
                    }
                } else if character == "\"" {
                    isQuoted = true
                } else if character == "(" {
                    depth += 1
                } else if character == ")" {
                    if depth == 0 {
                        defer { rest = rest[rest.index(after: index)...] }
                        return rest[start..<index]
                    }
                    depth -= 1
                }
            }
            defer { rest = rest[rest.endIndex...] }
            return rest
        }
    }
}

extension VKCall {
    /// A call inside `execute`: the same token and version.
    fileprivate init(_ outer: VKCall, method: String, parameters: ValueObject) {
        self.method = method
        let version = outer.parameters.filter { $0.name == "v" }
        self.parameters = version + parameters.map { (name: $0.key, value: $0.value.string ?? $0.value.json()) }
        token = outer.token
        credentials = outer.credentials
        remixstlidCookie = nil
        base = outer.base
        now = outer.now
    }
}
