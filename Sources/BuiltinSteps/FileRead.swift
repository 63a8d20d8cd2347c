internal import Files
internal import Glibc
public import StepKit
internal import Threading
internal import Values

/// `file.read`: the text in a file.
public struct FileRead: StepKind {
    public init() {}

    public let declaration = StepDeclaration(
        "file.read", "Reads a text file.", effect: .read,
        parameters: [Parameter("path", .file, required: true, "The file: UTF-8, at most 10 MB.")],
        outputs: [
            Output("text", .string, "Its text, without a byte order mark."),
            Output("bytes", .integer, "The file's size."),
            Output("file", .file, "Its path, absolute."),
        ],
        example: """
            message:
              uses: file.read
              with: { path: texts/monday.txt }
            """)

    private static let maxBytes = 10_000_000

    public func run(_ call: StepCall) async throws -> StepResult {
        let path = call["path"]?.string ?? ""
        let bytes: [UInt8]
        do {
            bytes = try await offPool { try FileSystem.read(path, maxBytes: Self.maxBytes) }
        } catch let error as FileError {
            guard error.code == EFBIG else { throw StepError(file: error) }
            throw StepError(
                .invalid, "'\(path)' is larger than 10 MB",
                why: "What a step brings is kept in the journal.", fix: "Give the path itself where a file is wanted.")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard let text = String(validating: bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...], as: UTF8.self)
        else {
            throw StepError(
                .invalid, "'\(path)' is no UTF-8 text", why: "'file.read' reads texts.",
                fix: "Convert it with iconv, or give the path itself where a file is wanted.")
        }
        return .succeeded(["text": .string(text), "bytes": .integer(Int64(bytes.count)), "file": .string(path)])
    }
}
