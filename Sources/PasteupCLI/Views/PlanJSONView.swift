internal import Engine
internal import Journal
internal import StepKit
internal import Values

/// A plan as one JSON object; the names are promises.
struct PlanJSONView {
    private let plan: Plan
    private let file: String

    init(_ plan: Plan, file: String) {
        self.plan = plan
        self.file = file
    }

    var text: String {
        let object: ValueObject = [
            "workflow": .string(plan.workflow), "file": .string(file), "steps": .array(plan.steps.map(step)),
            "outputs": members(plan.outputs),
        ]
        return Value.object(object).json(.indented) + "\n"
    }

    private func step(_ step: PlannedStep) -> Value {
        var object: ValueObject = [
            "step": .string(step.address), "uses": .string(step.kind), "effect": .string(step.effect.rawValue),
            "after": .array(step.dependencies.map(Value.string)), "with": members(step.parameters),
            "requests": .array(
                step.requests.map {
                    ["method": .string($0.method), "url": $0.url.json, "fields": members($0.fields)]
                }),
        ]
        if let list = step.list {
            var forEach: ValueObject = ["of": .string(list)]
            switch step.items {
            case .known(let items): forEach["items"] = .array(items.map(self.step))
            case .after(let steps): forEach["known-after"] = .array(steps.map(Value.string))
            case .impossible(let why): forEach["error"] = .string(why)
            case nil: break
            }
            object["for-each"] = .object(forEach)
        }
        object["account"] = step.account.map(Value.string)
        object["once"] = step.once?.json
        object["if"] = step.condition.map(Value.string)
        object["state"] = step.state.map { .string($0.rawValue) }
        object["remark"] = step.remark.map(Value.string)
        if step.state == .succeeded { object["outputs"] = .object(step.outputs) }
        return .object(object)
    }

    private func members(_ members: [PlannedMember]) -> Value {
        .object(ValueObject(members.map { ($0.name, $0.value.json) }))
    }
}
