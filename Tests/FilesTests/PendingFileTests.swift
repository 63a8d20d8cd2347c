import Files
import TestSupport
import Testing

@Suite struct PendingFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func fileAppearsOnlyWhenCommitted() throws {
        let file = try PendingFile(folder.file("a"))
        try file.write([1, 2])
        try file.write([])
        try file.write([3])
        #expect(!FileSystem.exists(folder.file("a")))
        try file.commit()
        #expect(try FileSystem.read(folder.file("a")) == [1, 2, 3])
        #expect(try FileSystem.mode(folder.file("a")) == 0o600)
        #expect(try folder.names() == ["a"])
        file.discard()
        #expect(try folder.names() == ["a"])
    }

    @Test func discardedOrForgottenFileLeavesNothing() throws {
        let file = try PendingFile(folder.file("a"))
        try file.write([1])
        #expect(try folder.names().count == 1)
        file.discard()
        #expect(try folder.names().isEmpty)
        #expect(throws: FileError.self) { try file.write([2]) }
        #expect(throws: FileError.self) { try file.commit() }
        do { try PendingFile(folder.file("b")).write([1]) }
        #expect(try folder.names().isEmpty)
    }

    @Test func failedCommitLeavesNothing() throws {
        try FileSystem.makeFolder(folder.file("a/inside"))
        let file = try PendingFile(folder.file("a"))
        let error = #expect(throws: FileError.self) { try file.commit() }
        #expect(error?.operation == "rename")
        #expect(try folder.names() == ["a"])
    }

    @Test func twoWritersOfOnePathDoNotMix() throws {
        let one = try PendingFile(folder.file("a"))
        let two = try PendingFile(folder.file("a"))
        try one.write([1, 1])
        try two.write([2])
        try one.commit()
        try two.commit()
        #expect(try FileSystem.read(folder.file("a")) == [2])
        #expect(try folder.names() == ["a"])
    }
}
