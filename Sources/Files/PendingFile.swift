internal import Glibc

/// A file in the making: it is written under a temporary name in the same folder, and appears under its own name only
/// when `commit` has made it last. One that is never committed leaves nothing behind.
///
/// Safe to share: its users take turns; no two call it at once.
public final class PendingFile: @unchecked Sendable {
    public let path: String
    private let temporary: String
    private var file: Int32

    /// Makes the temporary file, for its owner alone unless `mode` says otherwise.
    public init(_ path: String, mode: UInt32 = 0o600) throws(FileError) {
        self.path = path
        temporary = path + ".\(getpid()).\(UInt32.random(in: 0 ... .max)).part"
        file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw .last("create", path) }
    }

    deinit { discard() }

    /// Appends the bytes.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .last("write", path)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Appends the bytes.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        let failure: FileError? = bytes.withUnsafeBytes { buffer in
            do throws(FileError) { try write(buffer) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    /// Gives the file its name: `fsync`, rename, `fsync` of the folder. Nothing is left behind when it fails.
    public func commit() throws(FileError) {
        do throws(FileError) {
            guard fsync(file) == 0 else { throw .last("write", path) }
            let descriptor = file
            file = -1
            guard close(descriptor) == 0 else { throw .last("write", path) }
            guard rename(temporary, path) == 0 else { throw .last("rename", path) }
        } catch {
            discard()
            unlink(temporary)
            throw error
        }
        syncFolder()
    }

    /// Removes the temporary file. Does nothing after `commit`.
    public func discard() {
        guard file >= 0 else { return }
        close(file)
        file = -1
        unlink(temporary)
    }

    /// Makes a rename in the folder last. A file system that cannot do this for folders says `EINVAL`: no harm.
    private func syncFolder() {
        let folder = open(FileSystem.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
