import CFuzzer
import Diagnostics
import StepKit
import Values
import Workflows

/// Bytes as a workflow file: read and checked, and what is wrong with it rendered. Nothing may crash or hang.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWorkflow(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let source = SourceText(file: "fuzz.yaml", bytes: bytes)
    let renderer = DiagnosticRenderer(sources: [source])
    do throws(DiagnosticsError) {
        let loaded = try WorkflowLoader(catalog: catalog, files: noFiles).load(
            bytes: bytes, file: "fuzz.yaml", folder: "/nowhere")
        for warning in loaded.warnings { _ = renderer.render(warning) }
        precondition(loaded.workflow.graph.order.count == loaded.workflow.steps.count)
    } catch {
        precondition(!error.diagnostics.isEmpty, "a file that cannot be read has a reason")
        _ = renderer.render(error)
    }
    return 0
}

@main struct FuzzWorkflow {
    static func main() { _ = pasteup_fuzz(CommandLine.argc, CommandLine.unsafeArgv) }
}

/// Bytes that happen to name a file of this machine read none.
private let noFiles: WorkflowFiles = { name, _ throws(DiagnosticsError) in
    throw DiagnosticsError([Diagnostic(at: nil, "there is no file '\(name)'")])
}

private struct DeclaredKind: StepKind {
    let declaration: StepDeclaration

    func run(_ call: StepCall) async throws -> StepResult { .succeeded([:]) }
}

private let catalog = StepCatalog(
    kinds: [
        StepDeclaration(
            "read", "Reads.", effect: .read, account: "vk",
            parameters: [
                Parameter("kinds", .list(.choice(["image", "video"])), "Which"), Parameter("size", .size, "In pixels"),
                Parameter("photo", .file, "A photo"), Parameter("pause", .duration, "Between two"),
                Parameter("texts", .list(.object([Parameter("text", .string, required: true, "Words")])), "Lines"),
                Parameter("headers", .map, acceptsSecrets: true, "Sent along"),
            ],
            outputs: [Output("id", .string, "An id"), Output("tags", .list(.string), "Words")], hasOpenOutputs: true),
        StepDeclaration(
            "write", "Writes.", effect: .write, takesEffect: true, account: "vk",
            parameters: [Parameter("message", .string, required: true, "Words"), Parameter("to", .integer, "Whose")],
            outputs: [Output("url", .url, "Where it stands")]),
    ].map(DeclaredKind.init),
    accountTypes: [
        AccountType(
            "vk", service: "VK", baseURL: "https://api.vk.com",
            settings: [Parameter("rate", .number, default: 3, "Calls a second")])
    ])
