internal import Patterns
internal import Values

extension FunctionLibrary {
    /// Functions of texts. Null is the empty text; a list or an object is refused.
    static let text: [Function] = [
        Function(
            "truncate",
            [.init("text", .string), .init("length", .integer), .init("ending", .string, isOptional: true)],
            summary: "The text, cut to so many characters as people count them: an emoji is one, and is never split. "
                + "What is cut ends in '…', or the ending given, which counts; blanks before it go.",
            example: ["truncate('Good morning 👨‍👩‍👧', 6)", "\"Good…\""], returns: .string, truncate),
        Function(
            "replace", [.init("text", .string), .init("search", .string), .init("replacement", .string)],
            summary: "The text with another in place of every occurrence; case counts.",
            example: ["replace('a-b-c', '-', ' ')", "\"a b c\""], returns: .string, replace),
        Function(
            "lower", [.init("text", .string)], summary: "The text in lower case.",
            example: ["lower('ПРИВЕТ')", "\"привет\""], returns: .string
        ) { call throws(FunctionError) in try call.result(try call.text(0).lowercased()) },
        Function(
            "upper", [.init("text", .string)], summary: "The text in upper case.",
            example: ["upper('Straße')", "\"STRASSE\""], returns: .string
        ) { call throws(FunctionError) in try call.result(try call.text(0).uppercased()) },
        Function(
            "trim", [.init("text", .string)], summary: "The text without blanks and line breaks at its ends.",
            example: ["trim('  Hello ')", "\"Hello\""], returns: .string
        ) { call throws(FunctionError) in .string(try call.text(0).trimmed) },
        Function(
            "split", [.init("text", .string), .init("separator", .string)],
            summary: "The parts of a text between separators, as a list; an empty text has none.",
            example: ["split('a,b,,c', ',')", "[\"a\",\"b\",\"\",\"c\"]"], returns: .list(of: .string), split),
        Function(
            "lines", [.init("text", .string)],
            summary: "The lines of a text, as a list; empty lines between others stay, one at the end does not count.",
            example: ["lines(format('one{0}two', fromJSON('\"\\n\"')))", "[\"one\",\"two\"]"],
            returns: .list(of: .string), lines),
        Function(
            "basename", [.init("path", .string), .init("ending", .string, isOptional: true)],
            summary: "The last part of a path, without the ending if it has that one.",
            example: ["basename('photos/cat.jpg', '.jpg')", "\"cat\""], returns: .string, basename),
        Function(
            "urlencode", [.init("text", .string)],
            summary: "The text as a part of an address: all but letters, digits and -._~ of ASCII as %XX.",
            example: ["urlencode('кот & co')", "\"%D0%BA%D0%BE%D1%82%20%26%20co\""], returns: .string
        ) { call throws(FunctionError) in try call.result(percentEncoded(try call.text(0))) },
        Function(
            "hashtags", [.init("text", .string)],
            summary:
                "The hashtags of a text, each once, as a list: letters of any alphabet, digits and '_' after a '#' "
                + "that does not stand in a word; not digits alone.",
            example: ["hashtags('Tea#1 for #two, #Два_чая and #2')", "[\"#two\",\"#Два_чая\"]"],
            returns: .list(of: .string), hashtags),
        Function(
            "matches", [.init("text", .string), .init("pattern", .string, check: checkPattern)],
            summary: "Whether a regular expression occurs in a text; ^ and $ stand for its ends, (?i) at the beginning "
                + "makes case not count.",
            example: ["matches('club-12', '^[a-z]+-\\d+$')", "true"], returns: .boolean, matches),
    ]

    private static func truncate(_ call: FunctionCall) throws(FunctionError) -> Value {
        let text = try call.text(0)
        guard !call[1].isCollection, let length = call[1].number.value.integer, length >= 0 else {
            throw FunctionError("truncate wants a whole number from 0 as 'length'", argument: 1)
        }
        let ending = call.arguments.count > 2 ? try call.text(2) : "…"
        guard let limit = Int(exactly: length), text.count > limit else { return .string(text) }
        guard ending.count <= limit else { return .string(String(text.prefix(limit))) }
        var kept = text.prefix(limit - ending.count)
        if !ending.isEmpty { while kept.last?.isWhitespace == true { kept.removeLast() } }
        return .string(kept + ending)
    }

    private static func replace(_ call: FunctionCall) throws(FunctionError) -> Value {
        let parts = try pieces(of: try call.text(0), between: try call.text(1))
        let replacement = try call.text(2)
        let size = parts.reduce((parts.count - 1) * replacement.utf16.count) { $0 + $1.utf16.count }
        guard 2 * size <= call.room else { throw .memory }
        return .string(parts.joined(separator: replacement))
    }

    private static func split(_ call: FunctionCall) throws(FunctionError) -> Value {
        let text = try call.text(0)
        let separator = try call.text(1)
        guard !separator.isEmpty else {
            throw FunctionError(
                "split was given an empty separator", hint: "Write the text between the parts.", argument: 1)
        }
        if text.isEmpty { return .array([]) }
        return .array(try pieces(of: text, between: separator).map(Value.string))
    }

    /// What stands between the occurrences of a text, compared byte for byte; the whole where it is empty.
    private static func pieces(of text: String, between separator: String) throws(FunctionError) -> [String] {
        let bytes = Array(text.utf8)
        let mark = Array(separator.utf8)
        guard let first = mark.first, mark.count <= bytes.count else { return [text] }
        var pieces: [String] = []
        var start = 0
        var index = 0
        while index + mark.count <= bytes.count {
            if bytes[index] == first, bytes[index..<index + mark.count].elementsEqual(mark) {
                pieces.append(String(decoding: bytes[start..<index], as: UTF8.self))
                index += mark.count
                start = index
            } else {
                index += 1
            }
        }
        pieces.append(String(decoding: bytes[start...], as: UTF8.self))
        return pieces
    }

    private static func lines(_ call: FunctionCall) throws(FunctionError) -> Value {
        var lines = try call.text(0).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return .array(lines.map { .string(String($0)) })
    }

    private static func basename(_ call: FunctionCall) throws(FunctionError) -> Value {
        var path = Substring(try call.text(0)).utf8
        while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        let name =
            path.lastIndex(of: UInt8(ascii: "/")).map { path.count > 1 ? path[path.index(after: $0)...] : path } ?? path
        let ending = try call.text(1)
        let hasEnding =
            !ending.isEmpty && name.count > ending.utf8.count
            && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
        return .string(String(Substring(hasEnding ? name.dropLast(ending.utf8.count) : name)))
    }

    private static func hashtags(_ call: FunctionCall) throws(FunctionError) -> Value {
        let scalars = Array(try call.text(0).unicodeScalars)
        var tags: [Value] = []
        var seen: Set<String> = []
        var index = 0
        while index < scalars.count {
            let isBeginning = scalars[index] == "#" && (index == 0 || !scalars[index - 1].isOfTag)
            index += 1
            guard isBeginning else { continue }
            let tag = scalars[index...].prefix(while: \.isOfTag)
            index = tag.endIndex
            guard tag.contains(where: \.properties.isAlphabetic) else { continue }
            let name = "#" + String(String.UnicodeScalarView(tag))
            if seen.insert(CaseFolding.fold(name)).inserted { tags.append(.string(name)) }
        }
        return .array(tags)
    }

    @Sendable private static func checkPattern(_ text: String) -> FunctionError? {
        do throws(Pattern.Fault) {
            _ = try Pattern(text)
            return nil
        } catch {
            return patternError(error)
        }
    }

    private static func patternError(_ fault: Pattern.Fault) -> FunctionError {
        FunctionError(
            "\(fault.message), at position \(fault.offset + 1) of the pattern", hint: fault.fix, argument: 1,
            position: fault.offset)
    }

    private static func matches(_ call: FunctionCall) throws(FunctionError) -> Value {
        let pattern: Pattern
        let source = try call.text(1)
        do throws(Pattern.Fault) { pattern = try Pattern(source) } catch { throw patternError(error) }
        guard let occurs = pattern.occurs(in: try call.text(0)) else {
            throw FunctionError(
                "the pattern takes too long on a text of this length", hint: "Write smaller numbers of repetitions.",
                argument: 1)
        }
        return .bool(occurs)
    }
}

extension Unicode.Scalar {
    /// Whether it may stand in a hashtag: a letter or a mark of one, a digit, `_`.
    fileprivate var isOfTag: Bool {
        if self == "_" { return true }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        let scalars = Array(unicodeScalars)
        return String(String.UnicodeScalarView(scalars[scalars.trimmed(0..<scalars.count)]))
    }
}

extension FunctionCall {
    /// The argument as text; empty where it is null or left out.
    func text(_ index: Int) throws(FunctionError) -> String {
        guard !self[index].isCollection else {
            throw FunctionError(
                "a text is wanted here, and this is \(self[index].array == nil ? "an object" : "a list")",
                hint: "Name a member or an item of it, or write join(…) or toJSON(…).", argument: index)
        }
        return self[index].text
    }

    func result(_ text: String) throws(FunctionError) -> Value {
        try checkRoom(for: text)
        return .string(text)
    }
}
