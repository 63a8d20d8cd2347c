internal import Files
internal import Glibc
internal import Values

/// PyPI's `check-jsonschema`: what another program makes of our JSON Schema.
///
/// `.ci/run` installs it and names it in `PASTEUP_CHECK_JSONSCHEMA`; without that variable the tests that need it are
/// skipped, and say so.
public struct SchemaChecker: Sendable {
    public static let path = getenv("PASTEUP_CHECK_JSONSCHEMA").map { String(cString: $0) }

    public static var isThere: Bool { path != nil }
    /// Why tests are skipped.
    public static let absence = "PASTEUP_CHECK_JSONSCHEMA names no check-jsonschema; .ci/run installs one"

    public init() {}

    /// The files that the schema refuses, or that are no YAML.
    public func refused(_ files: [String], schema: String) async throws -> Set<String> {
        let result = try await run(["--schemafile", schema, "--output-format", "json"] + files)
        guard result.code <= 1, !result.output.isEmpty else { throw ProgramError(description: result.all) }
        let report = try Value(json: Array(result.output.utf8))
        let problems = (report["errors"]?.array ?? []) + (report["parse_errors"]?.array ?? [])
        guard (result.code == 0) == problems.isEmpty else {
            throw ProgramError(description: result.all)
        }
        return Set(problems.compactMap { $0["filename"]?.string })
    }

    /// What is wrong with the schema itself; nil when nothing is.
    public func problem(of schema: String) async throws -> String? {
        let result = try await run(["--check-metaschema", schema])
        return result.code == 0 ? nil : result.all
    }

    private func run(_ words: [String]) async throws -> ProgramResult {
        try await ProgramRunner(SchemaChecker.path ?? "", environment: ["PATH": "/usr/bin:/bin"]).run(words)
    }
}
