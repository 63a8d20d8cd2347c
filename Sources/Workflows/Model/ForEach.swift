public import Diagnostics
public import Expressions
public import Values

/// `for-each`: the step is carried out once for each item of a list.
///
/// The list is made when the step starts, and kept: a run that is resumed goes over the same items, whatever has become
/// of what they came from.
///
/// A step with `of` goes over the list of another step, item by item: the two and all others that go over that list are
/// a *batch*, and in each of them `item`, `index` and the outputs of the others are those of the same item. What stands
/// outside of a batch waits for all items and sees lists.
public struct ForEach: Sendable {
    public enum Source: Sendable {
        /// An expression for a list.
        case expression(Expression, SourceRange)
        /// A list that is written out; its elements may hold expressions.
        case literal(Argument)
        case matrix(Matrix)
        /// The id of the step whose list it goes over.
        case of(String)
    }

    /// More items than this are an error.
    public static let maxItems = 100_000

    public let source: Source
    /// How many items are under way at once, from 1; nil for no other limit than the workflow's `concurrency`.
    public let maxParallel: Int?
    /// Whether the first item that fails keeps those from starting that have not yet.
    public let failFast: Bool
    /// Where the key stands.
    public let range: SourceRange

    public init(_ source: Source, maxParallel: Int? = nil, failFast: Bool = false, range: SourceRange) {
        self.source = source
        self.maxParallel = maxParallel
        self.failFast = failFast
        self.range = range
    }

    /// Every reference to a context in what the list is made of.
    public var references: [Reference] {
        switch source {
        case .expression(let expression, _): expression.references
        case .literal(let argument): argument.references
        case .matrix(let matrix): matrix.references
        case .of: []
        }
    }

    /// The input whose rows the items are; nil when the list is made of anything else.
    public var input: String? {
        guard case .expression(let expression, _) = source, let reference = expression.loneReference,
            reference.root == "inputs", reference.path.count == 1
        else { return nil }
        return reference.path[0]
    }

    /// What it goes over, as the file says it: "inputs.rows", "the items of card".
    public var text: String {
        switch source {
        case .expression(let expression, _): expression.source
        case .literal: "a list"
        case .matrix(let matrix): "a product of " + matrix.lists.map(\.name).joined(separator: ", ")
        case .of(let step): "the items of \(step)"
        }
    }

    /// How many items there are; nil where the file alone does not tell.
    public var count: Int? {
        switch source {
        case .expression, .of: nil
        case .literal(let argument): argument.elementCount
        case .matrix(let matrix): matrix.count
        }
    }
}

/// The product of several lists: an item for each way to take one element of every list, an object with a member for each.
///
/// As in GitHub's `matrix`: the last list goes round fastest; an object of `exclude` takes away the items that have all
/// its members; an object of `include` is added to every item that it does not contradict, and is an item of its own when
/// there is none.
public struct Matrix: Sendable {
    public let lists: [(name: String, elements: Argument)]
    public let exclude: Argument?
    public let include: Argument?

    public init(lists: [(name: String, elements: Argument)], exclude: Argument? = nil, include: Argument? = nil) {
        self.lists = lists
        self.exclude = exclude
        self.include = include
    }

    public var references: [Reference] {
        lists.flatMap(\.elements.references) + (exclude?.references ?? []) + (include?.references ?? [])
    }

    /// Nil unless the lists are written out, and nothing is taken away or added.
    fileprivate var count: Int? {
        guard exclude == nil, include == nil, !lists.isEmpty else { return nil }
        var product = 1
        for list in lists {
            guard let count = list.elements.elementCount else { return nil }
            let (next, isTooLarge) = product.multipliedReportingOverflow(by: count)
            guard !isTooLarge else { return nil }
            product = next
        }
        return product
    }

    /// The items of lists that are known.
    ///
    /// - Throws: `TooManyItems` before more than `ForEach.maxItems` are made.
    public static func items(
        _ lists: [(name: String, elements: [Value])], exclude: [ValueObject] = [], include: [ValueObject] = []
    ) throws(TooManyItems) -> [Value] {
        var count = lists.isEmpty ? 0 : 1
        for list in lists {
            let (product, isTooLarge) = count.multipliedReportingOverflow(by: list.elements.count)
            guard !isTooLarge, product <= ForEach.maxItems else {
                throw TooManyItems(count: isTooLarge ? nil : product)
            }
            count = product
        }
        var items: [ValueObject] = count == 0 ? [] : [[:]]
        for list in lists where count > 0 {
            items = items.flatMap { item in
                list.elements.map { element in
                    var item = item
                    item[list.name] = element
                    return item
                }
            }
        }
        items.removeAll { item in
            exclude.contains { pattern in pattern.allSatisfy { item[$0.key] == $0.value } && !pattern.isEmpty }
        }
        return add(include, to: items, Set(lists.map(\.name)))
    }

    private static func add(_ include: [ValueObject], to items: [ValueObject], _ names: Set<String>) -> [Value] {
        let products = items
        var items = items
        var others: [ValueObject] = []
        for addition in include {
            var isTaken = false
            for place in products.indices {
                // A member that an earlier addition has brought may be replaced; one of the product may not.
                let fits = addition.allSatisfy { !names.contains($0.key) || products[place][$0.key] == $0.value }
                guard fits else { continue }
                isTaken = true
                for (name, value) in addition { items[place][name] = value }
            }
            if !isTaken { others.append(addition) }
        }
        return (items + others).map(Value.object)
    }

    public struct TooManyItems: Error, Sendable, Hashable {
        /// Nil when there are more than can be counted.
        public let count: Int?

        public init(count: Int?) { self.count = count }
    }
}

extension Argument {
    /// Of a list that is written out.
    fileprivate var elementCount: Int? {
        switch self {
        case .list(let elements, _): elements.count
        case .literal(let value, _): value.array?.count
        case .template, .object: nil
        }
    }
}
