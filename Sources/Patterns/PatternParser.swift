/// The tree of a pattern.
indirect enum PatternNode {
    case empty
    case take(CharacterSet)
    case require(Assertion)
    case sequence([PatternNode])
    case either([PatternNode])
    /// Offset is that of what says how often, for messages.
    case `repeat`(PatternNode, least: Int, most: Int?, offset: Int)
}

/// Reads a pattern.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private(set) var ignoresCase = false

    private static let maxDepth = 50
    private static let maxCount = 1000

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func parse() throws(Pattern.Fault) -> PatternNode {
        guard scalars.count <= Pattern.maxLength else {
            throw fault("the pattern is longer than \(Pattern.maxLength) characters", at: Pattern.maxLength)
        }
        if scalars.starts(with: Array("(?i)".unicodeScalars)) {
            ignoresCase = true
            index = 4
        }
        let node = try either()
        guard index == scalars.count else {
            throw fault("there is a ')' without its '('", "Write '\\)' for the character itself.", at: index)
        }
        return node
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func fault(_ message: String, _ fix: String? = nil, at offset: Int) -> Pattern.Fault {
        Pattern.Fault(message: message, fix: fix, offset: offset)
    }

    private mutating func either() throws(Pattern.Fault) -> PatternNode {
        var branches = [try sequence()]
        while next == "|" {
            index += 1
            branches.append(try sequence())
        }
        return branches.count == 1 ? branches[0] : .either(branches)
    }

    private mutating func sequence() throws(Pattern.Fault) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" { nodes.append(try repeated(try atom(scalar))) }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func repeated(_ node: PatternNode) throws(Pattern.Fault) -> PatternNode {
        let start = index
        guard let count = try count() else { return node }
        if case .require = node {
            throw fault("an edge cannot be repeated", "Remove the sign that repeats it.", at: start)
        }
        if next == "?" { index += 1 }
        if let sign = next, "*+?{".unicodeScalars.contains(sign) {
            throw fault("'\(sign)' repeats what is repeated already", "Put a group around it: (?:…)\(sign)", at: index)
        }
        return .repeat(node, least: count.least, most: count.most, offset: start)
    }

    /// Reads how often; nil where nothing says it.
    private mutating func count() throws(Pattern.Fault) -> (least: Int, most: Int?)? {
        switch next {
        case "*": index += 1; return (0, nil)
        case "+": index += 1; return (1, nil)
        case "?": index += 1; return (0, 1)
        case "{": return try bracedCount()
        default: return nil
        }
    }

    private mutating func bracedCount() throws(Pattern.Fault) -> (least: Int, most: Int?) {
        let start = index
        index += 1
        let malformed = fault(
            "the brace does not say how often", "Write {3}, {2,} or {2,5}, or '\\{' for the character itself.",
            at: start)
        guard let least = number() else { throw malformed }
        var most: Int? = least
        if next == "," {
            index += 1
            most = number()
        }
        guard next == "}" else { throw malformed }
        index += 1
        guard least <= Self.maxCount, most ?? 0 <= Self.maxCount else {
            throw fault("nothing can be repeated more than \(Self.maxCount) times", at: start)
        }
        guard least <= most ?? least else { throw fault("the smaller number comes first", at: start) }
        return (least, most)
    }

    private mutating func number() -> Int? {
        let start = index
        while let scalar = next, ("0"..."9").contains(scalar), index - start < 6 { index += 1 }
        return Int(String(String.UnicodeScalarView(scalars[start..<index])))
    }

    private mutating func atom(_ scalar: Unicode.Scalar) throws(Pattern.Fault) -> PatternNode {
        let start = index
        index += 1
        switch scalar {
        case ".": return .take(.anyButLineBreak)
        case "^": return .require(.start)
        case "$": return .require(.end)
        case "(": return try group(from: start)
        case "[": return .take(try set(from: start))
        case "\\": return try escape(from: start)
        case "*", "+", "?":
            throw fault(
                "there is nothing before '\(scalar)' that it repeats", "Write '\\\(scalar)' for the character itself.",
                at: start)
        case "{":
            throw fault(
                "there is nothing before '{' that it repeats", "Write '\\{' for the character itself.", at: start)
        default: return .take(.only(scalar))
        }
    }

    private mutating func group(from start: Int) throws(Pattern.Fault) -> PatternNode {
        if next == "?" {
            guard index + 1 < scalars.count, scalars[index + 1] == ":" else {
                throw fault(
                    "this kind of group cannot be had",
                    "There are (…) and (?:…), and (?i) at the very beginning; looking around is no part of it.",
                    at: start)
            }
            index += 2
        }
        depth += 1
        guard depth <= Self.maxDepth else {
            throw fault("groups are nested deeper than \(Self.maxDepth) levels", at: start)
        }
        let node = try either()
        guard next == ")" else {
            throw fault("the group that begins here is not closed", "Write '\\(' for the character itself.", at: start)
        }
        index += 1
        depth -= 1
        return node
    }

    /// What stands behind a backslash outside of brackets.
    private mutating func escape(from start: Int) throws(Pattern.Fault) -> PatternNode {
        if next == "b" || next == "B" {
            index += 1
            return .require(scalars[index - 1] == "b" ? .wordEdge : .noWordEdge)
        }
        if let digit = next, ("1"..."9").contains(digit) {
            throw fault(
                "a group cannot be referred to", "Such a pattern would take too long on some texts.", at: start)
        }
        return .take(CharacterSet(parts: [try escapedPart(from: start)]))
    }

    private mutating func escapedPart(from start: Int) throws(Pattern.Fault) -> CharacterSet.Part {
        guard let scalar = next else {
            throw fault("the pattern ends with a '\\'", "Write '\\\\' for the character itself.", at: start)
        }
        index += 1
        switch scalar {
        case "d": return .digit
        case "D": return .notDigit
        case "w": return .word
        case "W": return .notWord
        case "s": return .blank
        case "S": return .notBlank
        case "n": return .range(0x0A...0x0A)
        case "r": return .range(0x0D...0x0D)
        case "t": return .range(0x09...0x09)
        case "p", "P": return try category(from: start, isNegated: scalar == "P")
        case "x", "u":
            let value = try hexadecimal(scalar == "x" ? 2 : 4, from: start)
            return .range(value...value)
        default:
            guard !scalar.isWord else {
                throw fault("'\\\(scalar)' has no meaning", "Write '\(scalar)' for the character itself.", at: start)
            }
            return .range(scalar.value...scalar.value)
        }
    }

    /// `2e`, `0416` or `{1F600}`.
    private mutating func hexadecimal(_ digits: Int, from start: Int) throws(Pattern.Fault) -> UInt32 {
        let text: String
        if next == "{", let end = scalars[index...].firstIndex(of: "}") {
            text = String(String.UnicodeScalarView(scalars[(index + 1)..<end]))
            index = end + 1
        } else {
            let end = min(index + digits, scalars.count)
            text = String(String.UnicodeScalarView(scalars[index..<end]))
            index = end
            if text.count < digits { throw fault("a character's number is cut off", at: start) }
        }
        guard text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16), Unicode.Scalar(value) != nil else {
            throw fault("this is no character's number", "Write \\x2e, \\u0416 or \\u{1F600}.", at: start)
        }
        return value
    }

    private mutating func category(from start: Int, isNegated: Bool) throws(Pattern.Fault) -> CharacterSet.Part {
        var name = next.map { String($0) } ?? ""
        if next == "{", let end = scalars[index...].firstIndex(of: "}") {
            name = String(String.UnicodeScalarView(scalars[(index + 1)..<end]))
            index = end
        }
        index += 1
        guard let categories = generalCategories(named: name) else {
            throw fault(
                "there is no category '\(name)'",
                "Categories are Unicode's: \\p{L} for letters, \\p{Lu}, \\p{N}, \\p{P} …",
                at: start)
        }
        return .category(categories, isNegated: isNegated)
    }

    /// What stands in brackets.
    private mutating func set(from start: Int) throws(Pattern.Fault) -> CharacterSet {
        var set = CharacterSet(parts: [])
        if next == "^" {
            set.isNegated = true
            index += 1
        }
        let first = index
        while let scalar = next, scalar != "]" || index == first {
            let partStart = index
            let part = try setPart(scalar)
            guard next == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
                set.parts.append(part)
                continue
            }
            index += 1
            guard let last = next, case .range(let low) = part, case .range(let high) = try setPart(last) else {
                throw fault(
                    "a range goes from one character to another", "Write '\\-' for the character itself.", at: partStart
                )
            }
            guard low.lowerBound <= high.lowerBound else {
                throw fault("the range goes backwards", "The lower character comes first.", at: partStart)
            }
            set.parts.append(.range(low.lowerBound...high.lowerBound))
        }
        guard next == "]" else {
            throw fault("the bracket that opens here is not closed", "Write '\\[' for the character itself.", at: start)
        }
        index += 1
        return set
    }

    private mutating func setPart(_ scalar: Unicode.Scalar) throws(Pattern.Fault) -> CharacterSet.Part {
        let start = index
        index += 1
        return scalar == "\\" ? try escapedPart(from: start) : .range(scalar.value...scalar.value)
    }
}
