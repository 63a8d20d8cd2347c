internal import Diagnostics
internal import Files
internal import Values
internal import Workflows

/// What checking files has shown, for people and for programs.
struct ValidationReport {
    struct File {
        let name: String
        let diagnostics: [Diagnostic]
        /// The file itself, unless it could not be read, and others that diagnostics speak of.
        let sources: [SourceText]
        /// Nil when something is wrong with it.
        let workflow: Workflow?

        /// - Parameter isStrict: whether warnings count as errors.
        init(name: String, diagnostics: [Diagnostic], sources: [SourceText], workflow: Workflow? = nil, isStrict: Bool)
        {
            self.name = name
            self.diagnostics = diagnostics.map { diagnostic in
                var diagnostic = diagnostic
                if isStrict, diagnostic.severity == .warning { diagnostic.severity = .error }
                return diagnostic
            }
            self.sources = sources
            self.workflow = workflow
        }

        var errorCount: Int { diagnostics.count { $0.severity == .error } }

        func text(color: Bool) -> String {
            DiagnosticRenderer(sources: sources, color: color).render(diagnostics)
        }

        /// The last line for a file with errors that was read.
        var failure: String? {
            guard !sources.isEmpty, errorCount > 0 else { return nil }
            // With the file itself all is well, then.
            if let workflow, diagnostics.allSatisfy({ $0.range?.start.file != name }) {
                return "the inputs of '\(workflow.name)' do not fit; nothing was run"
            }
            return "\(name) has \(errorCount == 1 ? "1 error" : "\(errorCount) errors"); nothing was run"
        }

        var praise: String {
            guard let steps = workflow?.steps.count(where: { $0.role.isShown }), errorCount == 0 else { return "" }
            return "\(name): fine, \(steps == 1 ? "1 step" : "\(steps) steps")\n"
        }
    }

    var files: [File] = []

    var hasErrors: Bool { files.contains { $0.errorCount > 0 } }

    private var all: [(file: String, diagnostic: Diagnostic)] {
        files.flatMap { file in file.diagnostics.map { (file.name, $0) } }
    }
}

extension Diagnostic {
    /// The code for programs; each problem has one.
    fileprivate var knownCode: DiagnosticCode { code ?? (severity == .error ? .invalid : .doubtful) }

    /// What, why and how to mend it, as sentences.
    fileprivate var message: String {
        [what, why, fix].compactMap { part in
            guard let part, let last = part.last else { return nil }
            return ".!?…".contains(last) ? part : part + "."
        }.joined(separator: " ")
    }
}

// MARK: - JSON

extension ValidationReport {
    /// A problem a line. The names are promises.
    var json: String {
        all.map { Value.object(ValidationReport.members(of: $1, in: $0)).json() + "\n" }.joined()
    }

    private static func members(of diagnostic: Diagnostic, in file: String) -> ValueObject {
        var members: ValueObject = ["file": .string(diagnostic.range?.start.file ?? file)]
        if let range = diagnostic.range {
            members["line"] = .integer(Int64(range.start.line))
            members["column"] = .integer(Int64(range.start.column))
            members["end"] = .integer(Int64(range.end))
        }
        members["severity"] = .string(diagnostic.severity.rawValue)
        if diagnostic.severity != .note { members["code"] = .string(diagnostic.knownCode.rawValue) }
        members["message"] = .string(diagnostic.message)
        if !diagnostic.notes.isEmpty {
            members["notes"] = .array(diagnostic.notes.map { .object(self.members(of: $0, in: file)) })
        }
        return members
    }
}

extension SourceRange {
    /// The column after its last character.
    fileprivate var end: Int { start.column + max(1, length) }
}

// MARK: - GitHub's workflow commands

extension ValidationReport {
    /// A command a line, which GitHub Actions shows beside the file ("Workflow commands for GitHub Actions": `error`,
    /// `warning`).
    var github: String {
        all.map { file, diagnostic in
            var properties = [("file", diagnostic.range?.start.file ?? file)]
            if let range = diagnostic.range {
                properties += [
                    ("line", "\(range.start.line)"), ("endLine", "\(range.start.line)"),
                    ("col", "\(range.start.column)"), ("endColumn", "\(range.end)"),
                ]
            }
            properties.append(("title", diagnostic.knownCode.rawValue))
            let written = properties.map { "\($0)=\(ValidationReport.escape($1, isProperty: true))" }
            return "::\(diagnostic.severity == .error ? "error" : "warning") \(written.joined(separator: ","))::"
                + ValidationReport.escape(diagnostic.message, isProperty: false) + "\n"
        }.joined()
    }

    /// As `escapeData` and `escapeProperty` of actions/toolkit do it (packages/core/src/command.ts).
    private static func escape(_ text: String, isProperty: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case ":" where isProperty: escaped += "%3A"
            case "," where isProperty: escaped += "%2C"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

// MARK: - SARIF

extension ValidationReport {
    /// A log of the Static Analysis Results Interchange Format (OASIS, version 2.1.0).
    var sarif: String {
        let codes = DiagnosticCode.allCases.filter { code in all.contains { $1.knownCode == code } }
        let run: ValueObject = [
            "tool": [
                "driver": [
                    "name": "pasteup", "version": .string(Pasteup.version),
                    "rules": .array(
                        codes.map {
                            ["id": .string($0.rawValue), "shortDescription": ["text": .string($0.summary)]]
                        }),
                ]
            ],
            "columnKind": "unicodeCodePoints",
            "results": .array(
                all.map { file, diagnostic in
                    .object(ValidationReport.result(of: diagnostic, in: file, codes: codes))
                }),
        ]
        let log: ValueObject = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [.object(run)],
        ]
        return Value.object(log).json(.indented) + "\n"
    }

    private static func result(of diagnostic: Diagnostic, in file: String, codes: [DiagnosticCode]) -> ValueObject {
        var result: ValueObject = [
            "ruleId": .string(diagnostic.knownCode.rawValue),
            "ruleIndex": .integer(Int64(codes.firstIndex(of: diagnostic.knownCode) ?? -1)),
            "level": .string(diagnostic.severity.rawValue), "message": ["text": .string(diagnostic.message)],
            "locations": [.object(location(of: diagnostic, in: file))],
        ]
        if !diagnostic.notes.isEmpty {
            result["relatedLocations"] = .array(
                diagnostic.notes.map { note in
                    var place = location(of: note, in: file)
                    place["message"] = ["text": .string(note.message)]
                    return .object(place)
                })
        }
        return result
    }

    private static func location(of diagnostic: Diagnostic, in file: String) -> ValueObject {
        var place: ValueObject = [
            "artifactLocation": ["uri": .string(address(of: diagnostic.range?.start.file ?? file))]
        ]
        if let range = diagnostic.range {
            place["region"] = [
                "startLine": .integer(Int64(range.start.line)), "startColumn": .integer(Int64(range.start.column)),
                "endColumn": .integer(Int64(range.end)),
            ]
        }
        return ["physicalLocation": .object(place)]
    }

    /// The path as a relative reference (RFC 3986), an absolute one as a `file` address.
    private static func address(of path: String) -> String {
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        let digits = Array("0123456789ABCDEF")
        var address = path.hasPrefix("/") ? "file://" : ""
        for byte in path.utf8 {
            if kept.contains(byte) {
                address.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                address += "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }
        return address
    }
}
