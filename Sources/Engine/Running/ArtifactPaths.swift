internal import Files
internal import StepKit
internal import Values

/// Paths of a run's files: absolute for steps, below the run's folder in the journal, so that a state folder can move.
struct ArtifactPaths: Sendable {
    let folder: String

    var artifacts: String { FileSystem.join(folder, "artifacts") }

    func relative(_ path: String) -> String {
        path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    }

    func absolute(_ path: String) -> String { path.isEmpty ? path : FileSystem.join(folder, path) }

    /// The outputs as the journal keeps them.
    func stored(_ outputs: ValueObject, of declaration: StepDeclaration) -> ValueObject {
        map(outputs, declaration, relative)
    }

    /// The outputs as steps see them.
    func restored(_ outputs: ValueObject, of declaration: StepDeclaration) -> ValueObject {
        map(outputs, declaration, absolute)
    }

    func stored(_ pause: PauseRequest) -> PauseRequest {
        var pause = pause
        pause.picture = pause.picture.map(relative)
        pause.linkFile = pause.linkFile.map(relative)
        return pause
    }

    private func map(
        _ outputs: ValueObject, _ declaration: StepDeclaration, _ change: (String) -> String
    ) -> ValueObject {
        var outputs = outputs
        for output in declaration.outputs {
            guard let value = outputs[output.name] else { continue }
            switch (output.type, value) {
            case (.file, .string(let path)): outputs[output.name] = .string(change(path))
            case (.list(.file), .array(let paths)):
                outputs[output.name] = .array(paths.map { $0.string.map { .string(change($0)) } ?? $0 })
            default: break
            }
        }
        return outputs
    }
}
