/// Where something stands in a run: a step's id, with the item's index where the step has `for-each`: `post[3]`.
public struct StepAddress: Sendable, Hashable, CustomStringConvertible {
    public let step: String
    /// From 0 in the list as it was when the step started; nil for a step without items, or all of them.
    public let index: Int?

    public init(step: String, index: Int? = nil) {
        self.step = step
        self.index = index
    }

    /// Reads what `description` wrote. Ids hold no brackets, so that every text has one meaning.
    public init(_ text: String) {
        let bytes = text.utf8
        guard bytes.last == UInt8(ascii: "]"), let opening = bytes.lastIndex(of: UInt8(ascii: "[")),
            let index = Int(text[bytes.index(after: opening)..<bytes.index(before: bytes.endIndex)]), index >= 0
        else {
            self.init(step: text)
            return
        }
        self.init(step: String(text[..<opening]), index: index)
    }

    /// Whether it is the step that stands before the steps of a part, which people do not know of.
    public var isPartBegin: Bool { step.hasSuffix(StepAddress.beginning) }

    /// The id of the step that uses the part before whose steps this one stands.
    public static func part(of begin: String) -> String { String(begin.dropLast(beginning.count)) }

    /// What follows the id of a step that uses a part; ids themselves hold no full stop.
    package static let beginning = ".begin"

    public var description: String { index.map { "\(step)[\($0)]" } ?? step }
}

extension Workflow {
    /// The step that an address names, with an item or without.
    public func step(at address: String) -> Step? { step(address) ?? step(StepAddress(address).step) }
}
