internal import Engine
internal import Files
internal import StepKit
internal import Values

/// Lets one write of an account go at a time on this machine: a kernel lock for each token, or for each sign-in whose tokens
/// replace one another.
struct AccountTurns: WriteTurns {
    let folder: RuntimeFolder

    func take(for account: Account) async throws -> any Sendable {
        guard let path = folder.file("writes", for: account.session ?? account.token) else { return 0 }
        while true {
            do {
                if let lock = try FileLock.take(path) { return lock }
            } catch {
                // Without the file each process is serial by itself.
                return 0
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
