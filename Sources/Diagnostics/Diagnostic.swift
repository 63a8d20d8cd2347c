/// Something to tell the author of a file: what is wrong, why, and how to mend it. Of a token that stands in it only the
/// beginning is told.
public struct Diagnostic: Error, Sendable, Hashable {
    public enum Severity: String, Sendable, Hashable {
        case error, warning, note
    }

    public var severity: Severity
    /// Nil when the matter has no place in a file.
    public var range: SourceRange?
    /// What is wrong, as a clause without a full stop: "unknown key 'need' in step 'post'".
    public var what: String
    /// A sentence on the rule behind it; nil where it says itself.
    public var why: String?
    /// A sentence on how to mend it.
    public var fix: String?
    /// Other places that matter, each a diagnostic of its own ("first defined here").
    public var notes: [Diagnostic]
    /// The sort of the matter, for programs; nil for one without a name of its own.
    public var code: DiagnosticCode?
    /// Whether the line may be shown; false where it holds a secret.
    public var showsLine = true

    public init(
        _ severity: Severity = .error, at range: SourceRange?, _ what: String, why: String? = nil, fix: String? = nil,
        notes: [Diagnostic] = [], code: DiagnosticCode? = nil
    ) {
        self.severity = severity
        self.range = range
        self.what = SecretLine.masked(what)
        self.why = why.map(SecretLine.masked)
        self.fix = fix.map(SecretLine.masked)
        self.notes = notes
        self.code = code
    }
}

/// The problems that stop a file from being used, in order of place; never empty.
public struct DiagnosticsError: Error, Sendable {
    public let diagnostics: [Diagnostic]

    public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}
