import Files
import Glibc
import Testing

@Suite struct FileErrorTests {
    /// The sentences are those of errno(3) in glibc.
    @Test(arguments: [
        (ENOENT, "No such file or directory", "missing"), (ENOTDIR, "Not a directory", "missing"),
        (ENOSPC, "No space left on device", "full"), (EDQUOT, "Disk quota exceeded", "full"),
        (EROFS, "Read-only file system", "read-only"), (EACCES, "Permission denied", "read-only"),
        (EPERM, "Operation not permitted", "read-only"), (EIO, "Input/output error", ""),
    ]) func codeIsNamedAndSorted(_ code: Int32, reason: String, sort: String) {
        let error = FileError(operation: "write", path: "/a/b", code: code)
        #expect(error.description == "cannot write '/a/b': \(reason)")
        #expect(error.isMissing == (sort == "missing"))
        #expect(error.isDiskFull == (sort == "full"))
        #expect(error.isReadOnly == (sort == "read-only"))
    }
}
