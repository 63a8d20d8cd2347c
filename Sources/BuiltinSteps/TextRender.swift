internal import Files
public import StepKit
internal import Threading
internal import Values

/// `text.render`: a text made of others, once, for several steps; on demand also a file with it.
public struct TextRender: StepKind {
    public init() {}

    public let declaration = StepDeclaration(
        "text.render", "Makes a text, and a file of it where one is wanted.", effect: .pure,
        parameters: [
            Parameter("text", .string, required: true, "The text; expressions in it are filled in."),
            Parameter(
                "save-as", .string, "The name of a file to keep with the run, such as caption.txt; none unless given."),
        ],
        outputs: [
            Output("text", .string, "The text."),
            Output("file", .file, "The file, with 'save-as'."),
        ],
        example: """
            caption:
              uses: text.render
              with:
                text: "${{ truncate(steps.latest.outputs.caption, 200) }} #coffee"
            """)

    public func run(_ call: StepCall) async throws -> StepResult {
        let text = call["text"]?.string ?? ""
        var outputs: ValueObject = ["text": .string(text)]
        if let name = call["save-as"]?.string {
            let path = try call.artifact(name)
            do { try await offPool { try FileSystem.write(Array(text.utf8), to: path) } } catch let error as FileError {
                throw StepError(file: error)
            }
            outputs["file"] = .string(path)
        }
        return .succeeded(outputs)
    }
}

extension StepCall {
    /// The path of a file that the run keeps for this step under a name of the author's: `<step>-<name>`.
    func artifact(_ name: String) throws(StepError) -> String {
        guard !name.isEmpty, !name.contains("/"), !name.utf8.contains(0), name.utf8.count <= 100 else {
            throw StepError(
                .invalid, "'save-as' is \(Value.string(name).quoted), not the name of a file",
                why: "The file is kept with the run, in a folder of its own.",
                fix: "Give a name without '/', of at most 100 bytes; 'file.write' writes to other places.")
        }
        return FileSystem.join(artifacts, fileStem + "-" + name)
    }
}

extension StepError {
    /// A file that could not be read or written.
    init(file error: FileError) {
        self.init(
            .invalid, "\(error)",
            fix: error.isDiskFull
                ? "Make room on the disk, then run again."
                : error.isMissing ? "Relative paths begin at the workflow file's folder." : nil)
    }
}
