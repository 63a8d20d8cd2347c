import Files
import TestSupport
import Testing

/// What the README shows and says, held against the program and the repository.
@Suite(.programs) struct ReadmeTests {
    /// A reader who types the README's commands from top to bottom, with nothing in the state folder at first, sees what
    /// stands there. With `RECORD_SNAPSHOTS=1` the transcripts are written anew.
    @Test func transcriptsAreWhatTheProgramPrints() async throws {
        let readme = try Readme()
        let home = try TemporaryFolder()
        var shown = Likeness(home: Readme.shownHome)
        var real = Likeness(home: home.path)
        var renewed: [(Readme.Block, String)] = []
        var differences: [String] = []
        for block in readme.blocks("console") {
            let transcript = Transcript(block.text)
            #expect(!transcript.exchanges.isEmpty, "a transcript without a command: \(block.text)")
            var lines: [String] = []
            var code: Int32 = 0
            for exchange in transcript.exchanges {
                let command = shown.translate(exchange.command, to: real)
                let result = try await Readme.shell(home: home.path).run(
                    ["-c", "exec 2>&1\n(exit \(code))\n\(command)"])
                code = result.code
                let expected = shown.plain(exchange.output)
                if expected != real.plain(result.output) {
                    differences.append("$ \(exchange.command)\n\(result.output)")
                }
                lines.append("$ \(real.translate(command, to: shown))\n")
                lines.append(result.output.replacing(home.path, with: Readme.shownHome))
            }
            renewed.append((block, lines.joined()))
        }
        #expect(!renewed.isEmpty)
        if differences.isEmpty { return }
        Issue.record("The README shows what the program does not print:\n\(differences.joined(separator: "\n"))")
        if let problem = Snapshot.problem(readme.replacing(renewed), at: Readme.path), problem.hasPrefix("recorded") {
            Issue.record("\(problem)")
        }
    }

    @Test func ciRunsTheReadmesFourCommandsOnceEach() throws {
        let install = try #require(Readme().section("Install"))
        let commands = Readme.blocks("sh", in: install).flatMap { $0.text.lines }
        let end = try #require(commands.firstIndex(of: "swift test"))
        #expect(end == 3, "two commands of set-up, the main job, the tests: \(commands)")
        let script = String(decoding: try FileSystem.read(Readme.file(".ci/run")), as: UTF8.self).lines
        for command in commands[...end] {
            #expect(script.count { $0 == command } == 1, "'\(command)' stands in .ci/run once")
        }
        // Only the browser that tests of pages drive, and what the JSON Schema is tried with, is installed besides.
        let others = script.filter { $0.contains("apt-get") && !commands.contains($0) }
        #expect(others == ["apt-get install -y --no-install-recommends chromium python3-venv"])
    }

    @Test func theFirstWorkflowIsTheFileItNames() throws {
        let block = try #require(Readme().blocks("yaml").first)
        let file = try FileSystem.read(Readme.file("workflows/instagram-to-vk.yaml"))
        #expect(block.text == String(decoding: file, as: UTF8.self))
    }

    @Test func yamlBlocksAreValidWorkflows() async throws {
        let folder = try TemporaryFolder()
        for (index, block) in try Readme().blocks("yaml").enumerated() {
            let path = try folder.write("\(index).yaml", Array(block.text.utf8))
            let result = try await ProgramRunner(ProgramRunner.built("pasteup")).run(["validate", path])
            #expect(result.code == 0, "\(result.all)")
        }
    }

    @Test func linksToFilesOfTheRepositoryLead() throws {
        let targets = try Readme().text.matches(of: /\]\(([^)\s#]+)[^)]*\)/).map { String($0.1) }
        let files = targets.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
        #expect(files.count > 5)
        for file in files { #expect(FileSystem.exists(Readme.file(file)), "there is no '\(file)'") }
    }

    @Test func everyExampleAndWorkflowIsNamed() throws {
        let text = try Readme().text
        for folder in ["examples", "examples/faults", "workflows"] {
            for name in try FileSystem.list(Readme.file(folder)) where name.contains(".") {
                #expect(text.contains("(\(folder)/\(name))"), "the README does not name \(folder)/\(name)")
            }
        }
    }

    @Test func theChangelogHasAPlaceForWhatComes() throws {
        let text = String(decoding: try FileSystem.read(Readme.file("CHANGELOG.md")), as: UTF8.self)
        #expect(text.lines.contains("## Unreleased"))
    }
}

/// The README, and the folder it describes.
private struct Readme {
    struct Block {
        let text: String
        let range: Range<String.Index>
    }

    /// Whose home the transcripts show.
    static let shownHome = "/home/anna"
    static let path = file("README.md")

    let text: String

    init() throws { text = String(decoding: try FileSystem.read(Readme.path), as: UTF8.self) }

    static func file(_ path: String) -> String {
        FileSystem.join(FileSystem.folder(of: FileSystem.folder(of: FileSystem.folder(of: #filePath))), path)
    }

    /// A shell in the repository, for which the program that was built lies on the `PATH`.
    static func shell(home: String) -> ProgramRunner {
        let programs = FileSystem.folder(of: ProgramRunner.built("pasteup"))
        return ProgramRunner(
            "/bin/bash", environment: ["HOME": home, "PATH": "\(programs):/usr/bin:/bin"],
            folder: FileSystem.folder(of: path))
    }

    /// What fences of that kind hold.
    func blocks(_ kind: String) -> [Block] { Readme.blocks(kind, in: text[...]) }

    static func blocks(_ kind: String, in text: Substring) -> [Block] {
        var blocks: [Block] = []
        var start: String.Index?
        var isFenced = false
        var line = text.startIndex
        while line < text.endIndex {
            let end = text[line...].firstIndex(of: "\n") ?? text.endIndex
            let next = end < text.endIndex ? text.index(after: end) : end
            if isFenced, text[line..<end] == "```" {
                if let start { blocks.append(Block(text: String(text[start..<line]), range: start..<line)) }
                (start, isFenced) = (nil, false)
            } else if !isFenced, text[line..<end].hasPrefix("```") {
                isFenced = true
                start = text[line..<end] == "```\(kind)" ? next : nil
            }
            line = next
        }
        return blocks
    }

    /// What stands between that heading and the next of its rank.
    func section(_ title: String) -> Substring? {
        guard let start = text.firstRange(of: "\n## \(title)\n") else { return nil }
        let rest = text[start.upperBound...]
        return rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    }

    func replacing(_ blocks: [(Block, String)]) -> String {
        var result = ""
        var place = text.startIndex
        for (block, new) in blocks {
            result += text[place..<block.range.lowerBound] + new
            place = block.range.upperBound
        }
        return result + text[place...]
    }
}

/// Commands, each after `$ `, and what they print.
private struct Transcript {
    var exchanges: [(command: String, output: String)] = []

    init(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("$ ") {
                exchanges.append((String(line.dropFirst(2)), ""))
            } else if !exchanges.isEmpty {
                exchanges[exchanges.count - 1].output += line + "\n"
            }
        }
    }
}

/// One machine's names for what differs from run to run: the home folder, the ids of runs in the order in which they come
/// up, the time, the digests in names of cards.
private struct Likeness {
    let home: String
    private var runs: [String] = []

    init(home: String) { self.home = home }

    /// The text with placeholders. Steps that run side by side end in any order, so lines of steps that follow one another
    /// are sorted.
    mutating func plain(_ text: String) -> String {
        for match in text.matches(of: /\brun ([0-9a-z]{8})\b/) where !runs.contains(String(match.1)) {
            runs.append(String(match.1))
        }
        var plain = text.replacing(home, with: "<home>")
        for (index, run) in runs.enumerated() { plain = plain.replacing(run, with: "<run \(index + 1)>") }
        plain = plain.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d/, with: "<time>")
        plain = plain.replacing(/card-[0-9a-f]{12}\./, with: "card-<digest>.")
        plain = plain.replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:<port>")
        var lines: [String] = []
        var steps: [String] = []
        for line in plain.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.contains(/^  [a-z]+ +(succeeded|skipped|failed|paused)/) {
                steps.append(line)
            } else {
                lines += steps.sorted() + [line]
                steps = []
            }
        }
        return (lines + steps.sorted()).joined(separator: "\n")
    }

    /// A command with this machine's ids, as it is on the other.
    func translate(_ command: String, to other: Likeness) -> String {
        var command = command
        for (mine, theirs) in zip(runs, other.runs) { command = command.replacing(mine, with: theirs) }
        return command
    }
}
