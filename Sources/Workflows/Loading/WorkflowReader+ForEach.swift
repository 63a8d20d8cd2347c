internal import Diagnostics
internal import Expressions
internal import StepKit
internal import Values
internal import YAML

/// What steps with `for-each` go over. It is read before the steps themselves, so that each knows what its items are.
extension WorkflowReader {
    mutating func readBatches() {
        for position in steps.indices where steps[position].hasForEach { readForEach(position) }
        for position in steps.indices where steps[position].hasForEach { steps[position].root = root(of: position) }
        // The shapes of lists depend on which steps are batches.
        for position in steps.indices where steps[position].root == position { readItems(position) }
    }

    /// Follows `of` to the step that has a list; nil where it leads nowhere or in a circle.
    private func root(of position: Int) -> Int? {
        var place = position
        for _ in steps.indices {
            guard case .of(let id)? = steps[place].forEach?.source else {
                return place == position || steps[place].hasForEach ? place : nil
            }
            guard let next = stepPositions[id.lowercased()] else { return nil }
            place = next
        }
        return nil
    }

    private func pair(_ position: Int) -> (YAMLMapping.Pair, String)? {
        steps[position].body?.pair("for-each").map { ($0, "step '\(steps[position].id)'") }
    }

    /// Reads `of`; everything else is read when the batches are known.
    private mutating func readForEach(_ position: Int) {
        guard let (pair, owner) = pair(position), let mapping = pair.value.mapping else { return }
        checkKeys(of: mapping, known: .forEach, in: "'for-each' of \(owner)")
        guard let of = mapping.pair("of") else { return }
        for other in ["matrix", "exclude", "include"] {
            guard let pair = mapping.pair(other) else { continue }
            problems.error(
                at: pair.key.useRange, "'\(other)' in 'for-each' of \(owner) does not go with 'of'",
                why: "The items are those of the other step", fix: "Remove one of the two")
        }
        guard let id = readOf(of, position, owner) else { return }
        steps[position].forEach = makeForEach(.of(id), pair, position, owner)
    }

    private mutating func readOf(_ pair: YAMLMapping.Pair, _ position: Int, _ owner: String) -> String? {
        guard let name = pair.value.scalar?.text, !pair.value.isNull, !name.contains("${{") else {
            problems.error(
                at: pair.value.useRange, "'of' in 'for-each' of \(owner) is \(quoted(pair.value)), not a step's id",
                why: "It names the step whose items it goes over",
                fix: "Write 'for-each: { of: card }'; a list stands beside it without braces")
            return nil
        }
        guard let target = stepPositions[name.lowercased()] else {
            problems.error(
                at: pair.value.useRange, "unknown step '\(name)' in 'for-each' of \(owner)",
                fix: hint(for: name, among: steps.filter(\.hasForEach).map(\.id)))
            return nil
        }
        guard target != position else {
            problems.error(
                at: pair.value.useRange, "\(owner) goes over its own items",
                fix: "Write the list itself: 'for-each: ${{ inputs.rows }}'")
            return nil
        }
        guard steps[target].hasForEach else {
            let id = steps[target].id
            problems.error(
                at: pair.value.useRange, "step '\(id)', whose items \(owner) goes over, has no 'for-each'",
                why: "It is carried out once",
                fix: "Write 'for-each: ${{ steps.\(id).outputs.items }}' if it brings a list")
            return nil
        }
        steps[position].listMentions.append(Mention(target: target, place: .range(pair.value.useRange)))
        return steps[target].id
    }

    /// Reads the list of a root and learns what its items are.
    private mutating func readItems(_ position: Int) {
        guard let (pair, owner) = pair(position) else { return }
        let site = ArgumentSite(.list, owner, path: "for-each", step: position)
        let source: (ForEach.Source, ValueShape)?
        switch pair.value.content {
        case .scalar: source = readExpression(pair, site)
        case .sequence(let elements):
            checkCount(elements.count, pair, site)
            let shapes = elements.map { WorkflowReader.shape(of: $0) }
            source = argument(pair.value, type: .list(.any), at: site).map {
                (.literal($0), shapes.dropFirst().reduce(shapes.first ?? .any) { $0.union($1) })
            }
        case .mapping(let mapping): source = readMatrix(mapping, pair, site)
        }
        guard let (source, shape) = source else { return }
        steps[position].itemShape = shape
        steps[position].forEach = makeForEach(source, pair, position, owner)
    }

    private mutating func readExpression(
        _ pair: YAMLMapping.Pair, _ site: ArgumentSite
    ) -> (ForEach.Source, ValueShape)? {
        guard let scalar = pair.value.scalar, !pair.value.isNull, !scalar.text.isEmpty else {
            problems.error(
                at: pair.key.useRange, "\(site.label) is empty",
                fix: "Write a list, such as 'for-each: ${{ inputs.rows }}'")
            return nil
        }
        if scalar.text.contains("${{"), let template = try? Template.parse(scalar.text), !template.isWhole {
            problems.error(
                at: pair.value.useRange, "\(site.label) is a text with an expression in it, not a list",
                fix: "Put all of it inside one ${{ … }}")
            return nil
        }
        let expression: Expression
        do { expression = try Expression.parse(scalar.text) } catch {
            let found = Expression.problems(in: scalar.text, scope: permissiveScope, suggest: WorkflowReader.suggest)
            for problem in found { add(problem, in: pair.value) }
            return nil
        }
        let errorsBefore = problems.errorCount
        let scope = scope(for: expression.references, in: pair.value, at: site)
        for problem in expression.check(in: scope, suggest: WorkflowReader.suggest) { add(problem, in: pair.value) }
        checkStatus(expression, in: pair.value, at: site)
        guard problems.errorCount == errorsBefore else { return nil }
        switch expression.shape(in: scope) {
        case .list(let element): return (.expression(expression, pair.value.useRange), element)
        case .any: return (.expression(expression, pair.value.useRange), .any)
        case let shape:
            problems.error(
                at: piece(expression, in: pair.value), "\(site.label) is \(shape.phrase), not a list",
                why: "The step is carried out once for each item of a list", fix: listHint(expression))
            return nil
        }
    }

    /// What may have been meant: a list among the members of the object that was given.
    private func listHint(_ expression: Expression) -> String? {
        guard let reference = expression.references.first, expression.references.count == 1,
            reference.root == "steps", let id = reference.path.first,
            let target = stepPositions[id.lowercased()], let info = steps[target].info
        else { return nil }
        if steps[target].hasForEach, reference.path.count == 1 { return "Write steps.\(id).outputs" }
        let lists = info.declaration.outputs.filter { if case .list = $0.type { true } else { false } }
        return lists.first.map { "Did you mean steps.\(id).outputs.\($0.name)?" }
    }

    private mutating func checkCount(_ count: Int, _ pair: YAMLMapping.Pair, _ site: ArgumentSite) {
        guard count > ForEach.maxItems else { return }
        problems.error(
            at: pair.key.useRange, "\(site.label) has \(count) items",
            why: "A step goes over \(ForEach.maxItems) at most", fix: "Split the list over several runs")
    }

    private mutating func makeForEach(
        _ source: ForEach.Source, _ pair: YAMLMapping.Pair, _ position: Int, _ owner: String
    ) -> ForEach {
        let body = steps[position].body
        let limit = body?.pair("max-parallel").flatMap { integer($0, of: owner, in: 1...1000) }
        let failFast = body?.pair("fail-fast").flatMap { flag($0, of: owner) }
        return ForEach(
            source, maxParallel: limit.map(Int.init), failFast: failFast ?? false, range: pair.key.useRange)
    }

    /// Keys that mean something only beside `for-each`.
    mutating func checkBatchKeys(_ body: YAMLMapping, _ position: Int, _ owner: String) {
        guard !steps[position].hasForEach, !hasMisspelled("for-each", in: body, known: [KnownKey].step.names) else {
            return
        }
        for key in ["max-parallel", "fail-fast"] {
            guard let pair = body.pair(key) else { continue }
            problems.error(
                at: pair.key.useRange, "'\(key)' of \(owner) goes with 'for-each' only",
                why: "The step is carried out once", fix: "Remove it")
        }
    }

    // MARK: Products

    private mutating func readMatrix(
        _ mapping: YAMLMapping, _ pair: YAMLMapping.Pair, _ site: ArgumentSite
    ) -> (ForEach.Source, ValueShape)? {
        // With 'of', or a key like it, something has been said.
        guard let matrix = mapping.pair("matrix") else {
            if mapping.pair("of") == nil, !hasMisspelled("of", in: mapping, known: [KnownKey].forEach.names),
                !hasMisspelled("matrix", in: mapping, known: [KnownKey].forEach.names)
            {
                problems.error(
                    at: pair.value.useRange, "\(site.label) has neither 'of' nor 'matrix'",
                    fix: "Write a list, '{ of: STEP }' or '{ matrix: { wall: […], text: […] } }'")
            }
            return nil
        }
        guard let pairs = matrix.value.mapping?.pairs, !pairs.isEmpty else {
            problems.error(
                at: matrix.value.isNull ? matrix.key.useRange : matrix.value.useRange,
                "'matrix' in \(site.label) is \(matrix.value.isNull ? "empty" : matrix.value.typeName), not a mapping of lists",
                fix: "Write each list under its name: 'matrix: { wall: [-1, -2], text: […] }'")
            return nil
        }
        var lists: [(name: String, elements: Argument)] = []
        var members: [String: ValueShape] = [:]
        for list in pairs {
            guard checkName(list, what: "a member of the items"),
                let elements = argument(list.value, type: .list(.any), at: site.member(list.name))
            else { continue }
            lists.append((list.name, elements))
            members[list.name] = .any
        }
        let exclude = mapping.pair("exclude").map { argument($0.value, type: .list(.map), at: site.member("exclude")) }
        let include = mapping.pair("include").map { argument($0.value, type: .list(.map), at: site.member("include")) }
        guard lists.count == pairs.count, exclude.map({ $0 != nil }) ?? true, include.map({ $0 != nil }) ?? true else {
            return nil
        }
        let product = Matrix(lists: lists, exclude: exclude ?? nil, include: include ?? nil)
        // An object of 'include' may bring further members.
        return (.matrix(product), .object(members: members, open: include != nil))
    }

    /// What is known of a literal; of what holds expressions, nothing.
    private static func shape(of node: YAMLNode) -> ValueShape {
        switch node.content {
        case .scalar(let scalar):
            switch scalar.value {
            case .null: return .null
            case .bool: return .boolean
            case .integer: return .integer
            case .double: return .number
            case .string(let text): return text.contains("${{") ? .any : .string
            }
        case .sequence: return .list(of: .any)
        case .mapping(let mapping):
            let members = mapping.pairs.map { ($0.name, shape(of: $0.value)) }
            return .object(members: Dictionary(members) { first, _ in first }, open: false)
        }
    }
}
