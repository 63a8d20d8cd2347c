internal import Engine
internal import Journal
internal import StepKit
internal import Values

/// What a plan adds up to. Its items, which may be very many, are gone over once.
struct PlanSums {
    /// How many actions there are of each sort. What is skipped counts for none.
    struct Counts {
        fileprivate(set) var reads = 0
        fileprivate(set) var computed = 0
        fileprivate(set) var uploads = 0
        fileprivate(set) var writes = 0
        fileprivate(set) var questions = 0

        fileprivate mutating func add(_ action: PlannedStep) {
            if action.state == .skipped { return }
            if action.asksPerson {
                questions += 1
                return
            }
            switch action.effect {
            case .pure: computed += 1
            case .read: reads += 1
            case .idempotent where action.isUpload: uploads += 1
            case .idempotent, .write: writes += 1
            }
        }
    }

    private(set) var once = Counts()
    /// What is done for each item of lists that are not known yet.
    private(set) var forEach = Counts()
    /// Whether something was carried out for the plan.
    private(set) var wasFetched = false
    /// By the address of a step, then by a parameter's name: the places that its items go to.
    private var places: [String: [String: Set<String>]] = [:]

    init(_ plan: Plan) {
        plan.forEachAction { action, step, isEach in
            if isEach { forEach.add(action) } else { once.add(action) }
            if let state = action.state, state != .skipped { wasFetched = true }
            guard step.effect == .write, case .known? = step.items else { return }
            for parameter in action.parameters where PlanSums.walls.contains(parameter.name) {
                guard case .known(let value) = parameter.value else { continue }
                places[step.address, default: [:]][parameter.name, default: []].insert(value.json())
            }
        }
    }

    /// The parameters that say on which wall something is written; the first that the items differ in counts.
    private static let walls = ["owner_id", "group_id"]

    /// On how many walls the items of a step are written; nil for one, and where that is not known.
    func wallCount(of step: PlannedStep) -> Int? {
        PlanSums.walls.lazy.compactMap { places[step.address]?[$0]?.count }.first { $0 > 1 }
    }
}

extension PlannedStep {
    var isUpload: Bool { effect == .idempotent && !requests.isEmpty }
}
