import Files
import TestSupport
import Testing

/// The scripts of `pasteup completions`, in the shells that they are for.
@Suite(.programs) struct CompletionScriptTests {
    /// Loads the script in bash, puts a line with the cursor at its end, and prints what is offered.
    private static let driver = """
        PATH=$1:$PATH
        source <(pasteup completions bash)
        compopt() { :; }
        COMP_LINE=$2 COMP_POINT=${#2}
        # As readline parts a line: at blanks, and '=' and ':' are words of their own.
        read -ra COMP_WORDS <<<"$(sed 's/[=:]/ & /g' <<<"$2")"
        if [[ $2 == *' ' ]]; then COMP_WORDS+=(''); fi
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        current=${COMP_WORDS[COMP_CWORD]}
        if [[ $current == [=:] ]]; then current=; fi
        _pasteup pasteup "$current" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\\n' "${COMPREPLY[@]}"

        """

    private static let lines: [(line: String, offered: String)] = [
        ("pasteup ret", "retry"), ("pasteup ledger ", "list\nforget"), ("pasteup graph --format=s", "svg"),
        ("pasteup graph --format=", "text\nmermaid\ndot\nsvg"), ("pasteup run some.yaml -i wa", "wall="),
        ("pasteup run some.yaml --input=wa", "wall="), ("pasteup run so", "some.yaml"),
        ("pasteup run some.yaml --inputs=so", "some.yaml"), ("pasteup run some.yaml --input-file rows=so", "some.yaml"),
        ("pasteup run --state fol", "folder"), ("pasteup run --quie", "--quiet"),
    ]

    @Test(arguments: lines)
    func bashCompletes(line: String, offered: String) async throws {
        let story = try Story()
        try story.write(
            "some.yaml",
            "name: some\ninputs: { wall: { type: integer } }\nsteps: { a: { uses: text.render, with: { text: x } } }\n")
        try FileSystem.makeFolder(FileSystem.join(story.folder.path, "folder"))
        var bash = ProgramRunner("/bin/bash")
        bash.folder = story.folder.path
        let program = FileSystem.folder(of: ProgramRunner.built("pasteup"))
        let result = try await bash.run(["-c", Self.driver, "bash", program, line])
        #expect(result.output == offered + "\n", "\(result.errors)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func scriptIsGoodForItsShell(shell: String) async throws {
        let story = try Story()
        let script = try await story.pasteup("completions", shell)
        #expect(script.code == 0)
        guard let path = ["/bin/", "/usr/bin/"].map({ $0 + shell }).first(where: FileSystem.exists) else { return }
        let checked = try await ProgramRunner(path).run(
            [shell == "fish" ? "--no-execute" : "-n", "/dev/stdin"], input: script.output)
        #expect(checked.code == 0, "\(checked.errors)")
    }

    @Test func unknownShellIsRefusedByName() async throws {
        let story = try Story()
        let run = try await story.pasteup("completions", "tcsh")
        #expect(run.code == 2)
        #expect(run.errors == "error: there are no completions for 'tcsh'. Shells are bash, zsh, fish.\n")
    }
}
