internal import BuiltinSteps
internal import Diagnostics
internal import Engine
internal import Files
internal import StepKit
internal import StoryCard
internal import Threading
internal import Values
internal import Workflows

/// `pasteup card`.
enum CardCommand: Command {
    static let spec = CommandSpec(
        "card", "Draws a card without a workflow, and shows the presets of 'card.compose'.",
        example: "pasteup card preview card.yaml -o card.png --guides", verbs: [preview, presets])

    private static let preview = CommandSpec(
        "card preview", "Draws the card of a file that holds what stands under 'with' of a step 'card.compose'.",
        example: "pasteup card preview card.yaml -o card.png --guides",
        arguments: [CommandSpec.Argument("FILE", "A YAML file; paths in it are taken from its folder.")],
        options: [
            CommandSpec.Option(
                "-o, --output", value: "FILE",
                "Where the picture goes; the file's name with the format's ending unless given. The ending .jpg, .png or "
                    + ".webp gives the format."),
            CommandSpec.Option(
                "--guides", "Draws the margins, the texts' boxes and what a story's player covers over the card."),
        ])

    private static let presets = CommandSpec(
        "card presets", "Lists the presets, or prints one as YAML to copy and change.",
        example: "pasteup card presets polaroid --size square > polaroid.yaml",
        arguments: [CommandSpec.Argument("NAME", isRequired: false, "The preset.")],
        options: [
            CommandSpec.Option(
                "--size", value: "SIZE",
                "Prints the one made for cards of this shape: story, portrait, square, link, or WxH, which takes the "
                    + "nearest; story unless given.")
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        if arguments.verb == presets.word { return try showPresets(arguments, session) }
        try await showPreview(arguments, session)
        return .done
    }

    private static func showPresets(_ arguments: ParsedArguments, _ session: Session) throws -> ExitCode {
        guard let name = arguments.positionals.first else {
            if arguments.value("--size") != nil {
                throw UsageError("'--size' goes with the name of a preset", fix: "Write it after the name.")
            }
            let rows = CardPreset.all.map { ($0.name, $0.summary) }
            let sizes = CardPreset.all.first?.variants.map(\.size) ?? []
            session.output.result(
                table(rows).joined(separator: "\n") + "\n\nEach is made for \(sizes.joined(separator: ", ")); another "
                    + "size takes the nearest in shape.\nPrint one to copy: pasteup card presets NAME --size SIZE\n")
            return .done
        }
        guard let preset = CardPreset.all.first(where: { $0.name == name }) else {
            let names = CardPreset.all.map(\.name)
            throw UsageError(
                "there is no preset '\(name)'",
                fix: nearest(name, among: names).map { "Did you mean '\($0)'?" }
                    ?? "The presets are \(names.joined(separator: ", ")).")
        }
        let size = arguments.value("--size") ?? "story"
        guard CardSize(size) != nil, let variant = preset.variant(for: size) else {
            throw UsageError(
                "'\(size)' is not a size",
                fix: "Write \(preset.variants.map(\.size).joined(separator: ", ")), or one like 1080x1920.")
        }
        session.output.result(variant.yaml)
        return .done
    }

    private static func showPreview(_ arguments: ParsedArguments, _ session: Session) async throws {
        let path = arguments.positionals[0]
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(path, maxBytes: 16 << 20) } catch {
            throw CommandFailure(
                "\(error)", fix: error.isMissing ? "Give the path of a card's file." : nil, code: .usage)
        }
        let source = SourceText(file: path, bytes: bytes)
        let renderer = DiagnosticRenderer(sources: [source], color: session.output.usesColor)
        let preview: CardPreview
        do {
            preview = try CardPreview(
                bytes: bytes, path: path, output: try output(arguments.value("--output"), for: path))
        } catch {
            session.output.note(renderer.render(error))
            throw CommandFailure("no card was drawn", code: .usage)
        }
        let guides = arguments.has("--guides")
        let card: ComposedCard
        do {
            // Text layout wants more stack than a small thread has.
            card = try await offPool(stackBytes: 8 << 20) { try preview.card(guides: guides) }
        } catch let error as DiagnosticsError {
            session.output.note(renderer.render(error))
            throw CommandFailure("no card was drawn", code: .usage)
        }
        for warning in card.warnings { session.tell(warning: warning) }
        do { try FileSystem.write(card.bytes, to: preview.output, mode: 0o644) } catch {
            throw CommandFailure("\(error)", fix: mending(error))
        }
        session.output.result("\(preview.output): \(card.width)x\(card.height), \(card.bytes.count) bytes\n")
    }

    private static func mending(_ error: FileError) -> String? {
        if error.isDiskFull { return "Make room on the disk." }
        if error.isMissing { return "Make the folder '\(FileSystem.folder(of: error.path))' first." }
        return error.isReadOnly ? "Name a file in a folder of yours with -o." : nil
    }

    /// - Throws: when the ending is none of a format that is written.
    private static func output(_ given: String?, for path: String) throws(DiagnosticsError) -> CardPreview.Output {
        guard let given else {
            let name = FileSystem.name(of: path)
            let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
            return .beside(FileSystem.join(FileSystem.folder(of: path), stem.isEmpty ? name : stem))
        }
        let format: String
        switch given.lowercased().split(separator: ".").last {
        case "jpg", "jpeg": format = "jpeg"
        case "png": format = "png"
        case "webp": format = "webp"
        default:
            throw DiagnosticsError([
                Diagnostic(
                    at: nil, "'\(given)' does not end in a format that is written",
                    fix: "End it in .jpg, .png or .webp")
            ])
        }
        return .file(given, format: format)
    }
}
