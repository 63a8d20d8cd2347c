internal import Files
internal import StepKit
internal import Values

extension Workflow {
    /// The files that inputs of parts are given by a path in the file, or have as their default: absolute paths, each once.
    ///
    /// Not those that a step before them may make: what it makes is not there when the run begins, or it is what an earlier
    /// run has left. A step whose effect the author may set may do anything, and one that writes to a computed path may
    /// write any file. What comes of an expression is not known before the run.
    public var partFiles: [String] {
        var found: [String] = []
        for (scope, steps) in partScopes {
            let products = self.products(before: steps)
            for input in scope.inputs where input.declaration.type == .file {
                let path: String
                switch input.argument {
                case .literal(.string(let text), _): path = FileSystem.join(scope.useFolder, text)
                case nil:
                    guard let text = input.declaration.defaultValue.string else { continue }
                    path = FileSystem.join(scope.folder, text)
                default: continue
                }
                if !found.contains(path), !(products?.contains(real(path)) ?? true) { found.append(path) }
            }
        }
        return found
    }

    /// The path of a file that may not be there yet, by which it is told from others.
    private func real(_ path: String) -> String {
        let folder = FileSystem.folder(of: path)
        return FileSystem.join(FileSystem.realPath(folder) ?? folder, FileSystem.name(of: path))
    }

    /// The parts, each with its steps.
    private var partScopes: [(scope: StepScope, steps: [Int])] {
        var order: [StepScope] = []
        var members: [ObjectIdentifier: [Int]] = [:]
        for (index, step) in steps.enumerated() {
            var scope = step.scope
            while let current = scope {
                if members[ObjectIdentifier(current)] == nil { order.append(current) }
                members[ObjectIdentifier(current), default: []].append(index)
                scope = current.outer
            }
        }
        return order.map { ($0, members[ObjectIdentifier($0)] ?? []) }
    }

    /// The files that these steps and those before them make; nil when that is not known.
    private func products(before steps: [Int]) -> Set<String>? {
        var seen = Set(steps)
        var open = steps
        var products: Set<String> = []
        while let index = open.popLast() {
            let step = self.steps[index]
            let declaration = step.kind.declaration
            if declaration.takesEffect { return nil }
            for parameter in declaration.parameters where parameter.namesNewFile {
                guard let argument = step.arguments.first(where: { $0.name == parameter.name })?.value else { continue }
                guard case .literal(.string(let path), _) = argument else { return nil }
                products.insert(real(FileSystem.join(step.scope?.folder ?? folder, path)))
            }
            for before in graph.dependencies[index] where seen.insert(before).inserted { open.append(before) }
        }
        return products
    }
}
