internal import Values

/// A value of a context that an expression reads: `steps.latest.outputs.file`.
public struct Reference: Sendable, Hashable, CustomStringConvertible {
    /// The context, in lower case: "steps".
    public let root: String
    /// The members and elements below it as far as they are known: ["latest", "outputs", "file"]. An element's number
    /// is written out ("0"). Names are compared ignoring case.
    public let path: [String]
    /// Whether `path` is all of it: false when a wildcard or a computed index follows.
    public let isExact: Bool
    /// From 0, in Unicode scalars of the text that was handed in.
    public let offset: Int
    /// In Unicode scalars, the whole chain of accesses.
    public let length: Int

    public init(root: String, path: [String], isExact: Bool = true, offset: Int = 0, length: Int = 0) {
        self.root = root
        self.path = path
        self.isExact = isExact
        self.offset = offset
        self.length = length
    }

    /// Whether this reads a secret (design, section 8): anything of `secrets`, or a variable of `env` whose name ends in
    /// TOKEN, SECRET, PASSWORD or KEY. Reading all of `env`, or a computed name of it, may read one and counts as well.
    public var mentionsSecret: Bool {
        if root == "secrets" { return true }
        guard root == "env" else { return false }
        guard let name = path.first.map(CaseFolding.fold) else { return true }
        return ["TOKEN", "SECRET", "PASSWORD", "KEY"].contains { name.hasSuffix($0) }
    }

    /// The path as an author writes it: "steps.latest.outputs.file".
    public var description: String { ([root] + path).joined(separator: ".") }
}

extension Node {
    /// Appends every context path that the tree reads, from left to right, and the functions it calls.
    func collect(_ references: inout [Reference], _ functions: inout [String]) {
        switch self {
        case .literal: break
        case .name, .access: collectChain(&references, &functions)
        case .call(let name, _, let arguments, _):
            functions.append(CaseFolding.asciiLowercased(name))
            for argument in arguments { argument.collect(&references, &functions) }
        case .not(let operand, _): operand.collect(&references, &functions)
        case .comparison(_, let left, let right):
            left.collect(&references, &functions)
            right.collect(&references, &functions)
        case .and(let operands), .or(let operands):
            for operand in operands { operand.collect(&references, &functions) }
        }
    }

    private func collectChain(_ references: inout [Reference], _ functions: inout [String]) {
        let (base, accessors) = chain
        if case .name(let root, _) = base {
            var path: [String] = []
            for case let name? in accessors.lazy.map({ $0.accessor.staticName }).prefix(while: { $0 != nil }) {
                path.append(name)
            }
            references.append(
                Reference(
                    root: CaseFolding.asciiLowercased(root), path: path, isExact: path.count == accessors.count,
                    offset: span.offset, length: span.length))
        } else {
            base.collect(&references, &functions)
        }
        for case .index(let index) in accessors.map(\.accessor) { index.collect(&references, &functions) }
    }
}

extension Node.Accessor {
    /// The member's name or the element's number, when the text itself says it.
    var staticName: String? {
        switch self {
        case .member(let name, _): name
        case .index(.literal(let value, _)): value.isCollection ? nil : value.text
        case .index, .wildcard: nil
        }
    }
}

extension Expression {
    /// The reference that is all of the expression, nothing computed in it; nil for any other.
    public var loneReference: Reference? {
        guard let reference = references.first, references.count == 1, reference.isExact, reference.length == length
        else {
            return nil
        }
        return reference
    }
}
