internal import Engine
internal import Journal
internal import StepKit
internal import Values

/// A plan as one JSON object; the names are promises. A long value is in it once: see `JSONDocument`.
struct PlanJSONView {
    private let plan: Plan
    private let file: String

    init(_ plan: Plan, file: String) {
        self.plan = plan
        self.file = file
    }

    /// Writes the plan step by step, and item by item: no more than one of them is there at a time.
    func write(to output: @escaping (String) -> Void) {
        var document = JSONDocument(output)
        document.open(.object)
        document.add(.string(plan.workflow), "workflow")
        document.add(.string(file), "file")
        document.open(.list, "steps")
        for step in plan.steps { write(step, &document) }
        document.close()
        document.add(members(plan.outputs), "outputs")
        document.close()
    }

    private func write(_ step: PlannedStep, _ document: inout JSONDocument) {
        document.open(.object)
        document.add(.string(step.address), "step")
        document.add(.string(step.kind), "uses")
        document.add(.string(step.effect.rawValue), "effect")
        document.add(.array(step.dependencies.map(Value.string)), "after")
        document.add(members(step.parameters), "with")
        document.add(
            .array(
                step.requests.map {
                    ["method": .string($0.method), "url": $0.url.json, "fields": members($0.fields)]
                }), "requests")
        if let list = step.list { write(list, step.items, &document) }
        if let account = step.account { document.add(.string(account), "account") }
        if let once = step.once { document.add(once.json, "once") }
        if let condition = step.condition { document.add(.string(condition), "if") }
        if let state = step.state { document.add(.string(state.rawValue), "state") }
        if let remark = step.remark { document.add(.string(remark), "remark") }
        if step.state == .succeeded { document.add(.object(step.outputs), "outputs") }
        document.close()
    }

    private func write(_ list: String, _ items: PlannedItems?, _ document: inout JSONDocument) {
        document.open(.object, "for-each")
        document.add(.string(list), "of")
        switch items {
        case .known(let items):
            document.open(.list, "items")
            for item in items { write(item, &document) }
            document.close()
        case .after(let steps): document.add(.array(steps.map(Value.string)), "known-after")
        case .impossible(let why): document.add(.string(why), "error")
        case nil: break
        }
        document.close()
    }

    private func members(_ members: [PlannedMember]) -> Value {
        .object(ValueObject(members.map { ($0.name, $0.value.json) }))
    }
}
