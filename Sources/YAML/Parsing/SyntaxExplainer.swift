internal import Diagnostics

/// Says in an author's words what libyaml found wrong.
///
/// libyaml stops at the first token that does not fit, often lines after the fault, and speaks of tokens. The problem's
/// name and the text around it tell which of the common mistakes it was.
struct SyntaxExplainer {
    let fault: SyntaxFault
    let source: SourceText

    var diagnostic: Diagnostic {
        if let tab = tabInIndentation() { return tab }
        if let expression = unquotedExpression() { return expression }
        switch fault.context {
        case "while scanning a quoted scalar", "while parsing a quoted scalar": return quotedText()
        case "while scanning an anchor", "while scanning an alias", "while scanning a tag", "while parsing a tag":
            return indicator(at: fault.contextPlace ?? fault.place)
        case "while scanning a block scalar": return blockText()
        case "while scanning a directive": return directive()
        case "while scanning a simple key": return missingColon(at: fault.contextPlace ?? fault.place)
        default: break
        }
        switch fault.problem {
        case "found character that cannot start any token": return indicator(at: fault.place)
        case "mapping values are not allowed in this context": return unexpectedColon()
        case "block sequence entries are not allowed in this context":
            return error(
                fault.place, 1, "a list cannot begin here", why: "Its items stand below the key, one on a line",
                fix: "Begin a new line before '-', or put a text that begins with '-' in quotes")
        case "did not find expected key", "did not find expected '-' indicator": return indentation()
        case "did not find expected ',' or ']'", "did not find expected ',' or '}'": return unclosed()
        case "did not find expected node content": return missingValue()
        case "found undefined tag handle": return indicator(at: fault.place)
        case "did not find expected <document start>":
            return error(
                fault.place, 1, "the file goes on after its value has ended",
                fix: "Check the quotes and the indentation of the lines before it")
        default: return unknown()
        }
    }

    // MARK: Mistakes that show in the line

    private func tabInIndentation() -> Diagnostic? {
        let isAtTab = scalar(at: fault.place) == "\t"
        switch fault.problem {
        case "found character that cannot start any token" where isAtTab: break
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            break
        case "mapping values are not allowed in this context", "did not find expected key",
            "could not find expected ':'", "did not find expected '-' indicator":
            break
        default: return nil
        }
        for line in [fault.place.line, fault.contextPlace?.line].compactMap({ $0 }) {
            let blanks = scalars(line).prefix { $0 == " " || $0 == "\t" }
            guard let tab = blanks.firstIndex(of: "\t") else { continue }
            let length = blanks[tab...].prefix { $0 == "\t" }.count
            return error(
                Mark(line: line, column: tab + 1), length, "a tab is used for indentation",
                why: "YAML indents with blanks only", fix: "Replace each tab with two blanks")
        }
        return nil
    }

    /// `{ owner_id: ${{ inputs.wall }} }` and the like: the braces begin mappings.
    private func unquotedExpression() -> Diagnostic? {
        let line = scalars(fault.place.line)
        guard let start = firstUnquotedExpression(in: line) else { return nil }
        let place = Mark(line: fault.place.line, column: start + 1)
        switch fault.problem {
        case "did not find expected ',' or ']'", "did not find expected ',' or '}'",
            "did not find expected node content":
            let length = expressionLength(in: line, from: start)
            let expression = String(String.UnicodeScalarView(line[start..<(start + length)]))
            return error(
                place, length, "an expression inside brackets or braces is not quoted",
                why: "Its braces clash with those of YAML", fix: "Write it in quotes: \(Quoting.quoted(expression))")
        case "mapping values are not allowed in this context", "did not find expected key",
            "did not find expected <document start>":
            let value = valueStart(in: line, before: start + 1) ?? start
            let text = Quoting.rest(substring(fault.place.line), from: value + 1)
            return error(
                Mark(line: fault.place.line, column: value + 1), text.unicodeScalars.count,
                "a value with an expression is not quoted",
                why: "Braces, ': ' and ' #' in it mean something else in YAML",
                fix: "Write it in quotes: \(Quoting.quoted(text))")
        default: return nil
        }
    }

    private func indicator(at place: Mark) -> Diagnostic {
        guard let scalar = scalar(at: place) else { return unknown() }
        switch scalar {
        case "@", "`", "%", "!", "&", "*":
            let text = Quoting.rest(substring(place.line), from: place.column)
            return error(
                place, 1, "a text cannot begin with '\(scalar)' without quotes",
                why: Self.meaning[scalar],
                fix: SecretLine.isOne(substring(place.line))
                    ? "Write it in quotes" : "Write it in quotes: \(Quoting.quoted(text))")
        case "|", ">":
            return error(
                place, 1, "a block text ('\(scalar)') cannot stand inside brackets",
                fix: "Write the text in double quotes, with \\n where a line ends")
        default: return unknown()
        }
    }

    private static let meaning: [Unicode.Scalar: String] = [
        "@": "YAML reserves '@'", "`": "YAML reserves the backtick", "%": "It begins a directive",
        "!": "It begins a tag", "&": "It begins an anchor", "*": "It begins an alias",
    ]

    private func unexpectedColon() -> Diagnostic {
        let line = scalars(fault.place.line)
        if let value = valueStart(in: line, before: fault.place.column) {
            let text = Quoting.rest(substring(fault.place.line), from: value + 1)
            return error(
                fault.place, 1, "': ' stands inside a text without quotes", why: "It separates a key from its value",
                fix: SecretLine.isOne(substring(fault.place.line))
                    ? "Write the whole text in quotes" : "Write the text in quotes: \(Quoting.quoted(text))")
        }
        if let above = lineAbove(fault.place.line), !hasColon(above) {
            let indent = scalars(above).prefix { $0 == " " }.count
            return missingColon(at: Mark(line: above, column: indent + 1))
        }
        let indent = line.prefix { $0 == " " }.count
        return error(
            Mark(line: fault.place.line, column: indent + 1), fault.place.column - indent - 1,
            "a key cannot stand here", why: "The key above it has a value already",
            fix: "Indent it like the key it belongs beside, or remove the value above it")
    }

    private func missingColon(at place: Mark) -> Diagnostic {
        let text = Quoting.rest(substring(place.line), from: place.column)
        let fix: String
        if let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex, text.first != "\"" {
            let value = SecretLine.isOne(text) ? "…" : text[text.index(after: colon)...]
            fix = "Put a blank after the colon: '\(text[...colon]) \(value)'"
        } else {
            fix = "Write 'key: value'; if it belongs to the text above, indent it further"
        }
        return error(place, text.unicodeScalars.count, "this line is not a key with a value", fix: fix)
    }

    // MARK: Texts

    private func quotedText() -> Diagnostic {
        let start = fault.contextPlace ?? fault.place
        let escape = escapeBeforeFault()
        switch fault.problem {
        case "found unexpected end of stream", "found unexpected document indicator":
            let isSingle = scalar(at: start) == "'"
            return error(
                start, 1, "the quotation mark is never closed",
                why: isSingle ? "Inside single quotes an apostrophe is written twice" : nil,
                fix: isSingle ? "Close it with ', and write '' for an apostrophe" : "Close it with \"")
        case "found unknown escape character":
            let letters = scalars(fault.place.line).dropFirst(fault.place.column - 1).prefix(2)
            return error(
                fault.place, 2, "'\(String(String.UnicodeScalarView(letters)))' is not an escape that YAML knows",
                why: "In double quotes a backslash begins an escape",
                fix: "Write \\\\ for a backslash, or use single quotes, where it means itself")
        case "found invalid Unicode character escape code":
            return error(
                escape.place, escape.length, "the escape is not a Unicode character",
                why: "Halves of surrogate pairs, as JSON has them, are none",
                fix: "Write the character itself, or its number with eight digits: \\U0001F600")
        case "did not find expected hexdecimal number":
            return error(
                escape.place, 2, "the escape lacks digits", why: "\\x takes 2 hexadecimal digits, \\u 4, \\U 8",
                fix: "Write all of them, or \\\\ for a backslash")
        default: return unknown()
        }
    }

    /// libyaml stops behind `\x`, `\u` or `\U` when the digits are wrong.
    private func escapeBeforeFault() -> (place: Mark, length: Int) {
        let place = Mark(line: fault.place.line, column: max(1, fault.place.column - 2))
        let digits: [Unicode.Scalar: Int] = ["x": 2, "u": 4, "U": 8]
        let letter = scalar(at: Mark(line: place.line, column: place.column + 1))
        return (place, 2 + (letter.flatMap { digits[$0] } ?? 0))
    }

    private func blockText() -> Diagnostic {
        switch fault.problem {
        case "did not find expected comment or line break":
            return error(
                fault.place, 1, "a block text begins on the line below '|' or '>'",
                fix: "Move the text to the next line and indent it, or put it in quotes")
        case "found an indentation indicator equal to 0":
            return error(
                fault.place, 1, "the indentation of a block text cannot be 0", why: "It is 1 to 9", fix: "Leave it out")
        default: return unknown()
        }
    }

    private func directive() -> Diagnostic {
        let place = fault.contextPlace ?? fault.place
        return error(
            place, 1, "a line that begins with '%' is a YAML directive, and this is not a valid one",
            fix: "Indent the line or quote the text; '%YAML 1.2' and '%TAG' are the directives there are")
    }

    // MARK: Structure

    private func indentation() -> Diagnostic {
        let line = scalars(fault.place.line)
        let before = line.prefix(fault.place.column - 1)
        let notes = beginning(fault.problem.contains("'-'") ? "the list begins here" : "the mapping begins here")
        if let last = before.last(where: { $0 != " " }), last == "\"" || last == "'" {
            return error(
                fault.place, 1, "text goes on after its closing quotation mark",
                why: "Quotes surround the whole value",
                fix: last == "'"
                    ? "Move the text inside the quotes, and write '' for an apostrophe"
                    : "Move the text inside the quotes, and write \\\" for a quotation mark")
        }
        if let last = before.last(where: { $0 != " " }), last == "}" || last == "]" {
            return error(
                fault.place, 1, "text goes on after the closing '\(last)'",
                why: "A value that begins with '{' or '[' ends there", fix: "Put the whole value in quotes")
        }
        let isItem = scalar(at: fault.place) == "-" && [" ", nil].contains(line.dropFirst(fault.place.column).first)
        if isItem, fault.problem == "did not find expected key" {
            return error(
                fault.place, 1, "a list item stands among the keys of a mapping",
                fix: "Indent it below the key it belongs to", notes: notes)
        }
        if scalar(at: fault.place) == nil { return unknown() }
        if scalar(at: fault.place) == ":" {
            return error(fault.place, 1, "a key is missing before ':'", fix: "Write 'key: value'")
        }
        if fault.problem.contains("'-'"), fault.place.column == fault.contextPlace?.column {
            return error(
                fault.place, 1, "a list goes on with something that is no item",
                why: "Every item begins with '- '",
                fix: "Begin it with '- ', or indent it differently if it is not part of the list", notes: notes)
        }
        return error(
            fault.place, 1, "the indentation fits none of the lines above",
            why: "Keys of one mapping, and items of one list, begin in the same column",
            fix: "Indent the line like the ones it belongs to", notes: notes)
    }

    private func unclosed() -> Diagnostic {
        let isList = fault.problem.hasSuffix("']'")
        let (open, close) = isList ? ("[", "]") : ("{", "}")
        if scalar(at: fault.place) == nil || fault.place.line != fault.contextPlace?.line {
            let comments = commentsForValues()
            return error(
                fault.contextPlace ?? fault.place, 1, "'\(open)' is never closed",
                fix: "Close it with '\(close)', and put a comma between its values",
                notes: comments
                    + (scalar(at: fault.place) == nil
                        ? [] : [Diagnostic(.note, at: range(fault.place, 1), "this does not fit into it")]))
        }
        return error(
            fault.place, 1, "',' or '\(close)' is missing here",
            why: "Brackets, braces and commas separate values inside '\(open)…\(close)'",
            fix: "Put texts that contain them in quotes",
            notes: beginning(isList ? "the list begins here" : "the mapping begins here"))
    }

    private func missingValue() -> Diagnostic {
        guard let scalar = scalar(at: fault.place) else {
            return error(
                fault.contextPlace ?? fault.place, 1, "the value that begins here is not finished",
                fix: "Close its brackets and quotes", notes: commentsForValues())
        }
        return error(
            fault.place, 1, "a value is missing before '\(scalar)'",
            fix: "Write one, or put '\(scalar)' in quotes if it is part of a text",
            notes: beginning("this begins here"))
    }

    /// Rare problems in libyaml's own words.
    private func unknown() -> Diagnostic {
        error(
            fault.place, 1, "this is not YAML: \(fault.problem)",
            why: fault.context.isEmpty ? nil : "libyaml stopped \(fault.context)",
            fix: "Check quotes, brackets and indentation here and in the lines before",
            notes: beginning("it began here"))
    }

    private func beginning(_ what: String) -> [Diagnostic] {
        guard let place = fault.contextPlace, place != fault.place else { return [] }
        return [Diagnostic(.note, at: range(place, 1), what)]
    }
}
