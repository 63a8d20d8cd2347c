/// A text that must never be shown: a token, a password.
///
/// Printing it, putting it into a string or a dump gives "(secret)"; the text itself is had by asking for `reveal()`.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) { self.text = text }

    /// The text, for the one place that sends it to its service.
    public func reveal() -> String { text }

    public var isEmpty: Bool { text.isEmpty }
    public var description: String { "(secret)" }
    public var debugDescription: String { "(secret)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
