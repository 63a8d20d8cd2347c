import Testing

@testable import PasteupCLI

/// How command lines are taken apart.
@Suite struct ArgumentTests {
    private let spec = CommandSpec(
        "paste", "Pastes.", example: "pasteup paste bill.yaml --wall 3",
        arguments: [
            CommandSpec.Argument("FILE", "The bill."),
            CommandSpec.Argument("WALL", isRequired: false, isRepeated: true, "Where to."),
        ],
        options: [
            CommandSpec.Option("-i, --input", value: "NAME=VALUE", isRepeated: true, "Gives an input."),
            CommandSpec.Option("--glue", value: "KIND", "Which glue."), CommandSpec.Option("--dry", "Pastes nothing."),
        ])

    struct Case: Sendable, CustomTestStringConvertible {
        let words: [String]
        var positionals: [String] = ["f"]
        var inputs: [String]?
        var glue: String?
        var isDry = false
        var testDescription: String { words.joined(separator: " ") }
    }

    @Test(arguments: [
        Case(words: ["f"]),
        Case(words: ["f", "--dry"], isDry: true),
        Case(words: ["--dry", "f"], isDry: true),
        Case(words: ["--glue", "flour", "f"], glue: "flour"),
        Case(words: ["f", "--glue=flour"], glue: "flour"),
        Case(words: ["f", "--glue="], glue: ""),
        Case(words: ["f", "--glue=a=b"], glue: "a=b"),
        Case(words: ["f", "--glue", "-"], glue: "-"),
        // A negative number is a value, as owner ids of communities are.
        Case(words: ["f", "--glue", "-12"], glue: "-12"),
        Case(words: ["-i", "a=1", "f", "--input=b=2", "-i", "a=3"], inputs: ["a=1", "b=2", "a=3"]),
        Case(words: ["f", "a", "b"], positionals: ["f", "a", "b"]),
        Case(words: ["-"], positionals: ["-"]),
        Case(words: ["--", "--dry", "-i"], positionals: ["--dry", "-i"]),
        Case(words: ["f", "--", "--"], positionals: ["f", "--"]),
        Case(words: ["ф", "--glue", "клей 🧴"], positionals: ["ф"], glue: "клей 🧴"),
    ])
    func wordsAreSorted(test: Case) throws {
        let parsed = try spec.parse(test.words)
        #expect(parsed.positionals == test.positionals)
        #expect(parsed.values["--input"] == test.inputs)
        #expect(parsed.value("--glue") == test.glue)
        #expect(parsed.has("--dry") == test.isDry)
    }

    @Test(
        arguments: [
            ([], "'pasteup paste' needs FILE", "For example: pasteup paste bill.yaml --wall 3"),
            (["f", "--glu", "x"], "unknown option '--glu' of 'pasteup paste'", "Did you mean '--glue'?"),
            (
                ["f", "--quite-another"], "unknown option '--quite-another' of 'pasteup paste'",
                "See 'pasteup paste --help'."
            ),
            (["f", "-x"], "unknown option '-x' of 'pasteup paste'", nil),
            (["f", "--glue"], "option '--glue' needs a value", "Write '--glue KIND'."),
            (["f", "--glue", "--dry"], "option '--glue' needs a value", "Write '--glue KIND'."),
            (["f", "--dry=1"], "option '--dry' takes no value", nil),
            (["f", "--glue", "a", "--glue", "b"], "option '--glue' is given twice", "Give it once."),
        ] as [([String], String, String?)])
    func whatCannotBeUnderstoodIsSaid(words: [String], message: String, fix: String?) {
        let error = #expect(throws: UsageError.self) { try spec.parse(words) }
        #expect(error?.message == message)
        if let fix { #expect(error?.fix == fix) }
    }

    @Test func tooManyArgumentsAreRefused() {
        let error = #expect(throws: UsageError.self) { try ShowCommand.spec.parse(["a", "b"]) }
        #expect(error?.message == "'b' is one argument too many for 'pasteup show'")
    }

    /// Whoever asks for help has not written the rest yet.
    @Test(arguments: [["--help"], ["-h"], ["--dry", "--help"], ["f", "-h"]])
    func helpComesBeforeMissingArguments(words: [String]) throws {
        #expect(try spec.parse(words).has("--help"))
    }

    @Test func helpBeginsWithTheExample() {
        #expect(
            spec.help == """
                  pasteup paste bill.yaml --wall 3

                Pastes.

                Usage: pasteup paste FILE [WALL…] [options]

                Arguments:
                  FILE  The bill.
                  WALL  Where to.

                Options:
                  -i, --input NAME=VALUE  Gives an input.
                  --glue KIND             Which glue.
                  --dry                   Pastes nothing.
                  --state DIR             The state folder. Default: $PASTEUP_STATE, else ~/.local/state/pasteup.
                  -h, --help              Shows this help.

                """)
    }

    @Test func helpIsBrokenForANarrowTerminal() {
        let help = """
              pasteup paste --a-very-long-option-that-stays-whole-though-it-is-too-long

            Options:
              --glue KIND  Which glue is to be taken, and which is not.

            A paragraph that has been
            broken by hand before, and is
            filled anew where its first line is too long.
            Short.
              as it is

            """
        #expect(wrapped(help, columns: nil) == help)
        #expect(wrapped(help, columns: 100) == help)
        #expect(
            wrapped(help, columns: 40) == """
                  pasteup paste
                  --a-very-long-option-that-stays-whole-though-it-is-too-long

                Options:
                  --glue KIND  Which glue is to be
                               taken, and which is not.

                A paragraph that has been
                broken by hand before, and is
                filled anew where its first line is too
                long. Short.
                  as it is

                """)
    }

    @Test(arguments: Pasteup.commands.map(\.spec.name), [30, 60, 80])
    func helpFitsTheTerminal(name: String, columns: Int) throws {
        let spec = try #require(Pasteup.commands.first { $0.spec.name == name }?.spec)
        for line in wrapped(spec.help, columns: columns).split(separator: "\n") where line.count > columns {
            #expect(!line.drop { $0 == " " }.contains(" "), "\(line)")
        }
        let words = { (text: String) in text.split { $0 == " " || $0 == "\n" } }
        #expect(words(wrapped(spec.help, columns: columns)) == words(spec.help))
    }

    @Test(arguments: Pasteup.commands.map(\.spec.name))
    func commandsExampleIsOneThatItTakes(name: String) throws {
        let spec = try #require(Pasteup.commands.first { $0.spec.name == name }?.spec)
        let words = spec.example.split(separator: " ").map(String.init)
        #expect(words.prefix(2) == ["pasteup", name])
        _ = try spec.parse(Array(words.dropFirst(2)))
        for line in spec.help.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
        for option in spec.allOptions {
            #expect(option.key.hasPrefix("--"), "every option has a long name: \(option.names)")
            #expect(option.help.hasSuffix(".") || option.help.hasSuffix("stdin."), "\(option.help)")
        }
        #expect(Set(spec.allOptions.flatMap(\.names)).count == spec.allOptions.flatMap(\.names).count)
    }

    @Test(arguments: [
        ("plain", "plain"), ("/a/b-c_d.e:1,2@%+=", "/a/b-c_d.e:1,2@%+="), ("", "''"), ("a b", "'a b'"),
        ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"), ("кафе", "'кафе'"), ("a\nb", "'a\nb'"),
    ])
    func wordsAreQuotedForAShell(word: String, quotedWord: String) {
        #expect(quoted(word) == quotedWord)
    }
}
