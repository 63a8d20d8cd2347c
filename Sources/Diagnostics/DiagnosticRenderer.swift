/// Shows diagnostics to people, in the manner of compilers.
///
///     instagram-to-vk.yaml:41:5: error: unknown key 'need' in step 'post'. … Write 'needs: [saved]'.
///     41 |     need: [saved]
///        |     ^~~~
///
/// Tabs become blanks, a long line is cut around the fault, and control characters are shown as signs, so that the caret
/// stands under the fault and nothing in a file can act on the terminal. A line that may hold a token is not shown.
public struct DiagnosticRenderer: Sendable {
    private let sources: [String: SourceText]
    private let color: Bool
    private let maxWidth: Int

    /// - Parameters:
    ///   - sources: the files that diagnostics may speak of; for others the line is not shown.
    ///   - color: whether to write ANSI colours.
    ///   - maxWidth: the terminal columns for a shown line, without the gutter.
    public init(sources: [SourceText] = [], color: Bool = false, maxWidth: Int = 100) {
        self.sources = Dictionary(sources.map { ($0.file, $0) }) { _, later in later }
        self.color = color
        self.maxWidth = max(20, maxWidth)
    }

    /// The error's diagnostics one after the other.
    public func render(_ error: DiagnosticsError) -> String { render(error.diagnostics) }

    public func render(_ diagnostics: [Diagnostic]) -> String { diagnostics.map { render($0) }.joined() }

    /// The message, the line, and the notes beneath; ends with a line break.
    public func render(_ diagnostic: Diagnostic) -> String {
        var text = ""
        if let start = diagnostic.range?.start {
            text += paint(.bold, "\(VisibleText.of(start.file)):\(start.line):\(start.column):") + " "
        }
        text += paint(.severity(diagnostic.severity), diagnostic.severity.rawValue + ":") + " "
        text += VisibleText.of(sentences(of: diagnostic)) + "\n"
        if let range = diagnostic.range, diagnostic.showsLine { text += snippet(range, diagnostic.severity) }
        for note in diagnostic.notes { text += render(note) }
        return text
    }

    private func sentences(of diagnostic: Diagnostic) -> String {
        [diagnostic.what, diagnostic.why, diagnostic.fix].compactMap { part in
            guard let part, let last = part.last else { return nil }
            return ".!?…".contains(last) ? part : part + "."
        }.joined(separator: " ")
    }

    private func snippet(_ range: SourceRange, _ severity: Diagnostic.Severity) -> String {
        guard let line = sources[range.start.file]?.line(range.start.line),
            line.unicodeScalars.contains(where: { !$0.properties.isWhitespace }), !SecretLine.isOne(line)
        else { return "" }
        let snippet = Snippet(line: line, range: range, maxWidth: maxWidth)
        let number = String(range.start.line)
        let empty = String(repeating: " ", count: number.count)
        let underline = "^" + String(repeating: "~", count: snippet.underlineWidth - 1)
        return paint(.gutter, number + " |") + (snippet.text.isEmpty ? "" : " " + snippet.text) + "\n"
            + paint(.gutter, empty + " |") + String(repeating: " ", count: snippet.indent + 1)
            + paint(.severity(severity), underline) + "\n"
    }

    private enum Style {
        case bold, gutter
        case severity(Diagnostic.Severity)

        /// The parameters of "select graphic rendition" (ECMA-48, section 8.3.117).
        var code: String {
            switch self {
            case .bold: "1"
            case .gutter: "34"
            case .severity(.error): "1;31"
            case .severity(.warning): "1;35"
            case .severity(.note): "1;36"
            }
        }
    }

    private func paint(_ style: Style, _ text: String) -> String {
        color ? "\u{1B}[\(style.code)m\(text)\u{1B}[0m" : text
    }
}
