import Diagnostics
import Testing
import Values

@testable import Expressions

@Suite struct TradeFunctionTests {
    private func evaluate(_ text: String) throws -> Value {
        try Expression.parse(text, timezone: "Asia/Tokyo")
            .evaluate(
                in: EvaluationContext([
                    "text": "a\nb\r\nc\rd\n\ne\n", "list": [1], "zone": "Mars", "ms": 1_796_108_400_000,
                ]))
    }

    @Test(arguments: FunctionLibrary.standard.functions.map(\.name)) func theExampleIsTrue(_ name: String) throws {
        let function = try #require(FunctionLibrary.standard[name])
        #expect(try evaluate(function.example.expression).json() == function.example.result)
        #expect(function.summary.hasSuffix("."))
    }

    /// From Python 3.11 (str, urllib.parse.quote) where it has the function; the others counted by hand.
    static let texts: [(String, String)] = [
        ("truncate('Привет, мир', 7)", "Привет…"),
        ("truncate('Привет', 6)", "Привет"),
        ("truncate('Привет', 0)", ""),
        ("truncate('', 3)", ""),
        ("truncate(null, 3)", ""),
        ("truncate('Привет, мир', 9, ' (далее)')", "П (далее)"),
        ("truncate('abcdef', 3, '')", "abc"),
        ("truncate('abcdef', 2, '...')", "ab"),
        ("truncate('👨\u{200D}👩\u{200D}👧👨\u{200D}👩\u{200D}👧👨\u{200D}👩\u{200D}👧', 2)", "👨\u{200D}👩\u{200D}👧…"),
        ("truncate('👨\u{200D}👩\u{200D}👧👨\u{200D}👩\u{200D}👧', 2)", "👨\u{200D}👩\u{200D}👧👨\u{200D}👩\u{200D}👧"),
        ("truncate('❤\u{FE0F}🇷🇺👍🏽!', 3, '')", "❤\u{FE0F}🇷🇺👍🏽"),
        ("truncate('ééé', 2, '')", "éé"),
        ("truncate('abc', '2')", "a…"),
        ("truncate(12345, 3)", "12…"),
        ("replace('aaa', 'aa', 'b')", "ba"),
        ("replace('Кот кот', 'кот', 'пёс')", "Кот пёс"),
        ("replace('abc', '', '-')", "abc"),
        ("replace('a.b', '.', '')", "ab"),
        ("replace('', 'a', 'b')", ""),
        ("lower('ÄÖ ЁЖ İ')", "äö ёж i̇"),
        ("upper('straße ёж ŉ')", "STRASSE ЁЖ ʼN"),
        ("trim('\u{A0} a b\t\n')", "a b"),
        ("trim('')", ""),
        ("basename('/a/b/c.txt')", "c.txt"),
        ("basename('c.txt')", "c.txt"),
        ("basename('a/b/')", "b"),
        ("basename('/')", "/"),
        ("basename('')", ""),
        ("basename('a/b.jpg', '.jpg')", "b"),
        ("basename('.jpg', '.jpg')", ".jpg"),
        ("basename('фото/кот.png', '.jpg')", "кот.png"),
        ("urlencode('a b/c?d=é&ж~-._')", "a%20b%2Fc%3Fd%3D%C3%A9%26%D0%B6~-._"),
        ("urlencode('😀+%')", "%F0%9F%98%80%2B%25"),
    ]

    @Test(arguments: texts) func textsAreMade(_ expression: String, result: String) throws {
        let value = try evaluate(expression)
        #expect(value.string?.utf8.elementsEqual(result.utf8) == true, "\(value)")
    }

    /// split and lines are Python's; hashtags are those that vk.com and instagram.com make links of.
    static let lists: [(String, String)] = [
        ("split('a, b,c', ',')", "[\"a\",\" b\",\"c\"]"),
        ("split('', ',')", "[]"),
        ("split(',', ',')", "[\"\",\"\"]"),
        ("split('a--b---c', '--')", "[\"a\",\"b\",\"-c\"]"),
        ("split('один', 'один')", "[\"\",\"\"]"),
        ("lines(text)", "[\"a\",\"b\",\"c\",\"d\",\"\",\"e\"]"),
        ("lines('')", "[]"),
        ("hashtags('#кофе и #Утро_2026')", "[\"#кофе\",\"#Утро_2026\"]"),
        ("hashtags('#1 #2026 #_ #a1 #1a')", "[\"#a1\",\"#1a\"]"),
        ("hashtags('email#tag no#pe')", "[]"),
        ("hashtags('##двойной #a#b (#c) #d.')", "[\"#двойной\",\"#a\",\"#c\",\"#d\"]"),
        ("hashtags('#Кофе #кофе #КОФЕ')", "[\"#Кофе\"]"),
        ("hashtags('#café☕ #東京 #หมู')", "[\"#café\",\"#東京\",\"#หมู\"]"),
        ("hashtags('# a #')", "[]"),
        ("hashtags(null)", "[]"),
    ]

    @Test(arguments: lists) func listsAreMade(_ expression: String, result: String) throws {
        #expect(try evaluate(expression).json() == result)
    }

    /// From Python 3.11's zoneinfo; the zone of the expressions is Asia/Tokyo.
    static let times: [(String, Value)] = [
        ("timestamp('2026-03-29 02:30', 'Europe/Berlin')", 1774747800),
        ("timestamp('2026-10-25 02:30', 'Europe/Berlin')", 1792888200),
        ("timestamp('31.12.2026 23:59', 'Asia/Yekaterinburg')", 1798743540),
        ("timestamp('2026-12-01', 'UTC')", 1796083200),
        ("timestamp('2026-12-01T10:00:00+05:00', 'UTC')", 1796101200),
        ("timestamp(1796108400)", 1796108400),
        ("timestamp('1796108400')", 1796108400),
        ("timestamp(1796108400.9)", 1796108400),
        ("timestamp(null)", nil),
        ("timestamp('2026-12-01 10:00')", 1796086800),
        ("date(1796108400, '%d.%m.%Y %H:%M %Z', 'America/New_York')", "01.12.2026 02:00 EST"),
        ("date('2026-12-01', '%A, %-d %B', 'UTC')", "Tuesday, 1 December"),
        ("date('2026-12-01T23:30:00Z', '%F', 'Europe/Moscow')", "2026-12-02"),
        ("date(0, '%F %T %z')", "1970-01-01 09:00:00 +0900"),
        ("date(null, '%F')", nil),
        ("date('2026-12-01', '')", ""),
    ]

    @Test(arguments: times) func datesAreReadAndWritten(_ expression: String, result: Value) throws {
        #expect(try evaluate(expression) == result)
    }

    static let refusals: [(String, Int, String)] = [
        ("truncate(list, 3)", 9, "a text is wanted here, and this is a list"),
        ("truncate('a', -1)", 14, "truncate wants a whole number from 0 as 'length'"),
        ("split('a', '')", 11, "split was given an empty separator"),
        (
            "matches('a', format('{0}', '(a'))", 13,
            "the group that begins here is not closed, at position 1 of the pattern"
        ),
        ("date('tomorrow', '%F')", 5, "this is no date"),
        ("date(ms, '%F')", 5, "the date is not within the years 1 to 9999"),
        ("timestamp('2026-12-01', zone)", 24, "there is no time zone of that name"),
        ("timestamp(true)", 10, "this is no date"),
    ]

    @Test(arguments: refusals) func wrongValuesAreRefused(_ expression: String, offset: Int, message: String) throws {
        let error = #expect(throws: ExpressionError.self) { try evaluate(expression) }
        #expect(error?.message == message)
        #expect(error?.offset == offset)
    }

    static let literals: [(String, Int, String, String?)] = [
        (
            "matches(text, 'a(b')", 16, "the group that begins here is not closed, at position 2 of the pattern",
            "Write '\\(' for the character itself."
        ),
        (
            "matches(text, 'it''s [')", 21, "the bracket that opens here is not closed, at position 6 of the pattern",
            "Write '\\[' for the character itself."
        ),
        (
            "date(text, '%d.%Q')", 15, "the format has the unknown letter '%Q' at position 4",
            "The letters are those of strftime: %d.%m.%Y %H:%M; a percent sign is written twice."
        ),
        (
            "timestamp(text, 'Europe/Mosow')", 16, "there is no time zone 'Europe/Mosow'",
            "Did you mean 'Europe/Moscow'?"
        ),
    ]

    @Test(arguments: literals) func whatIsWrittenOutIsCheckedBefore(
        _ expression: String, offset: Int, message: String, hint: String?
    ) throws {
        let problems = try Expression.parse(expression).check(in: Scope(["text": .string]))
        #expect(problems.map(\.offset) == [offset])
        #expect(problems.first?.message == message)
        #expect(problems.first?.hint == hint)
    }

    @Test func aTextThatOutgrowsItsRoomIsRefused() throws {
        let long = String(repeating: "a,", count: 50_000)
        let context = EvaluationContext(["long": .string(long)])
        for text in ["replace(long, 'a', long)", "split(long, ',')", "urlencode(replace(long, 'a', 'ж     '))"] {
            let error = #expect(throws: ExpressionError.self) { try Expression.parse(text).evaluate(in: context) }
            #expect(error?.message == "the values made by the expression outgrow its memory")
        }
    }
}
