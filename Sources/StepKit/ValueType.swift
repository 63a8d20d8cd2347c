internal import CSSColors
public import Values

/// The type of a parameter or an output.
public indirect enum ValueType: Sendable, Hashable {
    case any
    case string
    /// Text that is one of these.
    case choice([String])
    case integer
    case number
    case boolean
    /// A path; a relative one is taken from the folder of the workflow file.
    case file
    /// An absolute `http` or `https` address.
    case url
    /// "1080x1920", or a name: "story", "square", "portrait", "link".
    case size
    /// A colour of CSS, as "#ff9500", "rgb(255 149 0)", "hsl(35 100% 50%)", "tomato"; or "auto".
    case color
    /// A number of pixels, or a share as "12%".
    case length
    /// "500ms", "30s", "2m", "1h", "3d".
    case duration
    /// An instant as text with a zone, "2026-12-24T18:00:00+03:00", or whole seconds since 1970; fits as the latter.
    case time
    case list(ValueType)
    /// An object with these members and no others.
    case object([Parameter])
    /// An object with any members.
    case map

    /// The type with its article, for messages: "an integer", "a list of texts".
    public var phrase: String {
        switch self {
        case .any: "any value"
        case .string: "text"
        case .choice(let words): "one of " + words.joined(separator: ", ")
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "true or false"
        case .file: "a file's path"
        case .url: "an http or https address"
        case .size: "a size as 1080x1920 or story"
        case .color: "a colour as \"#FF9500\""
        case .length: "a number of pixels or a share as 12%"
        case .duration: "a duration as 30s or 2m"
        case .time: "a time as 2026-12-24T18:00:00+03:00, or seconds since 1970"
        case .list(.any): "a list"
        case .list(let element): "a list, each element " + element.phrase
        case .object: "a mapping"
        case .map: "a mapping"
        }
    }

    /// A short name for tables and schemas.
    public var name: String {
        switch self {
        case .any: "any"
        case .string: "string"
        case .choice: "choice"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .file: "file"
        case .url: "url"
        case .size: "size"
        case .color: "color"
        case .length: "length"
        case .duration: "duration"
        case .time: "time"
        case .list: "list"
        case .object, .map: "object"
        }
    }
}

/// Why a value does not fit a type.
public struct TypeMismatch: Error, Sendable, Hashable {
    /// Where inside the value: members and indices, outermost first.
    public let path: [PathElement]
    /// What was found and what is wanted: "is 'club12', not an integer", "is missing", "is not known here".
    public var problem: String { found.map { "is \($0.quoted), \(complaint)" } ?? complaint }
    /// The value that does not fit; nil where the problem is another.
    public let found: Value?
    /// What is wrong with it: "not an integer".
    public let complaint: String

    public enum PathElement: Sendable, Hashable {
        case member(String)
        case index(Int)
    }

    public init(path: [PathElement] = [], problem: String) {
        self.init(path: path, found: nil, complaint: problem)
    }

    init(path: [PathElement] = [], found: Value?, complaint: String) {
        self.path = path
        self.found = found
        self.complaint = complaint
    }

    func inside(_ element: PathElement) -> TypeMismatch {
        TypeMismatch(path: [element] + path, found: found, complaint: complaint)
    }

    /// The problem with what was found as its author wrote it: "is 0x10, not a size as 1080x1920".
    public func problem(writtenAs text: String) -> String {
        switch found {
        case .bool, .integer, .double: "is \(text), \(complaint)"
        default: problem
        }
    }

    /// The path as an author writes it: "background.top", "texts[0].at".
    public var pathText: String {
        path.reduce(into: "") { text, element in
            switch element {
            case .member(let name): text += text.isEmpty ? name : "." + name
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}

extension ValueType {
    /// The value as this type has it: a whole number written as text becomes an integer, 0 and 1 become booleans, a
    /// single value is not made a list. Null fits everywhere: it means "not given".
    public func fit(_ value: Value) throws(TypeMismatch) -> Value {
        if value.isNull { return .null }
        switch self {
        case .any: return value
        case .string, .file, .url, .color:
            switch value {
            case .string: return try checkText(value)
            case .integer, .double, .bool:
                guard self == .string else { throw mismatch(value) }
                return .string(value.plainText)
            default: throw mismatch(value)
            }
        case .choice(let words):
            guard let text = value.string, words.contains(text) else { throw mismatch(value) }
            return value
        case .integer:
            if let integer = value.integer { return .integer(integer) }
            if let text = value.string, let integer = Int64(text) { return .integer(integer) }
            throw mismatch(value)
        case .number:
            switch value {
            case .integer, .double: return value
            case .string(let text):
                guard let number = Double(text), number.isFinite else { throw mismatch(value) }
                return Int64(text).map(Value.integer) ?? .double(number)
            default: throw mismatch(value)
            }
        case .boolean:
            switch value {
            case .bool: return value
            case .integer(0), .string("false"): return .bool(false)
            case .integer(1), .string("true"): return .bool(true)
            default: throw mismatch(value)
            }
        case .size:
            guard let text = value.string, PixelSize.names.contains(text) || PixelSize(text: text) != nil else {
                throw mismatch(value)
            }
            return value
        case .length:
            switch value {
            case .integer, .double: return value
            case .string(let text):
                let digits = text.hasSuffix("%") ? text.dropLast() : text.hasSuffix("px") ? text.dropLast(2) : text[...]
                guard let number = Double(digits), number.isFinite else { throw mismatch(value) }
                return value
            default: throw mismatch(value)
            }
        case .duration:
            guard let text = value.string, Duration(text: text) != nil else { throw mismatch(value) }
            return value
        case .time:
            if let seconds = value.integer ?? value.string.flatMap({ Int64($0) }) { return .integer(seconds) }
            guard let time = value.string.flatMap({ Timestamp(iso8601: $0) }) else { throw mismatch(value) }
            return .integer(time.seconds)
        case .list(let element):
            guard let elements = value.array else { throw mismatch(value) }
            var fitted: [Value] = []
            for (index, one) in elements.enumerated() {
                do { fitted.append(try element.fit(one)) } catch { throw error.inside(.index(index)) }
            }
            return .array(fitted)
        case .map:
            guard value.object != nil else { throw mismatch(value) }
            return value
        case .object(let parameters):
            guard let object = value.object else { throw mismatch(value) }
            return .object(try parameters.fit(object))
        }
    }

    private func checkText(_ value: Value) throws(TypeMismatch) -> Value {
        guard case .string(let text) = value else { throw mismatch(value) }
        switch self {
        case .url where !(text.hasPrefix("http://") || text.hasPrefix("https://")): throw mismatch(value)
        case .color where text != "auto" && (try? CSSColor(text)) == nil: throw mismatch(value)
        case .file where text.isEmpty: throw TypeMismatch(problem: "is empty, not a file's path")
        default: return value
        }
    }

    private func mismatch(_ value: Value) -> TypeMismatch {
        TypeMismatch(found: value, complaint: "not \(phrase)")
    }
}

extension [Parameter] {
    /// The object with every member fitted to its parameter. Members that are null count as not given.
    public func fit(_ object: ValueObject) throws(TypeMismatch) -> ValueObject {
        var fitted = ValueObject()
        for (name, value) in object {
            guard let parameter = first(where: { $0.name == name }) else {
                throw TypeMismatch(path: [.member(name)], problem: "is not known here")
            }
            do { fitted[name] = try parameter.type.fit(value) } catch { throw error.inside(.member(name)) }
        }
        for parameter in self where fitted[parameter.name] == nil || fitted[parameter.name] == .null {
            if let value = parameter.defaultValue {
                fitted[parameter.name] = value
            } else if parameter.isRequired {
                throw TypeMismatch(path: [.member(parameter.name)], problem: "is missing")
            }
        }
        return fitted
    }
}

/// Width and height in pixels.
public struct PixelSize: Sendable, Hashable {
    public let width: Int
    public let height: Int

    /// The names that stand for a size; what they stand for is known to what draws.
    public static let names = ["story", "square", "portrait", "link"]

    /// Reads "1080x1920"; nil unless both are whole numbers from 1 to 99,999.
    public init?(text: String) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...5).contains($0.utf8.count) }),
            let width = UInt(parts[0]), let height = UInt(parts[1]), width > 0, height > 0
        else { return nil }
        self.width = Int(width)
        self.height = Int(height)
    }
}

extension Value {
    /// The value as an author would write it, in quotes where it is text; long ones cut. For messages.
    public var quoted: String {
        switch self {
        case .string(let text): "'" + (text.count > 60 ? text.prefix(57) + "…" : text[...]) + "'"
        case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
        case .object: "a mapping"
        default: plainText
        }
    }

    /// Text for a scalar; JSON for the rest.
    var plainText: String { string ?? json() }
}
