internal import Diagnostics
internal import Expressions
internal import StepKit

/// The steps of parts laid out among those of the workflow.
extension WorkflowReader {
    /// The steps with those of all parts in their places; nil when no step uses a file.
    ///
    /// A part without `if`, `needs` and `for-each` leaves its steps to what they mention: one of them may begin while
    /// another still waits for an input. Otherwise a step that does nothing (`<id>.begin`) stands before all of them. The
    /// step `<id>` itself waits for those that no other one of the part waits for, and holds the part's outputs.
    mutating func flatten(timezone: String?) -> FlatWorkflow? {
        guard steps.contains(where: { $0.part != nil }) else { return nil }
        var layout = Layout(folder: file.folder, timezone: timezone)
        layout.place(PlacedFile(steps, positions: stepPositions))
        for draft in layout.nested {
            problems.error(
                at: draft.range, "step '\(draft.id)' has 'for-each' in a file that is used with 'for-each'",
                why: "There are no items of items", fix: "Make one list of both, with 'matrix'")
        }
        return layout.workflow
    }
}

struct FlatWorkflow {
    let steps: [Step]
    let graph: StepGraph
    /// What the parts declare for themselves.
    let accounts: [AccountDeclaration]
}

/// A file with the places that its steps have among all.
private final class PlacedFile {
    let drafts: [StepDraft]
    /// By id in lower case.
    let positions: [String: Int]
    let scope: StepScope?
    let outer: PlacedFile?
    /// The step that stands before all of the file's; nil for none.
    let begin: Int?
    /// The step whose list all of the file's steps go over; nil for none.
    let batch: Int?
    /// Whether the run may succeed when steps of the file fail.
    let isForgiven: Bool
    /// By position in the file: where the step stands among all, and where what has its list.
    var places: [Int] = []
    var roots: [Int?] = []

    init(
        _ drafts: [StepDraft], positions: [String: Int], scope: StepScope? = nil, outer: PlacedFile? = nil,
        begin: Int? = nil, batch: Int? = nil, isForgiven: Bool = false
    ) {
        self.drafts = drafts
        self.positions = positions
        self.scope = scope
        self.outer = outer
        self.begin = begin
        self.batch = batch
        self.isForgiven = isForgiven
    }

    /// The places of the steps that these references come from, through the inputs of parts as well.
    func places(of references: [Reference], into found: inout Set<Int>) {
        for reference in references {
            switch reference.root {
            case "steps":
                guard let position = reference.path.first.flatMap({ positions[$0.lowercased()] }) else { continue }
                found.insert(places[position])
            case "inputs":
                guard let scope, let outer else { continue }
                let inputs = reference.path.first.map { [scope.input($0)].compactMap(\.self) } ?? scope.inputs
                for input in inputs { outer.places(of: input.argument?.references ?? [], into: &found) }
            default: break
            }
        }
    }
}

private struct Layout {
    /// Of the workflow's own file.
    private let folder: String
    private let timezone: String?
    private var steps: [Step] = []
    private var accounts: [AccountDeclaration] = []
    private var links: [Links] = []

    init(folder: String, timezone: String?) {
        self.folder = folder
        self.timezone = timezone
    }

    /// What a step waits for, as far as it is known while the places are given.
    private enum Links {
        case step(PlacedFile, Int)
        case begin(PlacedFile, Int)
        case end(PlacedFile)
    }

    mutating func place(_ file: PlacedFile) {
        let prefix = file.scope?.prefix ?? ""
        for (position, draft) in file.drafts.enumerated() {
            guard let step = draft.step else { continue }
            if file.batch != nil, draft.hasForEach { nested.append(draft) }
            if let part = draft.part {
                placePart(part, step, file, position)
                file.places.append(steps.count - 1)
            } else {
                file.places.append(steps.count)
                file.roots.append(steps.count)
                steps.append(
                    step.placed(
                        at: prefix + step.id, in: file.scope, batch: batch(of: file), isForgiven: file.isForgiven))
                links.append(.step(file, position))
            }
        }
    }

    /// Steps with a list of their own in files that are gone over item by item.
    private(set) var nested: [StepDraft] = []

    /// What the steps of a file go over that is used with `for-each`. Its limits hold for each of them.
    private func batch(of file: PlacedFile) -> ForEach? {
        guard let place = file.batch, let forEach = steps[place].forEach else { return nil }
        return ForEach(
            .of(steps[place].id), maxParallel: forEach.maxParallel, failFast: forEach.failFast, range: forEach.range)
    }

    private mutating func placePart(_ part: PartDraft, _ step: Step, _ file: PlacedFile, _ position: Int) {
        let address = (file.scope?.prefix ?? "") + step.id
        let given = Dictionary(step.arguments.map { ($0.name, $0.value) }) { first, _ in first }
        let scope = StepScope(
            prefix: address + "/", file: part.file, folder: part.folder,
            inputs: part.inputs.map { ScopedInput(declaration: $0, argument: given[$0.name]) }, outer: file.scope,
            use: part.use, useFolder: file.scope?.folder ?? folder, timezone: timezone)
        var begin: Int?
        if step.condition != nil || !step.needs.isEmpty || step.forEach != nil {
            begin = steps.count
            steps.append(
                step.beginning(
                    at: address + StepAddress.beginning, in: file.scope, batch: batch(of: file),
                    isForgiven: file.isForgiven))
            links.append(.begin(file, position))
        }
        file.roots.append(begin)
        let inner = PlacedFile(
            part.steps, positions: part.positions, scope: scope, outer: file, begin: begin ?? file.begin,
            batch: step.forEach != nil ? begin : file.batch, isForgiven: file.isForgiven || step.continueOnError)
        let first = steps.count
        place(inner)
        rename(part.accounts.filter { !$0.isInherited }, in: first..<steps.count, scope.prefix)
        let end = PartEnd(
            outputs: part.outputs, scope: scope, members: inner.places.map { steps[$0].id })
        steps.append(
            step.ending(at: address, in: file.scope, batch: batch(of: inner), isForgiven: file.isForgiven, end))
        links.append(.end(inner))
    }

    /// A part's own accounts are told from those of other files.
    private mutating func rename(_ own: [AccountDraft], in range: Range<Int>, _ prefix: String) {
        var names: [String: String] = [:]
        for account in own {
            guard let declaration = account.declaration else { continue }
            names[account.name] = prefix + account.name
            accounts.append(declaration.renamed(prefix + account.name))
        }
        guard !names.isEmpty else { return }
        for index in range {
            guard let name = steps[index].account, let renamed = names[name] else { continue }
            steps[index].account = renamed
        }
    }

    var workflow: FlatWorkflow? {
        var dependencies: [[Int]] = []
        var sources: [[Int]] = []
        var onceSources: [[Int]] = []
        var conditionSources: [[Int]] = []
        var listSources: [[Int]] = []
        var roots: [Int?] = []
        for (index, link) in links.enumerated() {
            var from = Set<Int>()
            var before = Set<Int>()
            var once = Set<Int>()
            var condition = Set<Int>()
            var list = Set<Int>()
            var root: Int?
            let step = steps[index]
            switch link {
            case .step(let file, let position):
                let draft = file.drafts[position]
                from.formUnion(draft.sourceMentions.targets.map { file.places[$0] })
                once.formUnion(draft.onceMentions.targets.map { file.places[$0] })
                condition.formUnion(draft.conditionMentions.targets.map { file.places[$0] })
                before.formUnion(draft.otherMentions.targets.map { file.places[$0] })
                file.places(of: step.arguments.flatMap(\.value.references), into: &from)
                if let key = step.once?.key {
                    file.places(of: key.references, into: &once)
                    if let begin = file.begin { once.insert(begin) }
                }
                file.places(of: step.condition?.references ?? [], into: &condition)
                if let begin = file.begin { before.insert(begin) }
                (root, list) = batch(of: position, at: index, in: file, roots)
            case .begin(let file, let position):
                let draft = file.drafts[position]
                condition.formUnion(draft.conditionMentions.targets.map { file.places[$0] })
                before.formUnion(draft.otherMentions.targets.map { file.places[$0] })
                file.places(of: step.condition?.references ?? [], into: &condition)
                if let begin = file.begin { before.insert(begin) }
                (root, list) = batch(of: position, at: index, in: file, roots)
            case .end(let inner):
                let named = Set(inner.drafts.flatMap { $0.mentions.targets })
                for (position, place) in inner.places.enumerated() where !named.contains(position) {
                    from.insert(place)
                }
                root = inner.batch.map { roots[$0] ?? $0 }
            }
            roots.append(root)
            listSources.append(list.sorted())
            sources.append(from.sorted())
            onceSources.append(once.sorted())
            conditionSources.append(condition.sorted())
            dependencies.append(from.union(before).union(once).union(condition).union(list).sorted())
        }
        // The files' own graphs have no cycles, and files are used from the outside in.
        guard
            let graph = try? StepGraph(
                dependencies: dependencies, sources: sources, onceSources: onceSources,
                conditionSources: conditionSources, listSources: listSources, roots: roots)
        else {
            return nil
        }
        return FlatWorkflow(steps: steps, graph: graph, accounts: accounts)
    }

    /// The step whose list it goes over, and what that list is made of where it is its own.
    private func batch(
        of position: Int, at index: Int, in file: PlacedFile, _ roots: [Int?]
    ) -> (root: Int?, list: Set<Int>) {
        let draft = file.drafts[position]
        guard let root = draft.root else { return (file.batch.map { roots[$0] ?? $0 }, []) }
        var list = Set<Int>()
        for target in draft.listMentions.targets { list.insert(file.places[target]) }
        if root == position { file.places(of: steps[index].forEach?.references ?? [], into: &list) }
        return (file.roots[root], root == position ? list : [])
    }
}
