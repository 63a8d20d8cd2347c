internal import Diagnostics
internal import Expressions
internal import StepKit
internal import Values
internal import YAML

/// Values with expressions in them, and literals, against the types of what they are for.
extension WorkflowReader {
    /// The value of a node; nil when something in it is wrong.
    mutating func argument(_ node: YAMLNode, type: ValueType, at site: ArgumentSite) -> Argument? {
        switch node.content {
        case .scalar(let scalar):
            if case .string(let text) = scalar.value, text.contains("${{") {
                return template(text, node, type: type, at: site)
            }
            if reportComment(node, type: type, site.label) { return nil }
            warnOfForeignBraces(in: node, at: site)
            guard let value = literal(node, type: type, site.label, why: site.summary) else { return nil }
            if type == .file, let path = value.string { noteFile(path, node.useRange, at: site) }
            return .literal(value, node.useRange)
        case .sequence(let elements):
            switch type {
            case .any: return list(elements, node, of: .any, at: site)
            case .list(let element): return list(elements, node, of: element, at: site)
            default: return mismatch(node, type, site)
            }
        case .mapping(let mapping):
            switch type {
            case .any, .map: return object(mapping, node, at: site)
            case .object(let parameters): return object(mapping, node, parameters, at: site)
            default: return mismatch(node, type, site)
            }
        }
    }

    /// The value of a node that takes no expressions; nil when it does not fit.
    ///
    /// - Parameter label: what it is, as the beginning of a message.
    mutating func literal(_ node: YAMLNode, type: ValueType, _ label: String, why: String? = nil) -> Value? {
        if let text = node.scalar?.text, node.string != nil, text.contains("${{") {
            problems.error(
                at: node.useRange, "\(label) takes no expression", why: "It is known before anything runs")
            return nil
        }
        do {
            return try type.fit(plainValue(of: node, type: type))
        } catch {
            report(error, in: node, type: type, label, why: why)
            return nil
        }
    }

    /// Numbers and booleans where text is wanted are taken as written: `017` stays "017".
    private func plainValue(of node: YAMLNode, type: ValueType) -> Value {
        switch node.content {
        case .scalar(let scalar):
            switch (scalar.value, type) {
            case (.null, _): return .null
            case (_, .string), (_, .choice): return .string(scalar.text)
            case (.bool(let value), _): return .bool(value)
            case (.integer(let value), _): return .integer(value)
            case (.double(let value), _): return .double(value)
            case (.string(let text), _): return .string(text)
            }
        case .sequence(let elements):
            let element: ValueType = if case .list(let type) = type { type } else { .any }
            return .array(elements.map { plainValue(of: $0, type: element) })
        case .mapping(let mapping):
            return .object(ValueObject(mapping.pairs.map { ($0.name, plainValue(of: $0.value, type: .any)) }))
        }
    }

    private mutating func report(
        _ error: TypeMismatch, in node: YAMLNode, type: ValueType, _ label: String, why: String?
    ) {
        var place = node
        for element in error.path {
            switch element {
            case .member(let name): place = place[name] ?? place
            case .index(let index): place = place.sequence?[index] ?? place
            }
        }
        let inner = error.pathText.isEmpty ? "" : " at '\(error.pathText)'"
        let problem = place.scalar.map { error.problem(writtenAs: $0.text) } ?? error.problem
        problems.error(
            at: place.useRange, "\(label)\(inner) \(problem)", why: why, fix: repair(node, type), code: .type)
    }

    private mutating func mismatch(_ node: YAMLNode, _ type: ValueType, _ site: ArgumentSite) -> Argument? {
        problems.error(
            at: node.useRange, "\(site.label) is \(node.typeName), not \(type.phrase)", why: site.summary,
            fix: repair(node, type), code: .type)
        return nil
    }

    /// How to mend some mistakes that are often made.
    private func repair(_ node: YAMLNode, _ type: ValueType) -> String? {
        switch type {
        case .list:
            // Of words with blanks between nobody knows whether they are one element or several.
            guard let text = node.scalar?.text, !text.contains(" ") else { return nil }
            return "Write [\(text.count <= 30 ? text : "…")]"
        case .boolean:
            switch node.string?.lowercased() {
            case "yes", "on": return "Write true"
            case "no", "off": return "Write false"
            default: return nil
            }
        case .duration: return node.integer.map { "Write \($0)s if seconds are meant" }
        case .choice(let words):
            return node.scalar.flatMap { nearest($0.text, among: words) }.map { "Did you mean '\($0)'?" }
        case .color: return node.scalar.flatMap { colorRepair($0.text) }
        case .file, .url, .size, .length, .string, .any, .integer, .number, .time, .map, .object: return nil
        }
    }

    // MARK: Expressions

    private mutating func template(
        _ text: String, _ node: YAMLNode, type: ValueType, at site: ArgumentSite
    ) -> Argument? {
        let template: Template
        do {
            template = try Template.parse(text, timezone: timezone)
        } catch {
            add(ExpressionProblem(error), in: node)
            return nil
        }
        let errorsBefore = problems.errorCount
        let scope = scope(for: template.references, in: node, at: site)
        for problem in template.check(in: scope, suggest: WorkflowReader.suggest) { add(problem, in: node) }
        for expression in template.expressions { checkStatus(expression, in: node, at: site) }
        warnOfForeignBraces(in: node, at: site)
        guard problems.errorCount == errorsBefore else { return nil }
        let shape = template.shape(in: scope)
        guard type.mayTake(shape) else {
            problems.error(
                at: template.whole.map { piece($0, in: node) } ?? node.useRange,
                "\(site.label) is \(shape.phrase), not \(type.phrase)", why: site.summary, code: .type)
            return nil
        }
        return .template(template, node.useRange)
    }

    func piece(_ expression: Expression, in node: YAMLNode) -> SourceRange {
        document.range(ofScalars: expression.offset..<expression.offset + expression.length, in: node)
    }

    // MARK: Lists and mappings

    private mutating func list(
        _ elements: [YAMLNode], _ node: YAMLNode, of type: ValueType, at site: ArgumentSite
    ) -> Argument? {
        var arguments: [Argument] = []
        for (index, element) in elements.enumerated() {
            if let argument = argument(element, type: type, at: site.element(index)) { arguments.append(argument) }
        }
        guard arguments.count == elements.count else { return nil }
        let values = arguments.compactMap(\.literal)
        return values.count == arguments.count
            ? .literal(.array(values), node.useRange) : .list(arguments, node.useRange)
    }

    private mutating func object(_ mapping: YAMLMapping, _ node: YAMLNode, at site: ArgumentSite) -> Argument? {
        var members: [(name: String, value: Argument)] = []
        for pair in mapping.pairs {
            guard checkLiteralKey(pair, site) else { continue }
            if let argument = argument(pair.value, type: .any, at: site.member(pair.name)) {
                members.append((pair.name, argument))
            }
        }
        return members.count == mapping.pairs.count ? object(of: members, node) : nil
    }

    private mutating func object(
        _ mapping: YAMLMapping, _ node: YAMLNode, _ parameters: [Parameter], at site: ArgumentSite
    ) -> Argument? {
        let names = parameters.map(\.name)
        var members: [(name: String, value: Argument)] = []
        for pair in mapping.pairs {
            guard let parameter = parameters.first(where: { $0.name == pair.name }) else {
                problems.error(
                    at: pair.key.useRange, "unknown key '\(pair.name)' in \(site.label)",
                    fix: nearest(pair.name, among: names).map { "Did you mean '\($0)'?" }
                        ?? "The keys are " + names.joined(separator: ", "), code: .unknownKey)
                continue
            }
            if let argument = argument(pair.value, type: parameter.type, at: site.parameter(parameter)) {
                members.append((pair.name, argument))
            }
        }
        for parameter in parameters where parameter.isRequired && parameter.defaultValue == nil {
            if mapping[parameter.name]?.isNull ?? true {
                if hasMisspelled(parameter.name, in: mapping, known: names) { return nil }
                problems.error(
                    at: mapping.pair(parameter.name)?.key.useRange ?? node.useRange,
                    "\(site.label) has no '\(parameter.name)'",
                    why: parameter.summary.isEmpty ? nil : parameter.summary, fix: "Add '\(parameter.name): …'",
                    code: .missingParameter)
                return nil
            }
        }
        return members.count == mapping.pairs.count ? object(of: members, node) : nil
    }

    private func object(of members: [(name: String, value: Argument)], _ node: YAMLNode) -> Argument {
        let values = members.compactMap { member in member.value.literal.map { (member.name, $0) } }
        return values.count == members.count
            ? .literal(.object(ValueObject(values)), node.useRange) : .object(members, node.useRange)
    }

    private mutating func checkLiteralKey(_ pair: YAMLMapping.Pair, _ site: ArgumentSite) -> Bool {
        guard pair.name.contains("${{") else { return true }
        problems.error(
            at: pair.key.useRange, "a key in \(site.label) holds an expression", why: "Only values may",
            fix: "Build such a mapping with fromJSON('{…}')")
        return false
    }
}

extension Argument {
    var literal: Value? { if case .literal(let value, _) = self { value } else { nil } }
}
