/// Steps by position in the file, the first one first: a binary heap.
public struct StepQueue: Sendable {
    private var heap: [Int] = []

    public init() {}

    public var isEmpty: Bool { heap.isEmpty }

    public mutating func insert(_ step: Int) {
        heap.append(step)
        rise(from: heap.count - 1)
    }

    /// - Returns: whether it was there.
    public mutating func remove(_ step: Int) -> Bool {
        guard let place = heap.firstIndex(of: step) else { return false }
        let last = heap.removeLast()
        guard place < heap.count else { return true }
        heap[place] = last
        rise(from: place)
        sink(from: place)
        return true
    }

    public mutating func removeFirst() -> Int? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        sink(from: 0)
        return first
    }

    private mutating func rise(from place: Int) {
        var child = place
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func sink(from place: Int) {
        var parent = place
        while true {
            var smallest = parent
            for child in 2 * parent + 1...2 * parent + 2 where child < heap.count && heap[child] < heap[smallest] {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
