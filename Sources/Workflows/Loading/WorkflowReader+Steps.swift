internal import Diagnostics
internal import Expressions
internal import StepKit
internal import Values
internal import YAML

extension WorkflowReader {
    mutating func readSteps(_ root: YAMLMapping) {
        let example = "post: { uses: vk.wall.post }"
        guard let pair = root.pair("steps") else {
            if hasMisspelled("steps", in: root, known: [KnownKey].workflow.names) { return }
            problems.error(
                at: root.pairs.first?.key.useRange ?? document.root.useRange, "the workflow has no 'steps'",
                why: "Steps are what it does", fix: "Add 'steps:' with at least one, such as '\(example)'")
            return
        }
        guard let pairs = members(pair.value, of: "steps", example: example) else { return }
        if pairs.isEmpty {
            // Those that stand beside it have been told.
            if root.pairs.contains(where: isStrayStep) { return }
            problems.error(
                at: pair.key.useRange, "'steps' is empty", why: "Steps are what a workflow does",
                fix: "Add one, such as '\(example)'")
            return
        }
        collectSteps(pairs)
        readBatches()
        for position in steps.indices { readStep(position) }
    }

    /// A step that stands beside `steps`, since its lines are not indented.
    private func isStrayStep(_ pair: YAMLMapping.Pair) -> Bool {
        pair.value["uses"] != nil && ![KnownKey].workflow.names.contains(pair.name)
    }

    /// Reports keys of the workflow that are not known, and steps among them as what they are.
    mutating func reportUnknownKeys(of root: YAMLMapping) {
        for pair in root.pairs where ![KnownKey].workflow.names.contains(pair.name) {
            guard isStrayStep(pair) else {
                reportUnknownKey(pair, known: .workflow, in: "the workflow")
                continue
            }
            problems.error(
                at: pair.key.useRange, "step '\(pair.name)' does not stand under 'steps'",
                why: "What belongs to a key begins further to the right",
                fix: "Put two blanks before each of its lines",
                code: .unknownKey)
        }
    }

    /// Learns which steps there are, so that each can mention those after it.
    private mutating func collectSteps(_ pairs: [YAMLMapping.Pair]) {
        steps.reserveCapacity(pairs.count)
        for pair in pairs {
            _ = checkName(pair, what: "a step")
            if let first = stepPositions[pair.name.lowercased()] {
                reportSameName(pair, steps[first].id, what: "step")
            } else {
                stepPositions[pair.name.lowercased()] = steps.count
            }
            let body = mapping(of: pair, owner: "step '\(pair.name)'", example: "\(pair.name): { uses: … }")
            let info = body.flatMap { kind(of: $0, pair) }
            if let body, let info { suggestParameters(body, info, pair.name) }
            steps.append(
                StepDraft(
                    id: pair.name, range: pair.key.useRange, body: body, info: info,
                    hasForEach: body?.pair("for-each") != nil,
                    usesFile: Self.isPart(body?.pair("uses")?.value.scalar?.text ?? ""),
                    part: parts.removeValue(forKey: steps.count)))
        }
    }

    /// Unknown keys of a step; among them may be parameters that should stand under `with`.
    private mutating func suggestParameters(_ body: YAMLMapping, _ info: KindInfo?, _ id: String) {
        for pair in body.pairs where !Self.stepKeys.contains(pair.name) {
            let parameters =
                nearest(pair.name, among: Self.stepKeys.sorted()) == nil ? info?.declaration.parameters : nil
            let isParameter = info?.parameters[pair.name] != nil
            guard let name = isParameter ? pair.name : nearest(pair.name, among: parameters?.map(\.name) ?? []) else {
                reportUnknownKey(pair, known: .step, in: "step '\(id)'")
                continue
            }
            problems.error(
                at: pair.key.useRange, "unknown key '\(pair.name)' in step '\(id)'",
                why: isParameter
                    ? "It is a parameter, and parameters stand under 'with'" : "Parameters stand under 'with'",
                fix: isParameter ? "Write 'with: { \(name): … }'" : "Did you mean 'with: { \(name): … }'?",
                code: .unknownKey)
        }
    }

    /// The step kind that is most likely meant by a name that is none: the nearest, else the first whose words it leaves
    /// out ("vk.post", "card"), else the only one of its group ("http.get").
    private func kindMeant(by name: String) -> String? {
        if ["shell", "script", "bash", "sh", "run", "command", "exec"].contains(name) {
            return catalog.kind("exec.run") == nil ? nil : "exec.run"
        }
        if let near = nearest(name, among: catalog.knownNames) { return near }
        let words = name.lowercased().split { $0 == "." || $0 == "-" }
        guard let group = words.first else { return nil }
        let kinds = catalog.kindNames.filter { $0.split(separator: ".").first == group }
        let fuller = kinds.filter { kind in
            var rest = words[...]
            for word in kind.split(whereSeparator: { $0 == "." || $0 == "-" }) where word == rest.first {
                rest = rest.dropFirst()
            }
            return rest.isEmpty
        }
        if fuller.count == 1 || words.count > 1, let shortest = fuller.min(by: { $0.utf8.count < $1.utf8.count }) {
            return shortest
        }
        return kinds.count == 1 ? kinds[0] : nil
    }

    private static let stepKeys = Set([KnownKey].step.names)

    private mutating func kind(of body: YAMLMapping, _ step: YAMLMapping.Pair) -> KindInfo? {
        guard let pair = body.pair("uses") else {
            suggestParameters(body, nil, step.name)
            if !hasMisspelled("uses", in: body, known: [KnownKey].step.names) {
                problems.error(
                    at: step.key.useRange, "step '\(step.name)' has no 'uses'",
                    why: "A step names what it does under 'uses'",
                    fix: "Write 'uses: vk.wall.post'; 'pasteup steps' lists what there is", code: .missingKey)
            }
            return nil
        }
        guard let name = text(pair, of: "step '\(step.name)'") else {
            suggestParameters(body, nil, step.name)
            return nil
        }
        if Self.isPart(name) {
            return part(name, pair, of: body, step.name)
        }
        if let known = kinds[name] { return known }
        if let kind = catalog.kind(name) {
            let info = KindInfo(kind)
            kinds[name] = info
            return info
        }
        suggestParameters(body, nil, step.name)
        let near = problems.errorCount < 100 ? kindMeant(by: name) : nil
        problems.error(
            at: pair.value.useRange, "unknown step kind '\(name)'",
            fix: near.map { "Did you mean '\($0)'?" } ?? "'pasteup steps' lists what there is",
            code: .unknownKind)
        return nil
    }

    // MARK: One step

    private mutating func readStep(_ position: Int) {
        let draft = steps[position]
        guard let body = draft.body else { return }
        let owner = "step '\(draft.id)'"
        let title = body.pair("name").flatMap { text($0, of: owner) }
        _ = body.pair("description").flatMap { text($0, of: owner) }
        let account = account(of: draft, body)
        let errorsBefore = problems.errorCount
        let arguments = readParameters(position, body, owner)
        if let info = draft.info, problems.errorCount == errorsBefore {
            reportProblems(of: info.kind, arguments, body, draft, owner)
        }
        let needs = readNeeds(position, body, owner)
        let condition = body.pair("if").flatMap { readCondition($0, position, owner) }
        if draft.usesFile { refuseStepKeys(body, owner) }
        let call = draft.usesFile ? nil : body
        let retry = call?.pair("retry").map { self.retry($0, over: defaultRetry, of: owner) } ?? defaultRetry
        let timeout = call?.pair("timeout").flatMap { duration($0, of: owner) } ?? defaultTimeout
        let effect = call.map { self.effect(of: draft, $0, arguments, owner) } ?? .pure
        let once = call?.pair("once").flatMap { readOnce($0, position, effect, owner) }
        let continueOnError = body.pair("continue-on-error").flatMap { flag($0, of: owner) } ?? false
        checkBatchKeys(body, position, owner)
        guard let info = draft.info else { return }
        steps[position].step = Step(
            id: draft.id, title: title ?? draft.id, kind: info.kind, effect: effect, account: account,
            arguments: arguments,
            needs: needs, condition: condition, retry: retry, timeout: timeout, once: once, forEach: draft.forEach,
            continueOnError: continueOnError, range: draft.range)
    }

    private mutating func readNeeds(_ position: Int, _ body: YAMLMapping, _ owner: String) -> [String] {
        guard let pair = body.pair("needs") else { return [] }
        guard let elements = pair.value.sequence ?? (pair.value.scalar == nil || pair.value.isNull ? nil : [pair.value])
        else {
            if !pair.value.isNull {
                problems.error(
                    at: pair.value.useRange, "'needs' of \(owner) is \(pair.value.typeName), not a list of steps",
                    fix: "Write 'needs: [saved]'")
            }
            return []
        }
        var needs: [String] = []
        for element in elements {
            guard let name = element.scalar?.text, !element.isNull else {
                problems.error(
                    at: element.useRange, "'needs' of \(owner) holds \(element.typeName), not a step's id",
                    fix: "Write 'needs: [saved]'")
                continue
            }
            if let id = readNeed(name, element, position, owner) { needs.append(id) }
        }
        return needs
    }

    private mutating func readNeed(
        _ name: String, _ element: YAMLNode, _ position: Int, _ owner: String
    ) -> String? {
        if name.contains("${{") {
            problems.error(
                at: element.useRange, "'needs' of \(owner) takes no expression",
                why: "What waits for what is known before anything runs", fix: "Write the step's id: 'needs: [saved]'")
            return nil
        }
        guard let target = stepPositions[name.lowercased()] else {
            problems.error(
                at: element.useRange, "unknown step '\(name)' in 'needs' of \(owner)",
                fix: hint(for: name, among: steps.map(\.id)), code: .unknownStep)
            return nil
        }
        guard target != position else {
            problems.error(at: element.useRange, "\(owner) needs itself", fix: "Remove it from 'needs'")
            return nil
        }
        steps[position].otherMentions.append(Mention(target: target, place: .range(element.useRange)))
        return steps[target].id
    }

    private mutating func readCondition(_ pair: YAMLMapping.Pair, _ position: Int, _ owner: String) -> Expression? {
        guard let scalar = pair.value.scalar, !scalar.text.isEmpty else {
            let isEmpty = pair.value.scalar != nil
            problems.error(
                at: isEmpty ? pair.key.useRange : pair.value.useRange,
                isEmpty ? "'if' of \(owner) is empty" : "'if' of \(owner) is \(pair.value.typeName), not an expression",
                fix: "Write an expression, such as 'if: inputs.wall < 0'")
            return nil
        }
        if scalar.text.contains("${{"), let template = try? Template.parse(scalar.text), !template.isWhole {
            problems.error(
                at: pair.value.useRange, "'if' of \(owner) is always true",
                why: "It is a text with an expression in it, and a text that is not empty is true",
                fix: "Put all of it inside one ${{ … }}, or write it without")
            return nil
        }
        let expression: Expression
        do {
            expression = try Expression.parse(scalar.text, timezone: timezone)
        } catch {
            let found = Expression.problems(in: scalar.text, scope: permissiveScope, suggest: WorkflowReader.suggest)
            for problem in found { add(problem, in: pair.value) }
            return nil
        }
        let site = ArgumentSite(.condition, owner, path: "if", step: position)
        let scope = scope(for: expression.references, in: pair.value, at: site)
        for problem in expression.check(in: scope, suggest: WorkflowReader.suggest) { add(problem, in: pair.value) }
        return expression
    }
}
