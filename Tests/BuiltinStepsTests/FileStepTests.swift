import BuiltinSteps
import Files
import Glibc
import ServiceTestSupport
import StepKit
import Testing
import Values

@Suite struct FileStepTests {
    private let calls: TestCalls

    init() throws { calls = try TestCalls() }

    private func run(_ kind: any StepKind, _ parameters: ValueObject) async throws -> ValueObject {
        guard case .succeeded(let outputs) = try await kind.run(try calls.call(kind, parameters, account: nil)) else {
            return [:]
        }
        return outputs
    }

    private func what(_ kind: any StepKind, _ parameters: ValueObject) async throws -> String? {
        let error = try await stepError { try await run(kind, parameters) }
        #expect(error?.errorClass == .invalid)
        return error?.what
    }

    // MARK: text.render

    @Test func rendersText() async throws {
        #expect(try await run(TextRender(), ["text": "a\nb"]) == ["text": "a\nb"])
    }

    @Test func keepsTheTextInAFile() async throws {
        let outputs = try await run(TextRender(), ["text": "a", "save-as": "t.txt"])
        #expect(outputs["file"] == .string(calls.folder + "/post-t.txt"))
        #expect(try FileSystem.read(calls.folder + "/post-t.txt") == Array("a".utf8))
    }

    @Test(arguments: ["", "../x", "a/b", "/etc/x"]) func aKeptFileHasAPlainName(name: String) async throws {
        let what = try await what(TextRender(), ["text": "a", "save-as": .string(name)])
        #expect(what == "'save-as' is '\(name)', not the name of a file")
    }

    // MARK: file.read

    @Test func readsText() async throws {
        let path = try calls.file("a.txt", [0xEF, 0xBB, 0xBF] + Array("Привет\n".utf8))
        let outputs = try await run(FileRead(), ["path": .string(path)])
        #expect(outputs == ["text": "Привет\n", "bytes": 16, "file": .string(path)])
    }

    @Test func refusesWhatIsNoText() async throws {
        let path = try calls.file("a.jpg", SampleBytes.jpeg)
        #expect(try await what(FileRead(), ["path": .string(path)]) == "'\(path)' is no UTF-8 text")
    }

    @Test func refusesWhatIsTooLarge() async throws {
        let path = try calls.file("a.txt", [])
        truncate(path, 10_000_001)
        #expect(try await what(FileRead(), ["path": .string(path)]) == "'\(path)' is larger than 10 MB")
        truncate(path, 10_000_000)
        #expect(try await run(FileRead(), ["path": .string(path)])["bytes"] == 10_000_000)
    }

    @Test func namesAMissingFile() async throws {
        let path = calls.folder + "/none"
        #expect(
            try await what(FileRead(), ["path": .string(path)])
                == "cannot open '\(path)': No such file or directory")
    }

    // MARK: file.write

    @Test func writesTextInPlaceOfWhatWasThere() async throws {
        let path = try calls.file("a.txt", Array("a long old text".utf8))
        chmod(path, 0o640)
        let outputs = try await run(FileWrite(), ["path": .string(path), "text": "новый"])
        #expect(outputs == ["file": .string(path), "bytes": 10])
        #expect(try FileSystem.read(path) == Array("новый".utf8))
        #expect(try FileSystem.mode(path) == 0o640)
    }

    @Test func copiesAFileThroughALink() async throws {
        let source = try calls.file("a.jpg", SampleBytes.jpeg)
        let target = try calls.file("target", [])
        let link = calls.folder + "/link"
        symlink(target, link)
        _ = try await run(FileWrite(), ["path": .string(link), "from": .string(source)])
        #expect(try FileSystem.read(target) == SampleBytes.jpeg)
    }

    @Test func writesOneThing() async throws {
        let path = calls.folder + "/a"
        #expect(try await what(FileWrite(), ["path": .string(path)]) == "there is nothing to write")
        let both: ValueObject = ["path": .string(path), "text": "a", "from": .string(path)]
        #expect(try await what(FileWrite(), both) == "both 'text' and 'from' are given")
        #expect(!FileSystem.exists(path))
    }

    @Test func leavesNothingBehindWhereItCannotWrite() async throws {
        let path = calls.folder + "/none/a"
        #expect(
            try await what(FileWrite(), ["path": .string(path), "text": "a"])
                == "cannot create '\(path)': No such file or directory")
        #expect(try FileSystem.list(calls.folder) == [])
    }
}
