internal import StepKit

/// Carries parts out at the same time, at most `limit` at once, and gives what came of them in their order.
///
/// When one has failed, no further ones start, and those under way come to their end: what they have finished is kept. Of
/// several failures the one that lasts counts.
///
/// - Throws: the failure; `CancellationError`.
func inParallel<Result: Sendable>(
    _ count: Int, limit: Int, _ part: @escaping @Sendable (Int) async throws -> Result
) async throws -> [Result] {
    var results = [Result?](repeating: nil, count: count)
    var failures: [any Error] = []
    await withTaskGroup(of: (Int, Swift.Result<Result, any Error>).self) { group in
        var next = 0
        func start() {
            let index = next
            next += 1
            group.addTask {
                do { return (index, .success(try await part(index))) } catch { return (index, .failure(error)) }
            }
        }
        while next < min(limit, count) { start() }
        while let (index, result) = await group.next() {
            switch result {
            case .success(let value): results[index] = value
            case .failure(let error): failures.append(error)
            }
            if failures.isEmpty, next < count, !Task.isCancelled { start() }
        }
    }
    try Task.checkCancellation()
    if let failure = failures.max(by: { gravity($0) < gravity($1) }) { throw failure }
    return results.compactMap { $0 }
}

/// What ends the run, then what lasts, then what a person must answer, then what passes.
private func gravity(_ error: any Error) -> Int {
    guard let error = error as? StepError else { return 3 }
    if error.pause != nil { return 1 }
    return error.errorClass.isRetried ? 0 : 2
}
