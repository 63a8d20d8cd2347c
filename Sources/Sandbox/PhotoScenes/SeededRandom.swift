/// SplitMix64 (G. Steele et al., 2014): the same numbers for the same seed, on every machine.
struct SeededRandom: Sendable {
    private var state: UInt64

    /// The seed's FNV-1a hash begins the row.
    init(_ seed: String) {
        state = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func next(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func next(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + Double(next() >> 11) / Double(1 << 53) * (range.upperBound - range.lowerBound)
    }
}

/// A line that wanders like a range of hills: value noise of several octaves, from -1 to 1.
struct Ridge {
    private let values: [Double]

    init(_ random: inout SeededRandom) { values = (0..<256).map { _ in random.next(in: -1.0...1) } }

    /// - Parameter octaves: more make it rougher.
    func height(at x: Double, octaves: Int) -> Double {
        var sum = 0.0
        var scale = 1.0
        var total = 0.0
        for octave in 0..<octaves {
            let place = x * Double(1 << octave) + Double(octave) * 37.7
            let index = Int(place.rounded(.down))
            let part = place - Double(index)
            let ease = part * part * (3 - 2 * part)
            let (one, two) = (values[(index % 256 + 256) % 256], values[((index + 1) % 256 + 256) % 256])
            sum += (one + (two - one) * ease) * scale
            total += scale
            scale *= 0.48
        }
        return sum / total
    }
}
