internal import CJansson

/// Why a text is not JSON, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the parser says.
    public let message: String
    /// From 1; 0 when the place is not known.
    public let line: Int
    /// From 1, in characters; 0 when the place is not known.
    public let column: Int

    public var description: String { line > 0 ? "\(message) (line \(line), column \(column))" : message }
}

extension Value {
    /// Reads one JSON text (RFC 8259), by jansson: any type at the top, members in their order, whole numbers up to 64
    /// bits exact, larger ones as doubles. At most `maxJSONDepth` levels deep.
    ///
    /// - Throws: for a text that is not JSON or not UTF-8, a key that occurs twice, rubbish after the value,
    ///   or too deep nesting.
    public init(json text: String) throws(JSONError) { try self.init(json: Array(text.utf8)) }

    public init(json bytes: [UInt8]) throws(JSONError) {
        try Value.checkDepth(of: bytes)
        var failure = json_error_t()
        let flags = Int(JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES)
        func load(_ more: Int) -> UnsafeMutablePointer<json_t>? {
            bytes.withUnsafeBytes { json_loadb($0.baseAddress, $0.count, flags | more, &failure) }
        }
        var root = load(0)
        if root == nil, pasteup_json_error_is_overflow(&failure) != 0 { root = load(Int(JSON_DECODE_INT_AS_REAL)) }
        guard let root else {
            let message = withUnsafePointer(to: &failure.text) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(JSON_ERROR_TEXT_LENGTH)) { String(cString: $0) }
            }
            throw JSONError(
                message: message.isEmpty ? "not JSON" : message, line: max(0, Int(failure.line)),
                column: max(0, Int(failure.column)))
        }
        defer { json_decref(root) }
        self.init(root)
    }

    /// The levels of lists and objects that are read: more than services send, and few enough for every walk through a
    /// value, its release included, to fit a stack of 512 KiB. RFC 8259 §9 allows a limit.
    public static let maxJSONDepth = 256

    /// Throws where the nesting gets too deep, before anything is built.
    private static func checkDepth(of bytes: [UInt8]) throws(JSONError) {
        var depth = 0
        var isInText = false
        var isEscaped = false
        for (position, byte) in bytes.enumerated() {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth > maxJSONDepth else { continue }
                let lines = bytes[..<position].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                let column = String(decoding: lines[lines.count - 1], as: UTF8.self).unicodeScalars.count + 1
                throw JSONError(
                    message: "nested deeper than \(maxJSONDepth) levels", line: lines.count, column: column)
            default: break
            }
        }
    }

    private init(_ node: UnsafeMutablePointer<json_t>) {
        switch pasteup_json_type(node) {
        case JSON_OBJECT:
            var object = ValueObject()
            var position = json_object_iter(node)
            while let current = position {
                let key = String(
                    decoding: UnsafeRawBufferPointer(
                        start: json_object_iter_key(current), count: json_object_iter_key_len(current)), as: UTF8.self)
                object[key] = Value(json_object_iter_value(current))
                position = json_object_iter_next(node, current)
            }
            self = .object(object)
        case JSON_ARRAY:
            self = .array((0..<json_array_size(node)).map { Value(json_array_get(node, $0)) })
        case JSON_STRING:
            self = .string(
                String(
                    decoding: UnsafeRawBufferPointer(start: json_string_value(node), count: json_string_length(node)),
                    as: UTF8.self))
        case JSON_INTEGER: self = .integer(json_integer_value(node))
        case JSON_REAL: self = .double(json_real_value(node))
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        default: self = .null
        }
    }
}
