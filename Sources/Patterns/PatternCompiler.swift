/// Makes the automaton of a pattern's tree.
struct PatternCompiler {
    private var program: [Instruction] = []

    mutating func compile(_ node: PatternNode) throws(Pattern.Fault) -> [Instruction] {
        try add(node)
        program.append(.accept)
        return program
    }

    private mutating func add(_ node: PatternNode) throws(Pattern.Fault) {
        switch node {
        case .empty: break
        case .take(let set): program.append(.take(set))
        case .require(let assertion): program.append(.require(assertion))
        case .sequence(let nodes): for node in nodes { try add(node) }
        case .either(let branches): try addEither(branches)
        case .repeat(let node, let least, let most, let offset): try addRepeat(node, least, most, offset)
        }
    }

    private mutating func addEither(_ branches: [PatternNode]) throws(Pattern.Fault) {
        var exits: [Int] = []
        for branch in branches.dropLast() {
            let split = program.count
            program.append(.jump(0))
            try add(branch)
            exits.append(program.count)
            program.append(.jump(0))
            program[split] = .split(split + 1, program.count)
        }
        try add(branches[branches.count - 1])
        for exit in exits { program[exit] = .jump(program.count) }
    }

    private mutating func addRepeat(
        _ node: PatternNode, _ least: Int, _ most: Int?, _ offset: Int
    ) throws(Pattern.Fault) {
        func check(_ count: Int) throws(Pattern.Fault) {
            guard count <= Pattern.maxInstructions else {
                throw Pattern.Fault(
                    message: "the repetitions up to here make the pattern too large", fix: "Write smaller numbers.",
                    offset: offset)
            }
        }
        for _ in 0..<least {
            let start = program.count
            try add(node)
            try check(program.count)
            // Nothing, however often, is nothing.
            if program.count == start { return }
        }
        guard let most else {
            let start = program.count
            program.append(.jump(0))
            try add(node)
            program.append(.jump(start))
            program[start] = .split(start + 1, program.count)
            try check(program.count)
            return
        }
        var splits: [Int] = []
        for _ in least..<most {
            splits.append(program.count)
            program.append(.jump(0))
            try add(node)
            try check(program.count)
        }
        for split in splits { program[split] = .split(split + 1, program.count) }
    }
}
