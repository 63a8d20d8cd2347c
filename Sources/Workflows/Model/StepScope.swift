public import Diagnostics

/// What the expressions of a step mean that stands in a part: a workflow file that another one uses as a step.
///
/// `steps.<id>` is a step of the same part, and `inputs.<name>` is what the step that uses the part gives it.
public final class StepScope: Sendable {
    /// What stands before the ids of the part's steps: "post/", "batch/post/".
    public let prefix: String
    /// The part's file as it is shown.
    public let file: String
    /// The folder from which relative paths in the part are taken, absolute.
    public let folder: String
    public let inputs: [ScopedInput]
    /// Of the step that uses the part; nil where that stands in the workflow's own file.
    public let outer: StepScope?
    /// Where that step names the part.
    public let use: SourceRange
    /// The folder of the file in which that step stands, absolute.
    public let useFolder: String
    /// The zone of the workflow, by its name; nil for the machine's.
    public let timezone: String?

    public init(
        prefix: String, file: String, folder: String, inputs: [ScopedInput], outer: StepScope?, use: SourceRange,
        useFolder: String, timezone: String?
    ) {
        self.prefix = prefix
        self.file = file
        self.folder = folder
        self.inputs = inputs
        self.outer = outer
        self.use = use
        self.useFolder = useFolder
        self.timezone = timezone
    }

    /// An input of the part, whatever the case of its name.
    public func input(_ name: String) -> ScopedInput? {
        inputs.first { $0.declaration.name == name }
            ?? inputs.first { $0.declaration.name.lowercased() == name.lowercased() }
    }
}

/// An input of a part.
public struct ScopedInput: Sendable {
    public let declaration: InputDeclaration
    /// What `with` says, to be evaluated where the step that uses the part stands; nil takes the default.
    public let argument: Argument?

    public init(declaration: InputDeclaration, argument: Argument?) {
        self.declaration = declaration
        self.argument = argument
    }
}
