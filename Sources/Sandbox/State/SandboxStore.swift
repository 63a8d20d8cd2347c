internal import Files
internal import Threading
internal import Values

/// The state, and its copy on disk.
///
/// Every use blocks for as long as writing `state.json` takes: callers are on threads of their own.
final class SandboxStore: Sendable {
    /// Photos' bytes, by a name of their own.
    let blobs: BlobStore
    private let state: Locked<SandboxState>
    private let path: String?
    /// Keeps a second stand-in away from the folder.
    private let lock: Locked<FileLock?>

    /// - Parameter makeState: the state of a first start.
    init(folder: String?, makeState: () -> SandboxState) throws {
        guard let folder else {
            blobs = BlobStore(folder: nil)
            state = Locked(makeState())
            path = nil
            lock = Locked(nil)
            return
        }
        try FileSystem.makeFolder(folder)
        let photos = FileSystem.join(folder, "photos")
        try FileSystem.makeFolder(photos)
        guard let lock = try FileLock.take(FileSystem.join(folder, "lock")) else {
            throw SandboxError("another sandbox uses the folder '\(folder)'. Stop it, or choose another folder.")
        }
        self.lock = Locked(lock)
        blobs = BlobStore(folder: photos)
        let path = FileSystem.join(folder, "state.json")
        self.path = path
        guard FileSystem.exists(path) else {
            let first = makeState()
            try FileSystem.write(Array(first.value.json(.indented).utf8), to: path)
            state = Locked(first)
            return
        }
        do {
            state = Locked(try SandboxState(Value(json: FileSystem.read(path))))
        } catch let error where !(error is FileError) {
            throw SandboxError("cannot go on from '\(path)': \(error). Remove the folder to begin anew.")
        }
    }

    /// Lets another stand-in have the folder.
    func close() { lock.withLock { $0 = nil } }

    /// Reads or changes the state. A change that sets `needsSaving` is on disk before this returns.
    func use<Result: Sendable>(_ body: (inout SandboxState) throws -> Result) throws -> Result {
        try state.withLock { state throws in
            let result = try body(&state)
            if state.needsSaving {
                state.needsSaving = false
                if let path { try FileSystem.write(Array(state.value.json(.indented).utf8), to: path) }
            }
            return result
        }
    }
}

/// Bytes under names: in a folder, or in memory.
final class BlobStore: Sendable {
    private let folder: String?
    private let memory = Locked<[String: [UInt8]]>([:])

    init(folder: String?) { self.folder = folder }

    func write(_ bytes: [UInt8], as name: String) throws {
        if let folder {
            try FileSystem.write(bytes, to: FileSystem.join(folder, name))
        } else {
            memory.withLock { $0[name] = bytes }
        }
    }

    /// Nil when there is none of that name.
    func read(_ name: String) throws -> [UInt8]? {
        guard let folder else { return memory.withLock { $0[name] } }
        let path = FileSystem.join(folder, name)
        return FileSystem.exists(path) ? try FileSystem.read(path) : nil
    }
}
