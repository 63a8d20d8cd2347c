import Files
import Glibc
import TestSupport
import Testing

@Suite struct FileSystemTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func whatIsWrittenIsRead(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        try FileSystem.write(bytes, to: folder.file("a"))
        #expect(try FileSystem.read(folder.file("a")) == bytes)
        #expect(try FileSystem.size(folder.file("a")) == count)
    }

    @Test func writtenFileIsForItsOwnerAloneUnlessSaid() throws {
        try FileSystem.write([1], to: folder.file("a"))
        try FileSystem.write([1], to: folder.file("b"), mode: 0o640)
        #expect(try FileSystem.mode(folder.file("a")) == 0o600)
        #expect(try FileSystem.mode(folder.file("b")) == 0o640)
    }

    @Test func writeReplacesTheWholeFileAndLeavesNoOther() throws {
        try FileSystem.write([1, 2, 3], to: folder.file("a"))
        try FileSystem.write([4], to: folder.file("a"))
        #expect(try FileSystem.read(folder.file("a")) == [4])
        #expect(try folder.names() == ["a"])
    }

    @Test func failedWriteLeavesWhatWasThere() throws {
        try FileSystem.makeFolder(folder.file("a/inside"))
        let error = #expect(throws: FileError.self) { try FileSystem.write([1], to: folder.file("a")) }
        #expect(error?.operation == "rename")
        #expect(try folder.names() == ["a"])
    }

    @Test func writeIntoAMissingFolderIsNamed() {
        let path = folder.file("none/a")
        let error = #expect(throws: FileError.self) { try FileSystem.write([1], to: path) }
        #expect(error?.isMissing == true)
        #expect(error?.description == "cannot create '\(path)': No such file or directory")
    }

    @Test func readIsLimited() throws {
        try folder.write("a", [1, 2, 3])
        #expect(try FileSystem.read(folder.file("a"), maxBytes: 3) == [1, 2, 3])
        let error = #expect(throws: FileError.self) { try FileSystem.read(folder.file("a"), maxBytes: 2) }
        #expect(error?.code == EFBIG)
    }

    @Test func readOfAFileThatShowsNoSizeIsLimitedToo() throws {
        #expect(try !FileSystem.read("/proc/self/stat").isEmpty)
        let error = #expect(throws: FileError.self) { try FileSystem.read("/proc/self/stat", maxBytes: 4) }
        #expect(error?.code == EFBIG)
    }

    @Test func readOfAFolderOrOfNothingIsAnError() {
        let isFolder = #expect(throws: FileError.self) { try FileSystem.read(folder.path) }
        #expect(isFolder?.code == EISDIR)
        let isMissing = #expect(throws: FileError.self) { try FileSystem.read(folder.file("none")) }
        #expect(isMissing?.description == "cannot open '\(folder.file("none"))': No such file or directory")
    }

    @Test func foldersAreMadeWithThoseAbove() throws {
        try FileSystem.makeFolder(folder.file("a/b/c"))
        #expect(FileSystem.isFolder(folder.file("a/b/c")))
        #expect(try FileSystem.mode(folder.file("a/b")) == 0o700)
        try FileSystem.makeFolder(folder.file("a/b/c"))
        try folder.write("f", [])
        let error = #expect(throws: FileError.self) { try FileSystem.makeFolder(folder.file("f")) }
        #expect(error?.code == ENOTDIR)
        #expect(throws: FileError.self) { try FileSystem.makeFolder(folder.file("f/below")) }
    }

    @Test func removeOfNothingIsNoError() throws {
        try folder.write("a", [])
        try FileSystem.remove(folder.file("a"))
        try FileSystem.remove(folder.file("a"))
        try FileSystem.removeTree(folder.file("a"))
        #expect(try folder.names().isEmpty)
    }

    @Test func treeIsRemovedAndLinksAreNotFollowed() throws {
        try FileSystem.makeFolder(folder.file("kept"))
        try folder.write("kept/file", [1])
        try FileSystem.makeFolder(folder.file("gone/deeper"))
        try folder.write("gone/deeper/file", [1])
        #expect(symlink(folder.file("kept"), folder.file("gone/link")) == 0)
        try FileSystem.removeTree(folder.file("gone"))
        #expect(try folder.names() == ["kept"])
        #expect(FileSystem.exists(folder.file("kept/file")))
    }

    @Test func listIsSortedAndHoldsHiddenNames() throws {
        for name in ["b", "a", ".hidden", "я"] { try folder.write(name, []) }
        #expect(try FileSystem.list(folder.path) == [".hidden", "a", "b", "я"])
        #expect(throws: FileError.self) { try FileSystem.list(folder.file("none")) }
    }

    @Test func realPathResolvesLinksAndDots() throws {
        try FileSystem.makeFolder(folder.file("a/b"))
        #expect(symlink("a/b", folder.file("link")) == 0)
        let base = try #require(FileSystem.realPath(folder.path))
        #expect(FileSystem.realPath(folder.file("link/../b/.")) == base + "/a/b")
        #expect(FileSystem.realPath(folder.file("none")) == nil)
    }

    @Test func currentFolderIsAbsolute() {
        #expect(FileSystem.currentFolder.hasPrefix("/"))
        #expect(FileSystem.isFolder(FileSystem.currentFolder))
    }

    @Test func temporaryFoldersAreNewAndPrivate() throws {
        let other = try TemporaryFolder()
        #expect(other.path != folder.path)
        #expect(try FileSystem.mode(other.path) == 0o700)
    }

    @Test(arguments: [
        ("a", "b", "a/b"), ("a/", "b", "a/b"), ("a", "/b", "/b"), ("", "b", "b"), ("/", "b", "/b"), ("a", "", "a/"),
    ]) func pathsAreJoined(_ folder: String, name: String, expected: String) {
        #expect(FileSystem.join(folder, name) == expected)
    }

    @Test(arguments: [
        ("a/b/c", "a/b", "c"), ("c", ".", "c"), ("/c", "/", "c"), ("/a/c.txt", "/a", "c.txt"), ("/", "/", ""),
    ]) func pathsAreTakenApart(_ path: String, folder: String, name: String) {
        #expect(FileSystem.folder(of: path) == folder)
        #expect(FileSystem.name(of: path) == name)
    }
}
