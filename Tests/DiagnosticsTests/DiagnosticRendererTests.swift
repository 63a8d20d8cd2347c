internal import Testing

@testable import Diagnostics

@Suite struct DiagnosticRendererTests {
    private func range(_ line: Int, _ column: Int, _ length: Int = 1) -> SourceRange {
        SourceRange(start: SourceLocation(file: "f.yaml", line: line, column: column), length: length)
    }

    private func rendered(_ text: String, _ range: SourceRange, maxWidth: Int = 100) -> String {
        DiagnosticRenderer(sources: [SourceText(file: "f.yaml", text: text)], maxWidth: maxWidth)
            .render(Diagnostic(at: range, "x"))
    }

    /// The example of the project's style guide.
    @Test func showsLineAndCaret() {
        let lines = String(repeating: "\n", count: 40) + "    need: [saved]\n"
        let diagnostic = Diagnostic(
            at: range(41, 5, 4), "unknown key 'need' in step 'post'",
            why: "A step lists what it waits for under 'needs'", fix: "Write 'needs: [saved]'")
        let text = DiagnosticRenderer(sources: [SourceText(file: "f.yaml", text: lines)]).render(diagnostic)
        #expect(
            text == """
                f.yaml:41:5: error: unknown key 'need' in step 'post'. A step lists what it waits for under 'needs'. \
                Write 'needs: [saved]'.
                41 |     need: [saved]
                   |     ^~~~

                """)
    }

    @Test(arguments: [
        "secrets: { VK_TOKEN: vk1.a.hush }", "    access-token: hush", "{ type: vk, tokn: vk1.a.hush-hush }",
        "  text: IGAAhushhushhush", "url: https://example.com/?access_token=hush", "  \"password\": 'hush'",
        "\tapp_secret:   \"hush\"", "headers: { Authorization: Bearer hush }", "post,-12,EAAhushhushhush,x",
        "token : hush", "TOKEN_VK: hush-hush-hush", "tokens: [hush-hush-hush]", "token: !!str hush", "token: &a hush",
        "token: #hush", "private_key: hush", "X-Auth: Bearer hush-hush", "command: [curl, --token, hush]",
        "command: curl --token=hush", "url: https://a:hush@example.com/", "?access_token%3Dhush", "пароль: hush",
        "pass: hush",
        "Cookie: sid=hush",
    ])
    func lineThatMayHoldATokenIsNotShown(line: String) {
        #expect(rendered(line, range(1, 1)) == "f.yaml:1:1: error: x.\n")
    }

    @Test(arguments: [
        "vk: { type: vk, token: \"${{ secrets.VK_TOKEN }}\" }", "token:", "  token: # none",
        "text: \"${{ secrets.TOKEN }}\"",
        "token: { type: string }", "url: https://example.com/@name:1", "command: [curl, --token, \"${{ secrets.A }}\"]",
        "text: The bearer of good news", "bypass: all",
        "once: { key: a }", "overlap-key: a", "secrets: { A: b }", "token: [a]",
        "tokens: 3", "IGAA", "isSecret = true",
    ])
    func lineWithoutOneIsShown(line: String) {
        #expect(rendered(line, range(1, 1)).contains("1 | " + line.prefix(20)))
    }

    @Test(arguments: [
        ("unknown key 'vk1.a.hush-hush'", "unknown key 'vk1.…'"),
        ("'IGAAhushhush' and EAAhushhush", "'IGAA…' and EAA…"),
        ("'vk1.png' is no EAA", "'vk1.png' is no EAA"),
        ("«vk1.a.hush-hush»", "«vk1.…»"),
    ])
    func ofATokenInAMessageItsBeginningIsTold(written: String, told: String) {
        let diagnostic = Diagnostic(at: nil, written, why: written, fix: written)
        #expect([diagnostic.what, diagnostic.why, diagnostic.fix] == [told, told, told])
    }

    @Test func showsNotesBeneath() {
        let note = Diagnostic(.note, at: range(1, 1), "it is first written here")
        let loose = Diagnostic(.note, at: nil, "no place")
        let diagnostic = Diagnostic(.warning, at: range(2, 1), "twice", notes: [note, loose])
        let source = SourceText(file: "f.yaml", text: "a: 1\na: 2")
        #expect(
            DiagnosticRenderer(sources: [source]).render(diagnostic) == """
                f.yaml:2:1: warning: twice.
                2 | a: 2
                  | ^
                f.yaml:1:1: note: it is first written here.
                1 | a: 1
                  | ^
                note: no place.

                """)
    }

    @Test func needsNeitherPlaceNorSource() {
        let renderer = DiagnosticRenderer()
        #expect(renderer.render(Diagnostic(at: nil, "no such run 'r7'")) == "error: no such run 'r7'.\n")
        #expect(renderer.render(Diagnostic(at: range(3, 4), "odd?")) == "f.yaml:3:4: error: odd?\n")
    }

    @Test func coloursOnlyWhenAsked() {
        let source = SourceText(file: "f.yaml", text: "ab")
        let text = DiagnosticRenderer(sources: [source], color: true).render(Diagnostic(at: range(1, 1, 2), "x"))
        #expect(
            text == "\u{1B}[1mf.yaml:1:1:\u{1B}[0m \u{1B}[1;31merror:\u{1B}[0m x.\n"
                + "\u{1B}[34m1 |\u{1B}[0m ab\n\u{1B}[34m  |\u{1B}[0m \u{1B}[1;31m^~\u{1B}[0m\n")
        #expect(!rendered("ab", range(1, 1)).contains("\u{1B}"))
    }

    /// Where the caret stands, counted by hand: line, column, length, the shown line, blanks before the caret, underline.
    @Test(arguments: [
        ("\tx: y", 2, 1, "    x: y", 4, "^"),
        ("ab\tx", 4, 1, "ab  x", 4, "^"),
        ("日本: x", 5, 1, "日本: x", 6, "^"),
        ("日本", 1, 2, "日本", 0, "^~~~"),
        ("👋🏽 x", 4, 1, "👋🏽 x", 3, "^"),
        ("👨‍👩‍👧 x", 7, 1, "👨‍👩‍👧 x", 3, "^"),
        ("🇫🇷 x", 4, 1, "🇫🇷 x", 3, "^"),
        ("❤️ x", 4, 1, "❤️ x", 3, "^"),
        ("cafe\u{301} x", 7, 1, "cafe\u{301} x", 5, "^"),
        ("Привет x", 8, 1, "Привет x", 7, "^"),
        ("한글 x", 4, 1, "한글 x", 5, "^"),
        ("a\u{1B}[31mb", 7, 1, "a␛[31mb", 6, "^"),
        ("a\u{202E}b", 3, 1, "a<U+202E>b", 9, "^"),
        ("a\u{200B}b", 2, 1, "a<U+200B>b", 1, "^~~~~~~~"),
        ("abc", 4, 1, "abc", 3, "^"),
        ("abc", 99, 5, "abc", 3, "^"),
        ("abc", 2, 99, "abc", 1, "^~"),
    ])
    func caretStandsUnderTheFault(
        line: String, column: Int, length: Int, shown: String, indent: Int, underline: String
    ) {
        let text = rendered(line, range(1, column, length))
        let blanks = String(repeating: " ", count: indent)
        #expect(text == "f.yaml:1:\(column): error: x.\n1 | \(shown)\n  | \(blanks)\(underline)\n")
    }

    @Test func cutsLongLinesAroundTheFault() {
        let line = String(repeating: "a", count: 50) + "X" + String(repeating: "b", count: 50)
        // 20 columns, 6 of them before the fault, and an ellipsis on both sides.
        #expect(rendered(line, range(1, 51), maxWidth: 20).hasSuffix("1 | …aaaaaaXbbbbbbbbbbb…\n  |        ^\n"))
        #expect(rendered(line, range(1, 1), maxWidth: 20).hasSuffix("1 | \(line.prefix(19))…\n  | ^\n"))
        #expect(
            rendered(line, range(1, 101), maxWidth: 20).hasSuffix("1 | …\(line.suffix(19))\n  |                    ^\n")
        )
        // The underline ends with the 11 letters that are shown behind the X.
        #expect(rendered(line, range(1, 51, 50), maxWidth: 20).hasSuffix("…\n  |        ^~~~~~~~~~~~\n"))
    }

    @Test func hidesNothingInMessages() {
        let text = DiagnosticRenderer().render(Diagnostic(at: nil, "unknown key '\u{1B}]0;x\u{7}\n'"))
        #expect(text == "error: unknown key '␛]0;x␇␊'.\n")
    }

    @Test func emptyLinesAreNotShown() {
        #expect(rendered("", range(1, 1)) == "f.yaml:1:1: error: x.\n")
        #expect(rendered("a\n", range(2, 1)) == "f.yaml:2:1: error: x.\n")
        #expect(rendered("a\n", range(7, 1)) == "f.yaml:7:1: error: x.\n")
    }
}

@Suite struct SourceTextTests {
    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a\n", ["a", ""]), ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("\r\r\n\n", ["", "", "", ""]),
        ("\u{FEFF}a", ["a"]), ("e\u{301}\r\nx", ["e\u{301}", "x"]),
    ])
    func splitsAtEveryKindOfBreak(text: String, lines: [String]) {
        #expect(SourceText(file: "f", text: text).lines.map(String.init) == lines)
    }

    @Test func showsWrongBytesAsReplacementCharacters() {
        #expect(SourceText(file: "f", bytes: [0x61, 0xFF, 0x62]).lines == ["a\u{FFFD}b"])
    }
}
