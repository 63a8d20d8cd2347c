import Files
import Glibc
import TestSupport
import Testing
import Values

/// A real disk that is full: the state folder on a file system of a size, which grows before the job is taken up again.
@Suite(.programs) struct FullDiskTests {
    /// Mounting takes root and a mount namespace; elsewhere the commits that fail in `KillMatrixTests` must do.
    private static let canMount = geteuid() == 0 && system("unshare -m mount -t tmpfs none /mnt 2>/dev/null") == 0

    /// The file system lives as long as the shell does, so that both runs are its children.
    private static let script = """
        mkdir "$1" && mount -t tmpfs -o size=$2k,mode=700 none "$1" || exit 99
        "$3" run "$4"; echo "first: $?"
        mount -o remount,size=64m "$1" || exit 99
        "$3" run "$4" 2>&1; echo "second: $?"
        """

    @Test(.enabled(if: canMount, "mounting a file system is not allowed here"))
    func fullDiskLosesNothingAndPostsOnce() async throws {
        let story = try Story(timeout: "500ms")
        var sizes = Array(stride(from: 0, through: 1024, by: isStress ? 8 : 64))
        // Zero would be a file system without a limit.
        sizes[0] = 4
        var sentBefore: Set<Bool> = []
        for size in sizes {
            var program = story.runner()
            program.path = "/usr/bin/unshare"
            let result = try await turns.use { [program] in
                try await program.run([
                    "-m", "sh", "-c", Self.script, "sh", story.stateFolder, "\(size)", ProgramRunner.built("pasteup"),
                    story.workflow,
                ])
            }
            let comment = "\(size) KB: \(result.all)"
            let isWhole = result.output.contains("first: 0")
            #expect(isWhole || result.output.contains("first: 1\n"), "\(comment)")
            #expect(isWhole || result.errors.contains(story.stateFolder), "the folder is named. \(comment)")
            #expect(isWhole || result.errors.lowercased().contains("no space left"), "\(comment)")
            #expect(result.output.contains("second: 0\n"), "\(comment)")
            #expect(try await story.posts().count == 1, "\(comment)")
            #expect(try await story.posts().first?["attachments"]?.array?.count == 1, "\(comment)")
            try await story.startOver()
            if isWhole, size > sizes[0] {
                sentBefore.insert(true)
                break
            }
        }
        #expect(sentBefore.contains(true), "the largest is large enough")
    }
}
