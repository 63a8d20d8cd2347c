import Files
import TestSupport
import Testing

@Suite struct SpaceTests {
    @Test func addsTheSizesOfAllFilesBelow() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", [UInt8](repeating: 1, count: 10))
        try FileSystem.makeFolder(folder.file("deep/er"))
        try folder.write("deep/er/b", [UInt8](repeating: 1, count: 300))
        #expect(FileSystem.treeBytes(folder.path) == 310)
        #expect(FileSystem.treeBytes(folder.file("a")) == 10)
        #expect(FileSystem.treeBytes(folder.file("missing")) == 0)
    }

    @Test func tellsFreeSpaceAndNamesAMissingPath() throws {
        #expect(try FileSystem.freeBytes("/") >= 0)
        #expect(throws: FileError.self) { try FileSystem.freeBytes("/no/such/folder") }
        #expect(throws: FileError.self) { try FileSystem.changedMilliseconds("/no/such/folder") }
    }

    @Test func ownFilesAreOwnAndMissingOnesAreNobodys() throws {
        let folder = try TemporaryFolder()
        #expect(FileSystem.isOwn(folder.path))
        #expect(FileSystem.isWritable(folder.path))
        #expect(!FileSystem.isOwn(folder.file("missing")))
        #expect(!FileSystem.isWritable(folder.file("missing")))
    }
}
