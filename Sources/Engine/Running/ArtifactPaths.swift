internal import Files
package import StepKit
package import Values

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

    /// The items of a list as the journal keeps them: paths stay as they are, beside the folder that they begin with, since
    /// nothing says which texts are paths.
    func storedItems(_ items: [Value]) -> Value { ["items": .array(items), "folder": .string(folder)] }

    /// The items, with the run's files where they are now.
    func restoredItems(_ data: Value) -> [Value] {
        let items = data["items"]?.array ?? []
        guard let old = data["folder"]?.string, old != folder else { return items }
        return items.map { moved($0, from: old, to: folder) }
    }

    /// The value as it is for every place of the run's folder.
    func portable(_ value: Value) -> Value { moved(value, from: folder, to: "") }

    /// The value with another folder where its texts begin with this one.
    private func moved(_ value: Value, from old: String, to new: String) -> Value {
        switch value {
        case .string(let text): text.hasPrefix(old + "/") ? .string(new + text.dropFirst(old.count)) : value
        case .array(let elements): .array(elements.map { moved($0, from: old, to: new) })
        case .object(let members):
            .object(ValueObject(members.map { ($0.key, moved($0.value, from: old, to: new)) }))
        default: value
        }
    }

    func stored(_ pause: PauseRequest) -> PauseRequest {
        var pause = pause
        pause.picture = pause.picture.map(relative)
        pause.linkFile = pause.linkFile.map(relative)
        pause.show = pause.show.map(relative)
        return pause
    }

    /// The pause as people and step kinds see it.
    func restored(_ pause: PauseRequest) -> PauseRequest {
        var pause = pause
        pause.picture = pause.picture.map(absolute)
        pause.linkFile = pause.linkFile.map(absolute)
        pause.show = pause.show.map { isAddress($0) ? $0 : absolute($0) }
        return pause
    }

    private func map(
        _ outputs: ValueObject, _ declaration: StepDeclaration, _ change: (String) -> String
    ) -> ValueObject {
        var outputs = outputs
        for output in declaration.outputs {
            outputs[output.name] = outputs[output.name].map { output.type.changingPaths(in: $0, change) }
        }
        return outputs
    }
}

/// Whether it is an address of the web, not a path.
func isAddress(_ text: String) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

extension ValueType {
    /// The value with every path of a file in it changed.
    package func changingPaths(in value: Value, _ change: (String) -> String) -> Value {
        switch (self, value) {
        case (.file, .string(let path)): return .string(change(path))
        case (.list(let element), .array(let values)):
            return .array(values.map { element.changingPaths(in: $0, change) })
        case (.object(let parameters), .object(var object)):
            for parameter in parameters {
                object[parameter.name] = object[parameter.name].map { parameter.type.changingPaths(in: $0, change) }
            }
            return .object(object)
        default: return value
        }
    }
}
