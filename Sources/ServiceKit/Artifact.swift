internal import Files
internal import Threading

/// Keeps a file with the run: mode 0600, there wholly or not at all.
///
/// - Throws: `FileError`.
public func saveArtifact(_ bytes: [UInt8], to path: String) async throws {
    try await offPool { try FileSystem.write(bytes, to: path) }
}

/// The first of `<stem>-1<suffix>`, `<stem>-2<suffix>` … that is still free in the folder.
public func freeArtifact(in folder: String, stem: String, suffixes: [String]) -> (number: Int, path: String) {
    var number = 1
    while suffixes.contains(where: { FileSystem.exists(FileSystem.join(folder, "\(stem)-\(number)\($0)")) }) {
        number += 1
    }
    return (number, FileSystem.join(folder, "\(stem)-\(number)"))
}
