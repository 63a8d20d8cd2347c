/// A regular expression that takes time in proportion to the text, whatever it says: it is run as an automaton, so that
/// no text makes it go back (R. Cox, "Regular Expression Matching Can Be Simple And Fast", 2007).
///
/// | part | means |
/// |---|---|
/// | `.` | any character but a line break |
/// | `[abc]`, `[^a-z]` | one of these, none of these |
/// | `\d` `\w` `\s`, `\D` `\W` `\S` | digit; letter, digit or `_`; blank; none of these. All alphabets count |
/// | `\p{L}`, `\P{Lu}` | of a general category of Unicode, or not |
/// | `^` `$` `\b` `\B` | beginning and end of the text; edge of a word, or not |
/// | `a*` `a+` `a?` `a{3}` `a{2,}` `a{2,5}` | how often; a `?` behind it changes nothing here |
/// | `a\|b`, `(…)`, `(?:…)` | either; a group |
/// | `\n` `\r` `\t` `\x2e` `\u{1F600}` `\.` | a character by its name; one that has a meaning |
/// | `(?i)` at the beginning | upper and lower case are the same |
///
/// References to groups and looking around are refused: they cannot be had in linear time.
public struct Pattern: Sendable, Hashable {
    public let source: String
    let program: [Instruction]
    let ignoresCase: Bool

    /// A longer pattern is refused. In Unicode scalars.
    public static let maxLength = 1000
    /// What repetitions may multiply a pattern to.
    static let maxInstructions = 5000
    /// Instructions times characters of one search: about a second.
    static let maxWork = 400_000_000

    /// Why a pattern cannot be read, and where.
    public struct Fault: Error, Sendable, Hashable {
        /// As a clause without a full stop.
        public let message: String
        /// A sentence on how to mend it.
        public let fix: String?
        /// From 0, in Unicode scalars of the pattern.
        public let offset: Int
    }

    public init(_ source: String) throws(Fault) {
        self.source = source
        var parser = PatternParser(Array(source.unicodeScalars))
        let node = try parser.parse()
        ignoresCase = parser.ignoresCase
        var compiler = PatternCompiler()
        program = try compiler.compile(node)
    }

    /// Whether the pattern occurs anywhere in the text; nil where the search would take too long: only patterns with
    /// large repetitions on texts of 80,000 characters and more.
    public func occurs(in text: String) -> Bool? {
        let count = text.unicodeScalars.count
        guard (count + 1) * program.count <= Self.maxWork else { return nil }
        var matcher = Matcher(program, ignoresCase: ignoresCase)
        return matcher.occurs(in: text.unicodeScalars)
    }

    public static func == (one: Pattern, other: Pattern) -> Bool { one.source == other.source }
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// A step of the automaton.
enum Instruction: Sendable {
    /// Takes a character and goes on with the next instruction.
    case take(CharacterSet)
    case jump(Int)
    case split(Int, Int)
    case require(Assertion)
    case accept
}

/// Something that holds between two characters.
enum Assertion: Sendable {
    case start, end, wordEdge, noWordEdge
}
