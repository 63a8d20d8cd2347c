internal import Values

extension FunctionLibrary {
    /// The functions of GitHub Actions, as its runner has them.
    static let github: [Function] = [
        Function(
            "contains", [.init("search"), .init("item")],
            summary: "Whether a list has an item that equals it, or a text has it inside; case does not count.",
            example: ["contains('Summer menu', 'MENU')", "true"],
            returns: .boolean, contains),
        Function(
            "startsWith", [.init("text", .string), .init("start", .string)],
            summary: "Whether a text begins with another; case does not count.",
            example: ["startsWith('photo.jpg', 'Photo')", "true"], returns: .boolean
        ) { call in .bool(compare(call, CaseFolding.hasPrefix)) },
        Function(
            "endsWith", [.init("text", .string), .init("end", .string)],
            summary: "Whether a text ends with another; case does not count.",
            example: ["endsWith('photo.JPG', '.jpg')", "true"], returns: .boolean
        ) { call in .bool(compare(call, CaseFolding.hasSuffix)) },
        Function(
            "format", [.init("text", .string), .init("value", isOptional: true)], isVariadic: true,
            summary: "The text with {0}, {1} … replaced by the values; {{ and }} stand for braces.",
            example: ["format('{0} of {1}', 3, 12)", "\"3 of 12\""], returns: .string,
            format),
        Function(
            "join", [.init("list"), .init("separator", .string, isOptional: true)],
            summary: "The items of a list as one text, a comma between them unless another separator is given.",
            example: ["join(fromJSON('[1, 2]'), '+')", "\"1+2\""],
            returns: .string, join),
        Function(
            "toJSON", [.init("value")], summary: "The value as indented JSON.", example: ["toJSON(true)", "\"true\""],
            returns: .string
        ) {
            call throws(FunctionError) in
            let text = call[0].json(.indented)
            try call.checkRoom(for: text)
            return .string(text)
        },
        Function(
            "fromJSON", [.init("text", .string)], summary: "The value that a JSON text says.",
            example: ["fromJSON('[1, true]')", "[1,true]"], returns: .any, fromJSON),
        Function(
            "success", [], summary: "Whether everything before has succeeded; what a step without 'if' asks.",
            example: ["success()", "true"],
            returns: .boolean
        ) { call in .bool(call.status == .succeeded) },
        Function(
            "failure", [], summary: "Whether something before has failed.", example: ["failure()", "false"],
            returns: .boolean
        ) { call in
            .bool(call.status == .failed)
        },
        Function(
            "always", [], summary: "True, whatever has happened before.", example: ["always()", "true"],
            returns: .boolean
        ) { _ in .bool(true) },
        Function(
            "cancelled", [], summary: "Whether the run has been canceled.", example: ["cancelled()", "false"],
            returns: .boolean
        ) { call in
            .bool(call.status == .canceled)
        },
    ]

    private static func contains(_ call: FunctionCall) -> Value {
        switch call[0] {
        case .array(let items): .bool(items.contains { $0.looselyEquals(call[1]) })
        case .object: false
        default: .bool(compare(call, CaseFolding.contains))
        }
    }

    /// False when either is a list or an object.
    private static func compare(_ call: FunctionCall, _ test: (String, String) -> Bool) -> Bool {
        !call[0].isCollection && !call[1].isCollection && test(call[0].text, call[1].text)
    }

    private static func join(_ call: FunctionCall) throws(FunctionError) -> Value {
        guard case .array(let items) = call[0] else {
            return .string(call[0].isCollection ? "" : call[0].text)
        }
        let separator = call.arguments.count > 1 && !call[1].isCollection ? call[1].text : ","
        var text = BoundedText(room: call.room)
        for (index, item) in items.enumerated() {
            if index > 0 { try text.append(separator) }
            try text.append(item.text)
        }
        return .string(text.text)
    }

    private static func fromJSON(_ call: FunctionCall) throws(FunctionError) -> Value {
        do throws(JSONError) {
            return try Value(json: call[0].text)
        } catch {
            // The parser's own words may quote the text, which may be a secret.
            let place = error.line > 0 ? " at its line \(error.line), column \(error.column)" : ""
            throw FunctionError(
                "fromJSON was given a text that is not JSON\(place)",
                hint: call[0].text.isEmpty ? "The text is empty." : nil, argument: 0)
        }
    }

    private static func format(_ call: FunctionCall) throws(FunctionError) -> Value {
        let bytes = Array(call[0].text.utf8)
        let open = UInt8(ascii: "{")
        let close = UInt8(ascii: "}")
        var output = BoundedText(room: call.room)
        var copied = 0
        var position = 0
        func take(to end: Int) throws(FunctionError) {
            try output.append(String(decoding: bytes[copied..<end], as: UTF8.self))
        }
        while let brace = bytes[position...].firstIndex(where: { $0 == open || $0 == close }) {
            if brace + 1 < bytes.count, bytes[brace + 1] == bytes[brace] {
                try take(to: brace + 1)
                position = brace + 2
            } else {
                let digits = bytes[(brace + 1)...].prefix { (0x30...0x39).contains($0) }
                guard bytes[brace] == open, let number = UInt8(String(decoding: digits, as: UTF8.self)),
                    digits.endIndex < bytes.count, bytes[digits.endIndex] == close
                else {
                    throw FunctionError(
                        "format was given a text with a brace that stands alone",
                        hint: "Places are written {0}, {1} …; a brace itself is written twice: {{ or }}.", argument: 0)
                }
                guard Int(number) + 1 < call.arguments.count else {
                    throw FunctionError(
                        "format's text names {\(number)}, but there \(valueCount(call.arguments.count - 1)) after it",
                        hint: "The first value is {0}.", argument: 0)
                }
                try take(to: brace)
                try output.append(call[Int(number) + 1].text)
                position = digits.endIndex + 1
            }
            copied = position
        }
        try take(to: bytes.count)
        return .string(output.text)
    }

    private static func valueCount(_ count: Int) -> String {
        count == 0 ? "are no values" : count == 1 ? "is 1 value" : "are \(count) values"
    }
}

/// A text that grows up to a limit.
private struct BoundedText {
    /// In bytes, two for each UTF-16 unit.
    var room: Int
    private(set) var text = ""

    init(room: Int) { self.room = room }

    mutating func append(_ part: String) throws(FunctionError) {
        room -= 2 * part.utf16.count
        guard room >= 0 else { throw .memory }
        text += part
    }
}
