import Testing

@testable import PasteupCLI

/// Commands with verbs, and what begins like a negative number.
@Suite struct VerbTests {
    private let spec = CommandSpec(
        "ledger", "Keeps keys.", example: "pasteup ledger list",
        verbs: [
            CommandSpec(
                "ledger list", "Lists keys.", example: "pasteup ledger list own/",
                arguments: [CommandSpec.Argument("PREFIX", isRequired: false, "The beginning.")],
                options: [CommandSpec.Option("--limit", value: "N", "How many.")]),
            CommandSpec(
                "ledger forget", "Forgets a key.", example: "pasteup ledger forget own/1",
                arguments: [CommandSpec.Argument("KEY", "The key.")]),
        ])

    @Test func verbTakesTheWordsAfterIt() throws {
        let parsed = try spec.parse(["list", "own/", "--limit", "3", "--state", "/s"])
        #expect(parsed.verb == "list")
        #expect(parsed.positionals == ["own/"])
        #expect(parsed.value("--limit") == "3")
        #expect(parsed.value("--state") == "/s")
    }

    @Test(arguments: ["-123/photo", "-1"])
    func negativeNumberIsNoOption(word: String) throws {
        #expect(try spec.parse(["list", word]).positionals == [word])
        #expect(try spec.parse(["forget", "--", "-x"]).positionals == ["-x"])
    }

    @Test(arguments: [
        ([], "'pasteup ledger' does not say what to do", "Write 'pasteup ledger list' or 'pasteup ledger forget'."),
        (["lst"], "'pasteup ledger' does not know 'lst'", "Did you mean 'list'?"),
        (
            ["remember-everything"], "'pasteup ledger' does not know 'remember-everything'",
            "Write 'pasteup ledger list' or 'pasteup ledger forget'."
        ),
        (["forget"], "'pasteup ledger forget' needs KEY", "For example: pasteup ledger forget own/1"),
        (
            ["list", "--limt", "3"], "unknown option '--limt' of 'pasteup ledger list'", "Did you mean '--limit'?"
        ),
        (
            ["list", "a", "b"], "'b' is one argument too many for 'pasteup ledger list'",
            "See 'pasteup ledger list --help'."
        ),
    ])
    func saysWhatIsWrong(words: [String], message: String, fix: String) {
        #expect(throws: UsageError(message, fix: fix)) { try spec.parse(words) }
    }

    @Test func helpListsTheVerbsAndEachHasItsOwn() throws {
        #expect(
            spec.help == """
                  pasteup ledger list

                Keeps keys.

                Usage: pasteup ledger <list|forget> [options]

                Commands:
                  ledger list    Lists keys.
                  ledger forget  Forgets a key.

                'pasteup ledger <command> --help' shows one.

                """)
        #expect(try spec.parse(["--help"]).has("--help"))
        #expect(try spec.parse(["forget", "-h"]).has("--help"))
        #expect(spec.verb("forget").help.hasPrefix("  pasteup ledger forget own/1\n\nForgets a key.\n"))
    }

    @Test func verbMayBeLeftOutWhereOneIsTheUsual() throws {
        let spec = CommandSpec(
            "accounts", "Shows accounts.", example: "pasteup accounts",
            verbs: [
                CommandSpec(
                    "accounts list", "Lists them.", example: "pasteup accounts list",
                    options: [CommandSpec.Option("--json", "As JSON.")]),
                CommandSpec("accounts refresh", "Refreshes them.", example: "pasteup accounts refresh"),
            ], standardVerb: "list")
        #expect(try spec.parse([]).verb == "list")
        #expect(try spec.parse(["--json"]).verb == "list")
        #expect(try spec.parse(["--json"]).has("--json"))
        #expect(try spec.parse(["refresh"]).verb == "refresh")
        #expect(try spec.parse(["--help"]).verb == nil)
        #expect(throws: UsageError("'pasteup accounts' does not know 'lst'", fix: "Did you mean 'list'?")) {
            try spec.parse(["lst"])
        }
        #expect(spec.help.contains("Usage: pasteup accounts [list|refresh] [options]\n"))
    }

    /// Every command shows a whole command line of its own first.
    @Test func everyHelpBeginsWithAnExample() {
        for entry in Pasteup.commands {
            for spec in [entry.spec] + entry.spec.verbs {
                #expect(spec.help.hasPrefix("  pasteup \(spec.name)"), "\(spec.name)")
            }
        }
    }
}
