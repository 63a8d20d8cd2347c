/// Runs an automaton over a text: all its states at once, character by character.
struct Matcher {
    private let program: [Instruction]
    private let ignoresCase: Bool
    private var current: [Int] = []
    private var following: [Int] = []
    /// By instruction: the character at which it was last reached, so that none is reached twice.
    private var reached: [Int]
    private var pending: [Int] = []
    private var isAccepted = false

    init(_ program: [Instruction], ignoresCase: Bool) {
        self.program = program
        self.ignoresCase = ignoresCase
        reached = [Int](repeating: -1, count: program.count)
    }

    mutating func occurs(in text: String.UnicodeScalarView) -> Bool {
        var previous: Unicode.Scalar?
        var index = text.startIndex
        var position = 0
        while true {
            let next = index < text.endIndex ? text[index] : nil
            // States that come from the character before, then a new beginning here.
            let waiting = following
            following.removeAll(keepingCapacity: true)
            current.removeAll(keepingCapacity: true)
            for state in waiting { reach(state, at: position, previous, next) }
            reach(0, at: position, previous, next)
            if isAccepted { return true }
            guard let next else { return false }
            let forms = ignoresCase ? [next] + next.caseVariants : []
            for state in current {
                guard case .take(let set) = program[state] else { continue }
                let takes = ignoresCase ? forms.contains(where: set.contains) : set.contains(next)
                if takes { following.append(state + 1) }
            }
            previous = next
            index = text.index(after: index)
            position += 1
        }
    }

    /// Adds a state and all that follow it without a character.
    private mutating func reach(
        _ state: Int, at position: Int, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?
    ) {
        pending.append(state)
        while let state = pending.popLast() {
            guard reached[state] != position else { continue }
            reached[state] = position
            switch program[state] {
            case .take: current.append(state)
            case .jump(let target): pending.append(target)
            case .split(let one, let other):
                pending.append(other)
                pending.append(one)
            case .require(let assertion):
                if holds(assertion, previous, next) { pending.append(state + 1) }
            case .accept: isAccepted = true
            }
        }
    }

    private func holds(_ assertion: Assertion, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        let isEdge = (previous?.isWord ?? false) != (next?.isWord ?? false)
        return switch assertion {
        case .start: previous == nil
        case .end: next == nil
        case .wordEdge: isEdge
        case .noWordEdge: !isEdge
        }
    }
}
