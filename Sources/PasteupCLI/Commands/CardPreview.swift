internal import BuiltinSteps
internal import Diagnostics
internal import Engine
internal import Files
internal import Glibc
internal import StepKit
internal import StoryCard
internal import Values
internal import Workflows

/// A card's file, read and checked.
struct CardPreview: Sendable {
    enum Output {
        /// The path without the ending, which the card's format gives.
        case beside(String)
        case file(String, format: String)
    }

    /// The path of the picture.
    let output: String
    private let file: StepParameterFile
    private let request: CardRequest

    /// - Throws: every problem of the file, with its place.
    init(bytes: [UInt8], path: String, output: Output) throws(DiagnosticsError) {
        let kind = CardCompose().declaration
        let file = try StepParameterFile(bytes: bytes, file: path, kind: kind, subject: "the card")
        let folder = FileSystem.folder(of: path)
        var values = file.values
        for parameter in kind.parameters {
            values[parameter.name] =
                values[parameter.name].map { value in
                    parameter.type.changingPaths(in: value) { folder == "." ? $0 : FileSystem.join(folder, $0) }
                } ?? parameter.defaultValue
        }
        if case .file(_, let format) = output { values["format"] = .string(format) }
        let problems = CardRequest.problems(of: values)
        guard problems.isEmpty else {
            let diagnostics = problems.map { CardPreview.diagnostic($0, in: file) }
            throw DiagnosticsError(diagnostics.sorted { CardPreview.place(of: $0) < CardPreview.place(of: $1) })
        }
        do { request = try CardRequest(values) } catch {
            throw DiagnosticsError([CardPreview.diagnostic(error, in: file)])
        }
        self.file = file
        switch output {
        case .file(let path, _): self.output = path
        case .beside(let stem): self.output = stem + "." + request.spec.format.fileExtension
        }
        for source in request.pictures + [path] where CardPreview.isSame(source, self.output) {
            throw DiagnosticsError([
                Diagnostic(
                    at: nil, "'\(self.output)' would be overwritten by the card that is made of it",
                    fix: "Name another file with -o")
            ])
        }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_ino == second.st_ino
            && first.st_dev == second.st_dev
    }

    func card(guides: Bool) throws(DiagnosticsError) -> ComposedCard {
        do { return try request.compose(guides: guides) } catch {
            throw DiagnosticsError([CardPreview.diagnostic(error, in: file)])
        }
    }

    private static func diagnostic(_ problem: CardProblem, in file: StepParameterFile) -> Diagnostic {
        let named = problem.file.flatMap { path in
            let name = FileSystem.name(of: path)
            return file.place { FileSystem.name(of: $0) == name }
        }
        let range = named ?? file.place(of: problem.path ?? "background")
        return Diagnostic(at: range, problem.what, why: problem.why, fix: problem.fix)
    }

    private static func place(of diagnostic: Diagnostic) -> (line: Int, column: Int) {
        diagnostic.range.map { ($0.start.line, $0.start.column) } ?? (0, 0)
    }
}
