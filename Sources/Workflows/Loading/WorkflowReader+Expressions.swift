internal import Diagnostics
internal import Expressions
internal import StepKit
internal import Values
internal import YAML

/// What expressions mention.
extension WorkflowReader {
    /// The words for how a step ends, and what other programs call them.
    static let outcomes = ["succeeded", "failed", "skipped", "canceled"]
    private static let otherOutcomes = [
        "success": "succeeded", "failure": "failed", "cancelled": "canceled", "ok": "succeeded", "error": "failed",
    ]

    static func suggest(_ word: String, _ candidates: [String]) -> String? {
        if let other = otherOutcomes[word.lowercased()], candidates.contains(other) { return other }
        return nearest(word, among: candidates)
    }

    private static let run: ValueShape = .object(
        members: ["id": .string, "started-at": .string, "workflow": .string, "attempt": .integer], open: false)

    /// A name where the references may be anything.
    var permissiveScope: Scope {
        let open = ValueShape.object(members: [:], open: true)
        return Scope([
            "inputs": .any, "steps": .any, "env": open, "secrets": open, "run": Self.run, "item": .any, "index": .any,
        ])
    }

    mutating func add(_ problem: ExpressionProblem, in node: YAMLNode) {
        let end = problem.offset + max(1, problem.length)
        problems.add(
            Diagnostic(
                problem.severity, at: document.range(ofScalars: problem.offset..<end, in: node), problem.message,
                fix: problem.hint, code: .expression))
    }

    mutating func checkStatus(_ expression: Expression, in node: YAMLNode, at site: ArgumentSite) {
        guard site.kind != .condition, expression.readsStatus else { return }
        problems.error(
            at: piece(expression, in: node), "success(), failure(), always() and cancelled() are known only in 'if'",
            why: "They ask how the steps before have ended", fix: "Compare steps.<id>.outcome instead",
            code: .expression)
    }

    /// What the expressions of one text may know. Reports contexts, steps, inputs and secrets that may not be mentioned,
    /// and notes what the others mean for the graph; the scope then holds these as unknown, so that nothing is told twice.
    mutating func scope(for references: [Reference], in node: YAMLNode, at site: ArgumentSite) -> Scope {
        var names = MentionedNames(inputs: inputShapes)
        for reference in references {
            if let rule = site.refusal(ofContext: reference.root) {
                report(reference, in: node, "'\(reference.root)' cannot be mentioned in \(site.label)", why: rule)
                names.refused.insert(reference.root)
                continue
            }
            switch reference.root {
            case "inputs": mentionInput(reference, in: node, &names)
            case "steps": mentionStep(reference, in: node, at: site, &names)
            case "secrets": mentionSecret(reference, in: node, at: site, &names)
            case "env":
                if reference.mentionsSecret, !site.acceptsSecrets { reportSecret(reference, in: node, at: site) }
            case "item", "index":
                if site.step.map({ steps[$0].hasForEach }) != true {
                    names.refused.insert(reference.root)
                    report(
                        reference, in: node, "'\(reference.root)' is known only in a step with 'for-each'",
                        why: "It is one of the values that such a step goes over")
                }
            default: break
            }
        }
        var roots: [String: ValueShape] = [
            "inputs": .object(members: names.inputs, open: false), "env": .object(members: [:], open: true),
            "steps": .object(members: names.steps, open: true), "run": Self.run,
            "secrets": .object(members: names.secrets, open: true),
        ]
        if let position = site.step, steps[position].hasForEach {
            roots["item"] = steps[position].root.map { steps[$0].itemShape } ?? .any
            roots["index"] = .integer
        }
        for root in names.refused { roots[root] = .any }
        return Scope(roots)
    }

    /// The names that the expressions of one text mention.
    private struct MentionedNames {
        var inputs: [String: ValueShape]
        var steps: [String: ValueShape] = [:]
        var secrets: [String: ValueShape] = [:]
        /// Contexts of which something has been told already.
        var refused: Set<String> = []
    }

    private mutating func mentionInput(_ reference: Reference, in node: YAMLNode, _ names: inout MentionedNames) {
        guard let name = reference.path.first else {
            usesAllInputs = true
            return
        }
        if let written = inputNames[name.lowercased()] {
            usedInputs.insert(written)
            return
        }
        names.inputs[name] = .any
        if !areInputsKnown { return }
        let known = inputShapes.keys.sorted()
        problems.error(
            at: place(of: name, in: reference, node), "unknown input '\(name)'",
            fix: hint(for: name, among: known)
                ?? "Declare it under 'inputs': '\(name): { type: string }'", code: .unknownInput)
    }

    private mutating func mentionStep(
        _ reference: Reference, in node: YAMLNode, at site: ArgumentSite, _ names: inout MentionedNames
    ) {
        guard let name = reference.path.first else {
            names.refused.insert("steps")
            report(
                reference, in: node, "which step is meant is not written out",
                why: "A step waits for those that it mentions, so they must be known before anything runs",
                fix: "Write steps.<id>.outputs.<name>")
            return
        }
        names.steps[name] = .any
        guard let target = stepPositions[name.lowercased()] else {
            // With no steps at all, that is what is wrong.
            if steps.isEmpty { return }
            problems.error(
                at: place(of: name, in: reference, node), "unknown step '\(name)'",
                fix: hint(for: name, among: steps.map(\.id)), code: .unknownStep)
            return
        }
        if target == site.step {
            report(
                reference, in: node, "step '\(steps[target].id)' mentions itself",
                why: "What comes of a step is known only after it has run")
            return
        }
        names.steps[name] = shape(of: target, seenFrom: site.step)
        guard let step = site.step else { return }
        let mention = Mention(
            target: target, place: .piece(node, reference.offset..<reference.offset + reference.length))
        switch site.kind {
        case .once: steps[step].onceMentions.append(mention)
        case .condition: steps[step].conditionMentions.append(mention)
        case .list: steps[step].listMentions.append(mention)
        default: steps[step].sourceMentions.append(mention)
        }
    }

    /// What `steps.<id>` is there: for one with `for-each` a list of outputs, unless both go over the same list.
    private func shape(of target: Int, seenFrom step: Int?) -> ValueShape {
        guard let info = steps[target].info else { return .any }
        guard steps[target].hasForEach else { return info.shape }
        // Where the batch is not known, something has been said of that already.
        guard let root = steps[target].root else { return .any }
        return step.map { steps[$0].root == root } == true ? info.shape : info.listShape
    }

    // MARK: Secrets

    private mutating func mentionSecret(
        _ reference: Reference, in node: YAMLNode, at site: ArgumentSite, _ names: inout MentionedNames
    ) {
        guard let name = reference.path.first else {
            names.refused.insert("secrets")
            report(
                reference, in: node, "which secret is meant is not written out",
                why: "A workflow reads only the secrets that it names", fix: "Write secrets.NAME")
            return
        }
        names.secrets[name] = .string
        if !site.acceptsSecrets { reportSecret(reference, in: node, at: site) }
    }

    private mutating func reportSecret(_ reference: Reference, in node: YAMLNode, at site: ArgumentSite) {
        let ending =
            reference.root == "env"
            ? reference.path.isEmpty
                ? "; all of 'env' may hold secrets"
                : "; a variable whose name ends in TOKEN, SECRET, PASSWORD or KEY counts as one" : ""
        report(
            reference, in: node, "\(site.label) may not hold a secret", why: site.secretRule + ending,
            fix: site.kind == .hook ? "Give it in 'env'" : "Put it into an account under 'accounts'", code: .secret)
    }

    // MARK: Places

    private mutating func report(
        _ reference: Reference, in node: YAMLNode, _ what: String, why: String? = nil, fix: String? = nil,
        code: DiagnosticCode = .expression
    ) {
        let range = document.range(ofScalars: reference.offset..<reference.offset + reference.length, in: node)
        problems.error(at: range, what, why: why, fix: fix, code: code)
    }

    /// The name inside a reference, or all of it where it is not written as it reads.
    private func place(of name: String, in reference: Reference, _ node: YAMLNode) -> SourceRange {
        var range = reference.offset..<reference.offset + reference.length
        let name = Array(name.unicodeScalars)
        let scalars = Array((node.scalar?.text ?? "").unicodeScalars)
        if range.upperBound <= scalars.count, !name.isEmpty {
            let start = range.lowerBound + reference.root.unicodeScalars.count
            var at = start
            while at + name.count <= range.upperBound {
                if scalars[at..<at + name.count].elementsEqual(name) {
                    range = at..<at + name.count
                    break
                }
                at += 1
            }
        }
        return document.range(ofScalars: range, in: node)
    }

    /// The nearest candidate, else all of them where they are few. Not after so many errors that nobody reads it.
    func hint(for word: String, among candidates: [String]) -> String? {
        guard problems.errorCount < 100, !candidates.isEmpty else { return nil }
        if let near = nearest(word, among: candidates) { return "Did you mean '\(near)'?" }
        guard candidates.count <= 8 else { return nil }
        return "There \(candidates.count == 1 ? "is" : "are") \(candidates.joined(separator: ", "))"
    }
}
