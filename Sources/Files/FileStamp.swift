/// What tells one state of a file from another: which file it is, its size, and when it was written last.
public struct FileStamp: Sendable, Hashable {
    let device: UInt64
    let file: UInt64
    let size: Int64
    let seconds: Int64
    let nanoseconds: Int64
}
