/// Collects the problems of a file, or of several, while a check goes on.
public struct Problems: Sendable {
    private var collected: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []
    /// How many errors there are, without the warnings.
    public private(set) var errorCount = 0

    public init() {}

    /// Adds a diagnostic; an exact repeat is dropped.
    public mutating func add(_ diagnostic: Diagnostic) {
        guard seen.insert(diagnostic).inserted else { return }
        collected.append(diagnostic)
        if diagnostic.severity == .error { errorCount += 1 }
    }

    public mutating func add(_ diagnostics: some Sequence<Diagnostic>) {
        for diagnostic in diagnostics { add(diagnostic) }
    }

    public mutating func add(_ error: DiagnosticsError) { add(error.diagnostics) }

    public mutating func error(
        at range: SourceRange?, _ what: String, why: String? = nil, fix: String? = nil, notes: [Diagnostic] = [],
        code: DiagnosticCode? = nil
    ) {
        add(Diagnostic(.error, at: range, what, why: why, fix: fix, notes: notes, code: code))
    }

    public mutating func warning(
        at range: SourceRange?, _ what: String, why: String? = nil, fix: String? = nil, notes: [Diagnostic] = [],
        code: DiagnosticCode? = nil
    ) {
        add(Diagnostic(.warning, at: range, what, why: why, fix: fix, notes: notes, code: code))
    }

    public var isEmpty: Bool { collected.isEmpty }

    public var hasErrors: Bool { errorCount > 0 }

    public var count: Int { collected.count }

    /// In order of place; those at one place as they were added, those without a place last.
    public var diagnostics: [Diagnostic] {
        collected.enumerated().sorted { one, other in
            switch (one.element.range?.start, other.element.range?.start) {
            case (let first?, let second?) where first != second: first < second
            case (.some, nil): true
            case (nil, .some): false
            default: one.offset < other.offset
            }
        }.map(\.element)
    }

    /// - Throws: all that was collected, warnings too, when an error is among it.
    public func throwIfErrors() throws(DiagnosticsError) {
        if hasErrors { throw DiagnosticsError(diagnostics) }
    }
}
