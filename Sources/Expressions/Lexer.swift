internal import Values

/// A word of the expression language.
struct Token: Sendable {
    enum Kind: Sendable {
        case literal(Value)
        /// A context.
        case name(String)
        /// A name with a parenthesis behind it.
        case function(String)
        /// A name after a dot.
        case member(String)
        /// One of `( ) [ ] , . *`.
        case mark(Unicode.Scalar)
        case not
        case comparison(Node.Comparison)
        case and
        case or
        /// What is no word of the language; with a way to mend it where the mistake is a known one.
        case unexpected(hint: String?)
        case end
    }

    let kind: Kind
    let span: Span

    func isMark(_ mark: Unicode.Scalar) -> Bool { if case .mark(mark) = kind { true } else { false } }
}

/// Cuts an expression into tokens, in the manner of GitHub's runner: a word reaches to the next blank or mark, and only
/// then is it looked at, so that a message names the whole word ("github/workflow").
struct Lexer {
    private let scalars: [Unicode.Scalar]
    private let begin: Int
    private let end: Int
    private var position: Int
    private var last: Token?

    /// - Parameter range: the part of `scalars` that is the expression.
    init(_ scalars: [Unicode.Scalar], in range: Range<Int>) {
        self.scalars = scalars
        begin = range.lowerBound
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next token; `end` again and again at the end.
    mutating func next() -> Token {
        while position < end, scalars[position].properties.isWhitespace { position += 1 }
        let start = position
        let kind = position < end ? read(scalars[position]) : .end
        let token = Token(kind: kind, span: Span(start..<position))
        last = token
        return token
    }

    private mutating func read(_ first: Unicode.Scalar) -> Token.Kind {
        switch first {
        case "(", ")", "[", "]", ",", "*": return readMark(first)
        case ".": return numberMayStart ? readNumber() : readMark(first)
        case "'": return readText()
        case "!", "=", "<", ">", "&", "|": return readOperator(first)
        case "0"..."9" where last?.isMark(".") == true: return readWord()
        case "+", "-", "0"..."9": return readNumber()
        default: return readWord()
        }
    }

    private mutating func readMark(_ mark: Unicode.Scalar) -> Token.Kind {
        position += 1
        return .mark(mark)
    }

    /// Whether a dot here begins a number (`.5`) rather than a member.
    private var numberMayStart: Bool {
        switch last?.kind {
        case nil, .mark(","), .mark("("), .mark("["), .not, .comparison, .and, .or: true
        default: false
        }
    }

    private mutating func readNumber() -> Token.Kind {
        let start = position
        repeat { position += 1 } while position < end && (!isBoundary(scalars[position]) || scalars[position] == ".")
        let number = NumberText.number(from: text(start..<position))
        guard !number.isNaN else {
            if let hint = Lexer.hint(forArithmetic: text(start..<position)) { return .unexpected(hint: hint) }
            return .unexpected(
                hint: "Numbers are written 12, -1.5, 1e3, 0xff or 0o17; a text stands in 'single quotes'.")
        }
        return .literal(number.value)
    }

    /// A quote inside is written twice.
    private mutating func readText() -> Token.Kind {
        var content = String.UnicodeScalarView()
        position += 1
        while position < end {
            let scalar = scalars[position]
            position += 1
            if scalar != "'" {
                content.append(scalar)
            } else if position < end, scalars[position] == "'" {
                content.append("'")
                position += 1
            } else {
                return .literal(.string(String(content)))
            }
        }
        return .unexpected(hint: "The text is not closed: a ' is missing. A quote inside a text is written twice: ''.")
    }

    private mutating func readOperator(_ first: Unicode.Scalar) -> Token.Kind {
        let second = position + 1 < end ? scalars[position + 1] : " "
        let double: Token.Kind? =
            switch (first, second) {
            case ("=", "="): .comparison(.equal)
            case ("!", "="): .comparison(.unequal)
            case ("<", "="): .comparison(.lessOrEqual)
            case (">", "="): .comparison(.greaterOrEqual)
            case ("&", "&"): .and
            case ("|", "|"): .or
            default: nil
            }
        if let double {
            position += 2
            return double
        }
        switch first {
        case "!", "<", ">":
            position += 1
            return first == "!" ? .not : .comparison(first == "<" ? .less : .greater)
        default:
            repeat { position += 1 } while position < end && !isBoundary(scalars[position])
            return .unexpected(
                hint: first == "="
                    ? "Equality is written ==." : first == "&" ? "'And' is written &&." : "'Or' is written ||.")
        }
    }

    private mutating func readWord() -> Token.Kind {
        let start = position
        repeat { position += 1 } while position < end && !isBoundary(scalars[position])
        guard isName(start..<position) else {
            return .unexpected(hint: memberHint(start..<position) ?? Self.hint(forWordOf: scalars[start]))
        }
        let word = text(start..<position)
        if last?.isMark(".") == true { return .member(word) }
        switch word {
        case "null": return .literal(.null)
        case "true": return .literal(.bool(true))
        case "false": return .literal(.bool(false))
        case "NaN": return .literal(.double(.nan))
        case "Infinity": return .literal(.double(.infinity))
        default:
            let next = scalars[position..<end].first { !$0.properties.isWhitespace }
            return next == "(" ? .function(word) : .name(word)
        }
    }

    /// How a member is written whose name is none of the language's: `item['Текст']`. Nil for what is no member.
    private func memberHint(_ range: Range<Int>) -> String? {
        guard let last, last.isMark("."), let first = scalars[range].first,
            first.properties.isAlphabetic || first.properties.numericType != nil || first == "_"
        else { return nil }
        let name = text(range).split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        let dot = last.span.offset
        var start = dot
        while start > begin, scalars[start - 1] == "." || isNamePart(scalars[start - 1]) {
            start -= 1
        }
        let owner = text(start..<dot)
        return "After a dot stands a name of the letters a to z, digits, '_' and '-'. "
            + (owner.isEmpty ? "Write ['\(name)'] in place of '.\(text(range))'." : "Write \(owner)['\(name)'].")
    }

    /// What to do instead of what `word`, a sign, does elsewhere.
    static func hint(forArithmetic word: String) -> String? {
        switch word {
        case "+":
            "Expressions do not calculate: texts are joined by format('{0}{1}', a, b), numbers are added by a program of "
                + "your own (exec.run)."
        case "-", "*", "/", "%": "Expressions do not calculate; a program of your own can (exec.run)."
        default: nil
        }
    }

    private static func hint(forWordOf first: Unicode.Scalar) -> String? {
        switch first {
        case "\"", "\u{201C}", "\u{201D}", "\u{2018}", "\u{2019}", "`": "A text stands in 'single quotes'."
        case "$": "It is one expression: put all of it inside one ${{ … }}, or write it without."
        case "{", "}": "Objects are written with fromJSON('{…}')."
        case "/", "%": hint(forArithmetic: String(first))
        case "^", "~", "?", ":", ";", "\\": "The language has no such operator."
        default: nil
        }
    }

    /// `[A-Za-z_][A-Za-z0-9_-]*`
    private func isName(_ range: Range<Int>) -> Bool {
        range.allSatisfy { isNamePart(scalars[$0]) } && !("0"..."9").contains(scalars[range.lowerBound])
            && scalars[range.lowerBound] != "-"
    }

    private func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_", "0"..."9", "-": true
        default: false
        }
    }

    private func isBoundary(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "(", ")", "[", "]", ",", ".", "!", "=", "<", ">", "&", "|": true
        default: scalar.properties.isWhitespace
        }
    }

    func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
}
