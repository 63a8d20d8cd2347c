import Files
import Glibc
import SQLiteJournal
import TestSupport
import Testing
import Values

/// A state folder in which nothing can be written: what only reads works, and what writes says why it cannot.
@Suite(.programs) struct ReadOnlyStateTests {
    /// Mounting takes root and a mount namespace.
    private static let canMount = geteuid() == 0 && system("unshare -m mount -t tmpfs none /mnt 2>/dev/null") == 0

    /// Runs the program with the folder mounted over itself for reading only.
    private static let script = """
        folder=$1; shift
        mount --bind "$folder" "$folder" && mount -o remount,bind,ro "$folder" || exit 99
        "$@"
        """

    private func readOnly(_ story: Story, _ folder: String? = nil, _ words: String...) async throws -> ProgramResult {
        var program = story.runner()
        program.path = "/usr/bin/unshare"
        let folder = folder ?? story.stateFolder
        return try await turns.use { [program] in
            try await program.run(
                ["-m", "sh", "-c", Self.script, "sh", folder, ProgramRunner.built("pasteup")] + words
                    + ["--state", folder])
        }
    }

    private func story() throws -> Story {
        let story = try Story()
        try story.write(
            "text.yaml", "name: hello\nsteps: { hello: { uses: text.render, with: { text: Hello } } }\n")
        return story
    }

    private func check(_ result: ProgramResult, names folder: String) {
        let lines = result.errors.split(separator: "\n")
        #expect(result.code == 1, "\(result.all)")
        #expect(lines.count == 1, "one sentence: \(result.all)")
        #expect(result.errors.contains("'\(folder)' is on a file system that is read-only"), "\(result.all)")
        #expect(result.errors.contains("set PASTEUP_STATE to a folder that is"), "\(result.all)")
    }

    @Test(.enabled(if: canMount, "mounting a file system is not allowed here"))
    func whatOnlyReadsWorksAndWhatWritesSaysWhyItCannot() async throws {
        let story = try story()
        let file = story.folder.file("text.yaml")
        #expect(try await story.pasteup("run", file).code == 0)
        let id = try #require(try await story.pasteup("list", "--json").output.value?["run"]?.string)

        let list = try await readOnly(story, nil, "list")
        #expect(list.code == 0 && list.output.contains(id), "\(list.all)")
        #expect(!list.all.contains("no runs yet"), "\(list.all)")
        let show = try await readOnly(story, nil, "show", id)
        #expect(show.code == 0 && show.output.contains("hello  succeeded"), "\(show.all)")
        #expect(try await readOnly(story, nil, "paused").errors == "Nothing is paused.\n")
        #expect(try await readOnly(story, nil, "ledger", "list").code == 0)
        #expect(try await readOnly(story, nil, "plan", file, "--fetch").code == 0)
        #expect(try await readOnly(story, nil, "validate", file).code == 0)
        #expect(try await readOnly(story, nil, "prune", "--older-than", "1h", "--dry-run").code == 0)

        check(try await readOnly(story, nil, "run", file), names: story.stateFolder)
        check(try await readOnly(story, nil, "resume"), names: story.stateFolder)
        check(try await readOnly(story, nil, "retry", id), names: story.stateFolder)
        check(try await readOnly(story, nil, "prune", "--older-than", "1h"), names: story.stateFolder)
        let doctor = try await readOnly(story, nil, "doctor")
        #expect(doctor.code == 1)
        #expect(doctor.output.contains("'\(story.stateFolder)' is on a file system that is read-only"), "\(doctor.all)")
        #expect(doctor.output.contains("is sound"), "\(doctor.all)")
    }

    /// The copy of a folder whose last process died leaves a log without its index.
    @Test(.enabled(if: canMount, "mounting a file system is not allowed here"))
    func whatIsOnlyInTheLogIsReadFromACopy() async throws {
        let story = try story()
        #expect(try await story.pasteup("run", story.folder.file("text.yaml")).code == 0)
        let store = try await SQLiteJournalStore.open(folder: story.stateFolder)
        _ = try await store.runs(in: nil, file: nil, limit: 1)
        #expect(try await story.pasteup("run", story.folder.file("text.yaml")).code == 0)
        let copy = story.folder.file("a copy, 100%")
        try FileSystem.makeFolder(copy)
        for name in ["journal.sqlite", "journal.sqlite-wal"] {
            try FileSystem.copy(FileSystem.join(story.stateFolder, name), to: FileSystem.join(copy, name))
        }
        // As it is where another process writes at this moment.
        #expect(try await readOnly(story, nil, "list", "--json").output.split(separator: "\n").count == 2)
        await store.close()
        #expect(try FileSystem.size(FileSystem.join(copy, "journal.sqlite-wal")) > 0)
        let list = try await readOnly(story, copy, "list", "--json")
        #expect(list.output.split(separator: "\n").count == 2, "\(list.all)")
        try FileSystem.remove(FileSystem.join(copy, "journal.sqlite-wal"))
        #expect(try await readOnly(story, copy, "list", "--json").output.split(separator: "\n").count == 1)
        #expect(try FileSystem.list(story.folder.path).allSatisfy { !$0.hasPrefix("pasteup-journal-") })
    }

    /// Fills the file system, then lists.
    private static let full = """
        mount -t tmpfs -o size=1m,mode=700 none "$1" && "$2" run "$3" --state "$1" && cat /dev/zero > "$1/filler" 2>/dev/null
        "$2" list --json --state "$1"; echo "list: $?"
        "$2" run "$3" --state "$1"; echo "run: $?"
        ls "$1"
        """

    @Test(.enabled(if: canMount, "mounting a file system is not allowed here"))
    func whatOnlyReadsWorksOnAFullDisk() async throws {
        let story = try story()
        let place = story.folder.file("full")
        try FileSystem.makeFolder(place)
        var program = story.runner()
        program.path = "/usr/bin/unshare"
        let result = try await turns.use { [program] in
            try await program.run([
                "-m", "sh", "-c", Self.full, "sh", place, ProgramRunner.built("pasteup"),
                story.folder.file("text.yaml"),
            ])
        }
        #expect(result.output.contains("\"state\":\"succeeded\""), "\(result.all)")
        #expect(result.output.contains("list: 0\n"), "\(result.all)")
        #expect(result.output.contains("run: 1\n"), "\(result.all)")
        #expect(result.errors.lowercased().contains("no space left"), "\(result.all)")
    }

    @Test(arguments: [
        ["list"], ["paused"], ["show", "1"], ["resume"], ["run", "FILE"], ["prune", "--older-than", "1h"],
        ["ledger", "list"],
    ]) func aStateFolderThatIsAFileIsNamed(words: [String]) async throws {
        let story = try story()
        let place = try story.write("state-file", "")
        let words = words.map { $0 == "FILE" ? story.folder.file("text.yaml") : $0 } + ["--state", place]
        let result = try await turns.use { try await story.runner().run(words) }
        #expect(result.code == 1)
        #expect(
            result.errors
                == "error: the state folder '\(place)' is a file, not a folder. Choose a folder with --state DIR.\n",
            "\(result.all)")
    }

    @Test func aJournalThatIsAFolderIsNoJournalWithoutRuns() async throws {
        let story = try story()
        try FileSystem.makeFolder(FileSystem.join(story.stateFolder, "journal.sqlite"))
        for words in [["list"], ["paused"], ["run", story.folder.file("text.yaml")]] {
            let result = try await turns.use { try await story.runner().run(words) }
            #expect(result.code == 1, "\(result.all)")
            #expect(result.errors.contains("/journal.sqlite' cannot be written: it is a folder."), "\(result.all)")
        }
    }
}

extension String {
    fileprivate var value: Value? { try? Value(json: Array(utf8)) }
}
