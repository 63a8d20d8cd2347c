import Files
import Testing

@testable import Patterns

@Suite struct PatternTests {
    /// Results of Python 3.11: bool(re.search(pattern, text)).
    static let searches: [(String, String, Bool)] = [
        ("^-\\d+$", "-123", true),
        ("^-\\d+$", "-12x", false),
        ("\\d{3}", "ab12", false),
        ("\\d{3}", "ab1234", true),
        ("^a{2,3}$", "aaaa", false),
        ("^a{2,3}$", "aaa", true),
        ("^a{2,}$", "aaaaaaa", true),
        ("^a{2,}$", "a", false),
        ("фото|видео", "мое видео", true),
        ("^(?:фото|видео)$", "видеоклип", false),
        ("\\bкот\\b", "вот кот.", true),
        ("\\bкот\\b", "который", false),
        ("\\Bкот", "скот", true),
        ("[а-яё]+", "ЁЛКА", false),
        ("(?i)[а-яё]+", "ЁЛКА", true),
        ("(?i)straße", "STRASSE", false),
        ("(?i)Жук", "жУК", true),
        ("^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "me@example.org", true),
        ("^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "me@example", false),
        ("a.c", "a\nc", false),
        ("a.c", "abc", true),
        ("^$", "", true),
        ("^$", "a", false),
        ("", "abc", true),
        ("(a|b)*c", "ababc", true),
        ("(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false),
        ("x*", "yyy", true),
        ("a+?b", "aaab", true),
        ("[]a]", "x]", true),
        ("[^]a]", "]a", false),
        ("[a\\-z]", "-", true),
        ("[a\\-z]", "m", false),
        ("[-a]", "-", true),
        ("[\\d_]+$", "abc_12", true),
        ("[^\\W\\d]", "1 _", true),
        ("\\x41\\u0416", "AЖ", true),
        ("\\.", "a", false),
        ("\\.", ".", true),
        ("^\\w+$", "привет_1", true),
        ("^\\w+$", "при-вет", false),
        ("\\s", "a\u{A0}b", true),
        ("^https?://", "http://x", true),
        ("^https?://", "ftp://x", false),
        ("(foo|foobar)$", "foobar", true),
        ("a||b", "zzz", true),
        ("^(|a)b$", "ab", true),
        ("😀+", "x😀😀", true),
        ("^.$", "😀", true),
        ("\\d", "٣", true),
        ("[^\\S\\n]", " ", true),
        ("[^\\S\\n]", "\n", false),
        ("(?:(?:a|b){2}c){2}", "abcbac", true),
        ("(?:(?:a|b){2}c){2}", "abcbaab", false),
        ("^\\t\\r\\n$", "\t\r\n", true),
        ("}", "}", true),
    ]

    @Test(arguments: searches) func occursWherePythonFindsIt(_ pattern: String, _ text: String, isFound: Bool) throws {
        #expect(try Pattern(pattern).occurs(in: text) == isFound)
    }

    /// Results of Python's re on drawn patterns and texts: pattern, text, 1 or 0.
    @Test func drawnPatternsAgreeWithPython() throws {
        let cases = fixture("random.tsv").split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(cases.count == 2000)
        for item in cases { #expect(try Pattern(item[0]).occurs(in: item[1]) == (item[2] == "1"), "\(item)") }
    }

    static let categories: [(String, String, Bool)] = [
        ("^\\p{L}+$", "Привет", true), ("^\\p{Lu}", "привет", false), ("\\P{L}", "аб", false), ("\\p{Nd}", "x9", true),
        ("[\\p{P}]", "a—b", true), ("\\pL", "1a", true), ("\\u{1F600}", "😀", true),
    ]

    @Test(arguments: categories) func categoriesAreUnicodes(_ pattern: String, _ text: String, isFound: Bool) throws {
        #expect(try Pattern(pattern).occurs(in: text) == isFound)
    }

    static let faults: [(String, Int, String)] = [
        ("a(b", 1, "the group that begins here is not closed"), ("ab)", 2, "there is a ')' without its '('"),
        ("a[bc", 1, "the bracket that opens here is not closed"),
        ("*a", 0, "there is nothing before '*' that it repeats"),
        ("a|+b", 2, "there is nothing before '+' that it repeats"), ("a**", 2, "'*' repeats what is repeated already"),
        ("a{x}", 1, "the brace does not say how often"), ("a{3,2}", 1, "the smaller number comes first"),
        ("a{2000}", 1, "nothing can be repeated more than 1000 times"), ("^*", 1, "an edge cannot be repeated"),
        ("[z-a]", 1, "the range goes backwards"), ("[a-\\d]", 1, "a range goes from one character to another"),
        ("(a)\\1", 3, "a group cannot be referred to"), ("a(?=b)", 1, "this kind of group cannot be had"),
        ("(?<n>a)", 0, "this kind of group cannot be had"), ("\\q", 0, "'\\q' has no meaning"),
        ("ab\\", 2, "the pattern ends with a '\\'"), ("\\x4", 0, "a character's number is cut off"),
        ("\\u{D800}", 0, "this is no character's number"), ("\\p{Кириллица}", 0, "there is no category 'Кириллица'"),
        ("((a{100}){100}){100}", 3, "the repetitions up to here make the pattern too large"),
        (String(repeating: "(", count: 60), 50, "groups are nested deeper than 50 levels"),
        (String(repeating: "a", count: 1001), 1000, "the pattern is longer than 1000 characters"),
    ]

    @Test(arguments: faults) func faultsHaveTheirPlace(_ pattern: String, offset: Int, message: String) {
        let fault = #expect(throws: Pattern.Fault.self) { try Pattern(pattern) }
        #expect(fault?.message == message)
        #expect(fault?.offset == offset)
    }

    /// A backtracking engine takes 2^n steps for each of these.
    @Test(arguments: ["(a*)*b", "(a|a)*b", "(a|aa)+$b", "(?:a?){30}a{30}b", "(.*)(.*)(.*)(.*)(.*)x"])
    func textsThatStopOtherEnginesAreSearched(_ pattern: String) throws {
        #expect(try Pattern(pattern).occurs(in: String(repeating: "a", count: 20_000)) == false)
    }

    @Test func nothingRepeatedIsNothing() throws {
        #expect(try Pattern("((((){1000}){1000}){1000}){1000}b").occurs(in: "ab") == true)
    }

    @Test func aSearchThatWouldTakeMinutesIsRefused() throws {
        #expect(try Pattern("(?:a{0,40}){0,40}b").occurs(in: String(repeating: "a", count: 1_000_000)) == nil)
    }
}

private func fixture(_ name: String, from file: String = #filePath) -> String {
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    guard let bytes = try? FileSystem.read("/\(folder)/Fixtures/\(name)") else { return "" }
    return String(decoding: bytes, as: UTF8.self)
}
