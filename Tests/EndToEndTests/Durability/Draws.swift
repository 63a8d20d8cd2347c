/// Draws that can be repeated: the "minimal standard" generator of S. Park and K. Miller (CACM 31, 1988).
struct Draws {
    private var state: UInt64

    /// - Parameter seed: from 1.
    init(seed: Int) { state = UInt64(seed) * 7919 }

    /// From 0 up to, not including, the bound.
    mutating func next(_ bound: Int) -> Int {
        state = state * 16_807 % 2_147_483_647
        return Int(state >> 8) % bound
    }
}
