internal import Hashing
public import Values

/// The idempotency key of a call: the same for every attempt, resume, captcha answer and re-run of it.
///
/// The first 32 hexadecimal digits of SHA-256 of the run's id, the step's address and the generation, a line each.
func idempotencyKey(run: String, address: String, generation: Int) -> String {
    String(SHA256.hex("\(run)\n\(address)\n\(generation)").prefix(32))
}

/// A new run id: six characters for the second and two drawn at random, so that ids sort by time and are short enough
/// to type.
///
/// The alphabet is D. Crockford's base 32 in lower case: digits and letters without i, l, o, u. Seconds count from
/// 2025-01-01 and last until 2059.
public func newRunID(at instant: Timestamp, using generator: inout some RandomNumberGenerator) -> String {
    let alphabet = Array(runIDAlphabet)
    let seconds = max(0, instant.seconds - 1_735_689_600)
    var id = ""
    for place in (0..<6).reversed() { id.append(alphabet[Int(seconds >> (5 * place) & 31)]) }
    for _ in 0..<2 { id.append(alphabet[Int.random(in: 0..<32, using: &generator)]) }
    return id
}

/// When the run with this id was made, to the second. Nil for a text that has not the form of a run id.
public func startOfRun(_ id: String) -> Timestamp? {
    guard isRunID(id) else { return nil }
    let digits = id.prefix(6).map { Array(runIDAlphabet).firstIndex(of: $0) ?? 0 }
    return Timestamp(seconds: 1_735_689_600 + digits.reduce(0) { $0 << 5 | Int64($1) })
}

/// Whether the text has the form of a run id.
public func isRunID(_ text: String) -> Bool { text.utf8.count == 8 && text.allSatisfy(runIDAlphabet.contains) }

private let runIDAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/// The key under which runs of the same workflow with the same inputs exclude each other: SHA-256 of the file's real
/// path and the canonical JSON of the inputs.
public func lockKey(file: String, inputs: ValueObject) -> String {
    SHA256.hex(file + "\n" + Value.object(inputs).json(.canonical))
}
