internal import Engine
internal import Journal
internal import StepKit
internal import Values

/// A plan for people: each step with what it would send, in order, and a last line that sums up.
struct PlanHumanView {
    private let plan: Plan
    private let file: String
    private let style: Style
    private let sums: PlanSums

    init(_ plan: Plan, file: String, _ style: Style) {
        self.plan = plan
        sums = PlanSums(plan)
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
        if let list = step.list { lines.append("   for each of \(list)" + remark(of: step)) }
        if case .known(let items)? = step.items { return lines + shown(items) }
        if let once = step.once { lines.append("   once \(once.text)") }
        return lines + body(step, indent: 3)
    }

    /// What it is given or sends, and what came of it.
    private func body(_ step: PlannedStep, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        if step.requests.isEmpty, step.state != .skipped {
            lines += members(step.parameters, indent: indent)
        }
        for request in step.requests {
            lines.append("\(margin)\(request.method) \(request.url.text)")
            lines += members(request.fields, indent: indent + 2)
        }
        if let state = step.state {
            lines.append(
                "\(margin)\(state == .succeeded ? "done for this plan" : state.rawValue)"
                    + (step.remark.map { ": \($0)" } ?? ""))
            lines += members(
                step.outputs.map { PlannedMember($0.key, .known($0.value)) }.filter { $0.name != "response" },
                indent: indent + 2)
        }
        return lines
    }

    /// How many items there are and where they go, or why that is not known.
    private func remark(of step: PlannedStep) -> String {
        switch step.items {
        case .known(let items):
            return ": \(counted(items.count, "item"))" + (sums.wallCount(of: step).map { " to \($0) walls" } ?? "")
        case .after(let steps):
            return steps.isEmpty ? ", known in the run" : ", known after \(steps.joined(separator: ", "))"
        case .impossible(let why): return ": \(why)"
        case nil: return ""
        }
    }

    /// The first items in full, and how many more there are.
    private func shown(_ items: PlannedRows) -> [String] {
        let limit = items.count <= 4 ? items.count : 3
        var lines: [String] = []
        for item in items.prefix(limit) {
            lines.append("   \(item.address)")
            if let once = item.once { lines.append("     once \(once.text)") }
            lines += body(item, indent: 5)
        }
        if items.count > limit { lines.append("   and \(items.count - limit) more") }
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
        case .idempotent: return step.isUpload ? "uploads" : "writes, and may again"
        case .write: return "writes"
        }
    }

    private var sum: String {
        let once = parts(sums.once)
        let each = parts(sums.forEach)
        var text = once.isEmpty && !each.isEmpty ? "" : once.joined(separator: ", ")
        if !each.isEmpty { text += "\(text.isEmpty ? "" : "; ")for each item \(each.joined(separator: ", "))" }
        if text.isEmpty { text = "nothing to do" }
        return "Plan: \(text). " + (sums.wasFetched ? "Nothing was written anywhere." : "Nothing was sent.")
    }

    private func parts(_ counts: PlanSums.Counts) -> [String] {
        [
            number(counts.reads, "read"), number(counts.computed, "computed here", "computed here"),
            number(counts.uploads, "upload"), number(counts.writes, "write"), number(counts.questions, "question"),
        ].compactMap { $0 }
    }

    private func number(_ count: Int, _ one: String, _ many: String? = nil) -> String? {
        count == 0 ? nil : count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }
}

extension PlannedValue {
    /// For people: what is not known yet says after which step it will be.
    var text: String {
        switch self {
        case .known(let value): value.string ?? PlannedValue.short(value)
        case .secret: "(secret)"
        case .after(let steps): steps.isEmpty ? "(known in the run)" : "(known after \(steps.joined(separator: ", ")))"
        case .text(let pieces): pieces.map(\.text).joined()
        case .list(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        case .object(let members): "{ " + members.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ") + " }"
        }
    }

    /// Of a longer list only the beginning is shown.
    private static let longestList = 50

    /// As JSON; of long lists the first elements, and how many more there are.
    private static func short(_ value: Value) -> String {
        switch value {
        case .array(let elements):
            let isLong = elements.count > longestList
            var shown = elements.prefix(isLong ? 3 : longestList).map(short)
            if isLong { shown.append(" and \(elements.count - 3) more") }
            return "[" + shown.joined(separator: ",") + "]"
        case .object(let members):
            return "{" + members.map { Value.string($0.key).json() + ":" + short($0.value) }.joined(separator: ",")
                + "}"
        default: return value.json()
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
