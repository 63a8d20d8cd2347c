/// Which characters one place of a pattern takes.
struct CharacterSet: Sendable {
    enum Part: Sendable {
        case range(ClosedRange<UInt32>)
        case digit, word, blank
        case notDigit, notWord, notBlank
        case category(Set<Unicode.GeneralCategory>, isNegated: Bool)
    }

    var parts: [Part]
    var isNegated = false

    static let anyButLineBreak = CharacterSet(parts: [.range(0x0A...0x0A)], isNegated: true)

    static func only(_ scalar: Unicode.Scalar) -> CharacterSet {
        CharacterSet(parts: [.range(scalar.value...scalar.value)])
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        parts.contains { part in
            switch part {
            case .range(let range): range.contains(scalar.value)
            case .digit: scalar.isDigit
            case .word: scalar.isWord
            case .blank: scalar.properties.isWhitespace
            case .notDigit: !scalar.isDigit
            case .notWord: !scalar.isWord
            case .notBlank: !scalar.properties.isWhitespace
            case .category(let set, let isNegated): set.contains(scalar.properties.generalCategory) != isNegated
            }
        } != isNegated
    }
}

extension Unicode.Scalar {
    var isDigit: Bool {
        isASCII ? (0x30...0x39).contains(value) : properties.generalCategory == .decimalNumber
    }

    /// A letter, a digit or `_`; the marks of letters, too, so that "й" in two scalars is one word.
    var isWord: Bool {
        if isASCII {
            return (0x61...0x7A).contains(value | 0x20) || (0x30...0x39).contains(value) || value == 0x5F
        }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }

    /// The other forms of a letter that are the same when case does not count.
    var caseVariants: [Unicode.Scalar] {
        [properties.lowercaseMapping, properties.uppercaseMapping].compactMap { mapping in
            let scalars = mapping.unicodeScalars
            guard scalars.count == 1, let other = scalars.first, other != self else { return nil }
            return other
        }
    }
}

/// The general categories by their short names: a group such as "L", or one such as "Lu".
func generalCategories(named name: String) -> Set<Unicode.GeneralCategory>? {
    let all: [(String, Unicode.GeneralCategory)] = [
        ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
        ("Lo", .otherLetter), ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
        ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
        ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation), ("Pi", .initialPunctuation),
        ("Pf", .finalPunctuation), ("Po", .otherPunctuation), ("Sm", .mathSymbol), ("Sc", .currencySymbol),
        ("Sk", .modifierSymbol), ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
        ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format), ("Cs", .surrogate), ("Co", .privateUse),
        ("Cn", .unassigned),
    ]
    let found = all.filter { $0.0 == name || (name.utf8.count == 1 && $0.0.hasPrefix(name)) }.map(\.1)
    return found.isEmpty ? nil : Set(found)
}
