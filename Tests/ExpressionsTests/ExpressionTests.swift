import Testing
import Values

@testable import Expressions

@Suite struct ExpressionTests {
    @Test(
        arguments: [
            ("success()", 0, 9), ("  success()  ", 2, 9), ("${{ success() }}", 4, 9), (" ${{success()}} ", 4, 9),
            ("${{ 'a }} b' }}", 4, 8),
        ] as [(String, Int, Int)])
    func bareExpressionsMayStandInBraces(text: String, offset: Int, length: Int) throws {
        let expression = try Expression.parse(text)
        #expect(expression.offset == offset)
        #expect(expression.length == length)
        #expect(expression.source == String(text.dropFirst(offset).prefix(length)))
    }

    @Test(
        arguments: [
            ("${{ a }} && b", 9, 4, "there is more after the '}}'"),
            ("${{ a", 0, 3, "'${{' without its '}}'"),
            ("${{ }}", 0, 6, "there is no expression in '${{ }}'"),
            ("${{ 'it's' }}", 9, 1, "the text that begins here is not closed"),
            ("a && ${{ b }}", 5, 3, "unexpected '${{'"),
            ("a == \"b\"", 5, 3, "unexpected '\"b\"'"),
            ("a = 'b'", 2, 1, "unexpected '='"),
            ("f(1", 2, 1, "the expression ends unfinished after '1'"),
            ("f(", 1, 1, "the expression ends unfinished after '('"),
            ("a[1", 2, 1, "the expression ends unfinished after '1'"),
            ("a.", 1, 1, "the expression ends unfinished after '.'"),
            ("()", 1, 1, "unexpected ')'"),
            ("f(1,)", 4, 1, "unexpected ')'"),
            ("f(,)", 2, 1, "unexpected ','"),
            ("a[]", 2, 1, "unexpected ']'"),
            ("a[*, 1]", 3, 1, "unexpected ','"),
            ("a)", 1, 1, "unexpected ')'"),
            ("(a]", 2, 1, "unexpected ']'"),
            ("'a'.b", 3, 1, "unexpected '.'"),
            ("* 1", 0, 1, "unexpected '*'"),
        ] as [(String, Int, Int, String)])
    func syntaxErrorsNameThePlaceAndTheWord(text: String, offset: Int, length: Int, message: String) {
        let error = #expect(throws: ExpressionError.self) { try Expression.parse(text) }
        #expect(error?.offset == offset)
        #expect(error?.length == length)
        #expect(error?.message == message)
    }

    @Test(
        arguments: [
            ("a == \"b\"", "A text stands in 'single quotes'."),
            ("a = 1", "Equality is written ==."),
            ("a & b", "'And' is written &&."),
            ("(a", "A ) is missing."),
            ("a ||", "A value is missing."),
            (
                "a + b",
                "Expressions do not calculate: texts are joined by format('{0}{1}', a, b), numbers are added by a program "
                    + "of your own (exec.run)."
            ),
            ("a - 1", "Expressions do not calculate; a program of your own can (exec.run)."),
            ("a -1", "Expressions do not calculate; a program of your own can (exec.run)."),
            ("a * b", "Expressions do not calculate; a program of your own can (exec.run)."),
            ("a / b", "Expressions do not calculate; a program of your own can (exec.run)."),
            ("-1x", "Numbers are written 12, -1.5, 1e3, 0xff or 0o17; a text stands in 'single quotes'."),
            ("a b", "An operator is missing before it: ==, !=, <, <=, >, >=, && or ||."),
            ("'abc", "The text is not closed: a ' is missing. A quote inside a text is written twice: ''."),
        ] as [(String, String)])
    func commonMistakesGetAHint(text: String, hint: String) {
        let error = #expect(throws: ExpressionError.self) { try Expression.parse(text) }
        #expect(error?.hint == hint)
    }

    @Test func offsetsCountScalarsBehindEmojiAndCyrillic() throws {
        // '👩‍🚀' is three scalars, 'ё' here is two: five blanks and quotes aside, counted by hand.
        let text = "'👩‍🚀 е\u{308}ж' == steps.x && ?"
        let error = #expect(throws: ExpressionError.self) { try Expression.parse(text) }
        #expect(error?.offset == 24)
        let expression = try Expression.parse("'👩‍🚀 е\u{308}ж' == steps.x")
        #expect(expression.references.first?.offset == 13)
        #expect(expression.references.first?.length == 7)
    }

    @Test func tooLongAnExpressionIsRefused() throws {
        _ = try Expression.parse("'" + String(repeating: "x", count: 20_998) + "'")
        let error = #expect(throws: ExpressionError.self) {
            try Expression.parse("'" + String(repeating: "x", count: 20_999) + "'")
        }
        #expect(error?.message == "the expression is longer than 21000 characters")
    }

    @Test func parenthesesDoNotCountAsDepth() throws {
        let text = String(repeating: "(", count: 10_000) + "7" + String(repeating: ")", count: 10_000)
        #expect(try Expression.parse(text).evaluate(in: EvaluationContext()) == 7)
    }

    @Test func referencesAreThePathsAsFarAsTheyAreStatic() throws {
        let expression = try Expression.parse(
            "steps.latest.outputs.file == Inputs['wall'] && items[0].name || steps.*.outputs.id == a[b.c].d || f(run).x"
        )
        let found = expression.references.map { [$0.root] + $0.path + [$0.isExact ? "." : "…"] }
        #expect(
            found == [
                ["steps", "latest", "outputs", "file", "."], ["inputs", "wall", "."], ["items", "0", "name", "."],
                ["steps", "…"], ["a", "…"], ["b", "c", "."], ["run", "."],
            ])
        #expect(expression.references[0].offset == 0)
        #expect(expression.references[0].length == 25)
        #expect(expression.references[1].offset == 29)
        #expect(expression.references[1].length == 14)
        #expect(expression.functions == ["f"])
    }

    @Test(arguments: [("success() && a", true), ("ALWAYS()", true), ("toJSON(a)", false), ("a.success", false)])
    func statusFunctionsAreNoticed(text: String, reads: Bool) throws {
        #expect(try Expression.parse(text).readsStatus == reads)
    }

    @Test(
        arguments: [
            ("secrets.VK_TOKEN", true), ("SECRETS['x']", true), ("toJSON(secrets)", true), ("env.HOME", false),
            ("env.VK_TOKEN", true), ("env.client_secret", true), ("env['DB_PASSWORD']", true), ("env.API_KEY", true),
            ("env.KEYBOARD", false), ("env[inputs.name]", true), ("env.*", true), ("toJSON(env)", true),
            ("inputs.token", false), ("steps.secrets.outputs.x", false), ("'secrets.X'", false),
            ("a || format('{0}', secrets.x)", true), ("a[secrets.x]", true),
        ] as [(String, Bool)])
    func secretsTaint(text: String, isTainted: Bool) throws {
        #expect(try Expression.parse(text).mentionsSecret == isTainted)
    }

    @Test(
        arguments: [
            ("item.Текст", "Write item['Текст']."), ("steps.rows.outputs.имя", "Write steps.rows.outputs['имя']."),
            ("lower(item.Größe)", "Write item['Größe']."), ("item.2024", "Write item['2024']."),
            ("item['a'].цена", "Write ['цена'] in place of '.цена'."), ("1 + item.naïve", nil),
            ("inputs.x == item.l'été", "Write item['l''été']."),
        ] as [(String, String?)])
    func aMemberWithOtherLettersIsWrittenInBrackets(source: String, hint: String?) {
        let error = #expect(throws: ExpressionError.self) { try Expression.parse(source) }
        guard let hint else { return }
        #expect(
            error?.hint == "After a dot stands a name of the letters a to z, digits, '_' and '-'. " + hint)
    }
}
