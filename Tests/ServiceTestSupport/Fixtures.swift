internal import Files
public import Values

/// A folder of test data beside a test file.
public struct Fixtures: Sendable {
    private let folder: String

    /// - Parameter topic: a folder below `Fixtures`, beside the file that asks.
    public init(_ topic: String, of file: String = #filePath) {
        folder = FileSystem.join(FileSystem.folder(of: file), "Fixtures/" + topic)
    }

    /// The names of the JSON files, without their extension, sorted.
    public var names: [String] {
        ((try? FileSystem.list(folder)) ?? []).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    }

    public func json(_ name: String) throws -> Value {
        try Value(json: try FileSystem.read(path(name)))
    }

    /// The path of a JSON file.
    func path(_ name: String) -> String { FileSystem.join(folder, name + ".json") }

    public func text(_ name: String) throws -> String {
        String(decoding: try FileSystem.read(FileSystem.join(folder, name)), as: UTF8.self)
    }
}
