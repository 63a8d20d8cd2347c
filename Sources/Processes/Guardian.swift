internal import CSpawn
internal import Files
internal import Glibc
internal import Threading

/// The process that ends this process's children when it dies: made with the first child, and again when it has gone.
enum Guardian {
    private static let shared = Locked<Int32?>(nil)

    /// Starts a child that the guard knows.
    static func start(_ process: ChildProcess, path: String) throws(ChildProcessError) -> pasteup_child {
        var failure: StartFailure?
        for _ in 0..<2 {
            let channel = try channel(inPlaceOf: failure?.channel)
            do throws(StartFailure) {
                return try process.start(path: path, channel: channel)
            } catch {
                failure = error
                if error.stage != .guardian { break }
            }
        }
        throw ChildProcessError(failure?.stage ?? .resources, failure?.code ?? 0, process, path: path)
    }

    /// - Parameter dead: a channel that leads nowhere any more. It is left open: others may be about to use it.
    private static func channel(inPlaceOf dead: Int32?) throws(ChildProcessError) -> Int32 {
        let (channel, code) = shared.withLock { shared in
            if let channel = shared, channel != dead { return (channel, Int32(0)) }
            let channel = pasteup_guard_start()
            if channel >= 0 { shared = channel }
            return (channel, errno)
        }
        guard channel >= 0 else { throw ChildProcessError(.resources, code) }
        return channel
    }
}

/// Where a start failed.
enum StartStage {
    case resources, guardian, folder, execute
}

struct StartFailure: Error {
    let stage: StartStage
    let code: Int32
    let channel: Int32
}

extension ChildProcess {
    fileprivate func start(path: String, channel: Int32) throws(StartFailure) -> pasteup_child {
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var child = pasteup_child()
        var code: Int32 = 0
        let stage = path.withCString { path in
            folder.withCString { folder in
                words.withUnsafeMutableBufferPointer { words in
                    variables.withUnsafeMutableBufferPointer { variables in
                        input.withUnsafeBytes { input in
                            var request = pasteup_spawn_request(
                                path: path, arguments: words.baseAddress!, environment: variables.baseAddress!,
                                folder: folder, guard: channel, input: input.baseAddress, input_count: input.count)
                            // Another thread's child may hold a program that was just written open until it runs.
                            var stage = pasteup_spawn(&request, &child, &code)
                            for _ in 0..<20 where code == ETXTBSY {
                                usleep(5_000)
                                code = 0
                                stage = pasteup_spawn(&request, &child, &code)
                            }
                            return stage
                        }
                    }
                }
            }
        }
        switch pasteup_spawn_stage(UInt32(stage)) {
        case PASTEUP_SPAWN_STARTED: return child
        case PASTEUP_SPAWN_GUARD: throw StartFailure(stage: .guardian, code: code, channel: channel)
        case PASTEUP_SPAWN_FOLDER: throw StartFailure(stage: .folder, code: code, channel: channel)
        case PASTEUP_SPAWN_EXECUTE: throw StartFailure(stage: .execute, code: code, channel: channel)
        default: throw StartFailure(stage: .resources, code: code, channel: channel)
        }
    }
}

extension ChildProcessError {
    /// A start that failed for want of something.
    init(_ stage: StartStage, _ code: Int32) {
        self.init(
            what: "no process could be made: \(reason(code))",
            fix: "Look how many processes and files are open, and how much memory is left.")
    }

    init(_ stage: StartStage, _ code: Int32, _ process: ChildProcess, path: String) {
        let name = process.arguments.first ?? path
        switch (stage, code) {
        case (.folder, _):
            self.init(
                what: "'\(name)' cannot be run in the folder '\(process.folder)': \(reason(code))",
                fix: "Give a folder that exists.")
        case (.execute, ENOENT) where FileSystem.exists(path):
            self.init(
                what: "'\(name)' cannot be run: the interpreter that its first line or its head names is missing",
                fix: "Install it, or mend the first line.")
        case (.execute, ENOENT), (.execute, ENOTDIR):
            self.init(what: "there is no program '\(path)'", fix: "Relative paths begin at the workflow file's folder.")
        case (.execute, EACCES):
            self.init(
                what: "'\(name)' cannot be run: \(reason(code))", fix: "Make it executable: chmod +x '\(path)'.")
        case (.execute, ENOEXEC):
            self.init(
                what: "'\(name)' cannot be run: it is neither a program nor a script with '#!' on its first line",
                fix: "Put '#!/bin/sh', or what it is written in, on its first line.")
        case (.execute, E2BIG):
            self.init(
                what: "'\(name)' cannot be run: its arguments and variables are too long together",
                fix: "Give what is long as its standard input.")
        case (.execute, _): self.init(what: "'\(name)' cannot be run: \(reason(code))", fix: nil)
        case (.resources, _), (.guardian, _): self.init(stage, code)
        }
    }
}

private func reason(_ code: Int32) -> String { systemReason(code) }
