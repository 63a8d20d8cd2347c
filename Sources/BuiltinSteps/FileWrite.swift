internal import Files
public import StepKit
internal import Threading
internal import Values

/// `file.write`: a file outside the run's own folder, there wholly or not at all.
///
/// A file that is there is replaced and keeps its mode; a new one gets the mode that the process's umask leaves. A symbolic
/// link is followed.
public struct FileWrite: StepKind {
    public init() {}

    public let declaration = StepDeclaration(
        "file.write", "Writes a file, in place of what was there.", effect: .idempotent,
        parameters: [
            Parameter("path", .file, required: true, namesNewFile: true, "The file; its folder must be there."),
            Parameter("text", .string, "What it will hold, as UTF-8."),
            Parameter("from", .file, "A file whose content it will hold; in place of 'text'."),
        ],
        outputs: [
            Output("file", .file, "Its path, absolute."),
            Output("bytes", .integer, "Its size."),
        ],
        example: """
            keep:
              uses: file.write
              with: { path: last-card.jpg, from: "${{ steps.card.outputs.file }}" }
            """)

    public func problems(in call: PlannedCall) -> [ParameterProblem] {
        let hasSource = call.given("from") != nil
        guard hasSource == (call.given("text") != nil) else { return [] }
        return [
            ParameterProblem(
                hasSource ? "both 'text' and 'from' are given" : "there is nothing to write",
                why: "A file holds a text or what another file holds.", fix: "Give one of 'text' and 'from'.")
        ]
    }

    public func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        let path = call["path"]?.string ?? ""
        let source = call["from"]?.string
        let text = call["text"]?.string ?? ""
        do {
            let count = try await offPool { try Self.write(source, text, to: path) }
            return .succeeded(["file": .string(path), "bytes": .integer(Int64(count))])
        } catch let error as FileError {
            throw StepError(file: error)
        }
    }

    private static func write(_ source: String?, _ text: String, to path: String) throws(FileError) -> Int {
        let path = FileSystem.realPath(path) ?? path
        let mode: UInt32? = try? FileSystem.mode(path)
        let bytes = try source.map { (source) throws(FileError) in try FileSystem.read(source) } ?? Array(text.utf8)
        let file = try PendingFile(path, mode: mode ?? 0o666)
        try file.write(bytes)
        try file.commit()
        return bytes.count
    }
}
