internal import Engine
internal import Journal
internal import StepKit
internal import Values

/// A plan for people: each step with what it would send, in order, and a last line that sums up.
struct PlanHumanView {
    private let plan: Plan
    private let file: String
    private let style: Style

    init(_ plan: Plan, file: String, _ style: Style) {
        self.plan = plan
        self.file = file
        self.style = style
    }

    var text: String {
        var lines = ["Plan of \(style.bold(plan.workflow)) (\(file))"]
        for (number, step) in plan.steps.enumerated() { lines += self.lines(step, number + 1) }
        lines += ["", sum]
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(_ step: PlannedStep, _ number: Int) -> [String] {
        var heading = "\(number). \(style.bold(step.address))  \(step.kind)  (\(word(step)))"
        if let account = step.account { heading += "  account \(account)" }
        var lines = ["", heading]
        if !step.dependencies.isEmpty {
            lines.append("   after \(step.dependencies.joined(separator: ", "))")
        }
        if let condition = step.condition { lines.append("   if \(condition)") }
        if let once = step.once { lines.append("   once \(once.text)") }
        if step.requests.isEmpty {
            lines += members(step.parameters, indent: 3)
        }
        for request in step.requests {
            lines.append("   \(request.method) \(request.url.text)")
            lines += members(request.fields, indent: 5)
        }
        if let state = step.state {
            lines.append(
                "   \(state == .succeeded ? "done for this plan" : state.rawValue)"
                    + (step.remark.map { ": \($0)" } ?? ""))
            lines += members(
                step.outputs.map { PlannedMember($0.key, .known($0.value)) }.filter { $0.name != "response" }, indent: 5
            )
        }
        return lines
    }

    private func members(_ members: [PlannedMember], indent: Int) -> [String] {
        let shown = members.filter { $0.value != .known(.null) }
        let width = shown.map(\.name.count).max() ?? 0
        let margin = String(repeating: " ", count: indent)
        return shown.map { member in
            let pad = String(repeating: " ", count: width - member.name.count + 2)
            let text = member.value.text.split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: "\n" + margin + String(repeating: " ", count: width + 2))
            return margin + member.name + pad + text
        }
    }

    private func word(_ step: PlannedStep) -> String {
        if step.asksPerson { return "asks a person" }
        switch step.effect {
        case .pure: return "computed here"
        case .read: return "reads"
        case .idempotent: return isUpload(step) ? "uploads" : "writes, and may again"
        case .write: return "writes"
        }
    }

    private func isUpload(_ step: PlannedStep) -> Bool { step.effect == .idempotent && !step.requests.isEmpty }

    private var sum: String {
        let uploads = plan.steps.count { isUpload($0) && $0.state != .skipped }
        let parts = [
            number(plan.count(.read), "read"), number(plan.count(.pure), "computed here", "computed here"),
            number(uploads, "upload"), number(plan.count(.write) + plan.count(.idempotent) - uploads, "write"),
            number(plan.steps.count { $0.asksPerson }, "question"),
        ].compactMap { $0 }
        let isFetched = plan.steps.contains { $0.state != nil }
        return "Plan: \(parts.joined(separator: ", ")). "
            + (isFetched ? "Nothing was written anywhere." : "Nothing was sent.")
    }

    private func number(_ count: Int, _ one: String, _ many: String? = nil) -> String? {
        count == 0 ? nil : count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }
}

extension PlannedValue {
    /// For people: what is not known yet says after which step it will be.
    var text: String {
        switch self {
        case .known(let value): value.string ?? value.json()
        case .secret: "(secret)"
        case .after(let steps): steps.isEmpty ? "(known in the run)" : "(known after \(steps.joined(separator: ", ")))"
        case .text(let pieces): pieces.map(\.text).joined()
        case .list(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        case .object(let members): "{ " + members.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ") + " }"
        }
    }

    /// For programs: what is known is itself, all else an object that says why not.
    var json: Value {
        switch self {
        case .known(let value): value
        case .secret: ["secret": true]
        case .after(let steps): ["known-after": .array(steps.map(Value.string))]
        case .text(let pieces): ["text": .array(pieces.map(\.json))]
        case .list(let elements): .array(elements.map(\.json))
        case .object(let members): .object(ValueObject(members.map { ($0.name, $0.value.json) }))
        }
    }
}
