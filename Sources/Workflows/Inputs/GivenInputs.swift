internal import Diagnostics

/// What a user gives for the inputs of a workflow, not yet looked at.
public struct GivenInputs: Sendable {
    enum Source: Sendable {
        /// Of the command line; several are the elements of a list.
        case texts([String])
        /// The path of a table or a file.
        case path(String)
    }

    private(set) var sources: [String: Source] = [:]
    /// Paths of tables and files that are given without a name.
    private(set) var unnamedPaths: [String] = []
    /// A YAML or JSON file of inputs; what is given besides wins.
    public var file: String?
    /// Absolute; where relative paths of the command line begin.
    public let currentFolder: String

    public init(currentFolder: String) { self.currentFolder = currentFolder }

    /// - Parameter texts: inputs as the command line has them.
    public init(_ texts: [String: String], currentFolder: String) {
        self.init(currentFolder: currentFolder)
        for (name, text) in texts { add(text, for: name) }
    }

    public var isEmpty: Bool { sources.isEmpty && unnamedPaths.isEmpty && file == nil }

    /// Adds a value as text: `-i name=text`.
    public mutating func add(_ text: String, for name: String) {
        guard case .texts(let texts) = sources[name] else {
            sources[name] = .texts([text])
            return
        }
        sources[name] = .texts(texts + [text])
    }

    /// Adds a table or a file: `name=path`, or a path alone for the only input that takes one.
    ///
    /// - Parameter names: those of the declared inputs; what stands before a `=` is part of the path unless it is one.
    public mutating func add(inputFile word: String, names: [String]) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, names.contains(parts[0]) || nearest(parts[0], among: names) != nil {
            sources[parts[0]] = .path(parts[1])
        } else {
            unnamedPaths.append(word)
        }
    }
}
