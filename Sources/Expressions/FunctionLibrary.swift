internal import TimeZones
public import Values

/// A function of the expression language.
public struct Function: Sendable {
    public struct Parameter: Sendable {
        public let name: String
        /// What it takes; a list or an object where a text or a number is wanted is worth a warning.
        public let shape: ValueShape
        public let isOptional: Bool
        /// What is wrong with a text that is written out as this argument; nil when nothing is.
        let check: (@Sendable (String) -> FunctionError?)?

        public init(
            _ name: String, _ shape: ValueShape = .any, isOptional: Bool = false,
            check: (@Sendable (String) -> FunctionError?)? = nil
        ) {
            self.name = name
            self.shape = shape
            self.isOptional = isOptional
            self.check = check
        }
    }

    /// A call for the reference, and what it gives as JSON.
    public struct Example: Sendable, Hashable, ExpressibleByArrayLiteral {
        public let expression: String
        public let result: String

        public init(_ expression: String, _ result: String) {
            self.expression = expression
            self.result = result
        }

        /// The expression, then its result.
        public init(arrayLiteral parts: String...) { self.init(parts[0], parts[1]) }
    }

    /// How a function comes to its result.
    public enum Body: Sendable {
        /// From the values of all its arguments.
        case values(@Sendable (FunctionCall) throws(FunctionError) -> Value)
        /// The first argument that is not null; those after it are not evaluated.
        case firstNotNull
    }

    /// As it is documented; called ignoring case.
    public let name: String
    public let parameters: [Parameter]
    /// Whether the last parameter may come again, up to 255 arguments.
    public let isVariadic: Bool
    /// A sentence or two for the reference.
    public let summary: String
    public let example: Example
    /// The shape of the result, from those of the arguments.
    public let result: @Sendable ([ValueShape]) -> ValueShape
    public let body: Body

    public init(
        _ name: String, _ parameters: [Parameter], isVariadic: Bool = false, summary: String, example: Example,
        result: @escaping @Sendable ([ValueShape]) -> ValueShape, body: Body
    ) {
        self.name = name
        self.parameters = parameters
        self.isVariadic = isVariadic
        self.summary = summary
        self.example = example
        self.result = result
        self.body = body
    }

    public init(
        _ name: String, _ parameters: [Parameter], isVariadic: Bool = false, summary: String, example: Example,
        returns shape: ValueShape, _ body: @escaping @Sendable (FunctionCall) throws(FunctionError) -> Value
    ) {
        self.init(
            name, parameters, isVariadic: isVariadic, summary: summary, example: example, result: { _ in shape },
            body: .values(body))
    }

    /// How many arguments it takes.
    public var arity: ClosedRange<Int> {
        let least = parameters.prefix { !$0.isOptional }.count
        return least...(isVariadic ? 255 : parameters.count)
    }

    /// "join(list, separator?)", "format(text, value?, …)".
    public var signature: String {
        let names = parameters.map { $0.name + ($0.isOptional ? "?" : "") } + (isVariadic ? ["…"] : [])
        return "\(name)(\(names.joined(separator: ", ")))"
    }

    /// What is wrong with that many arguments, nil when nothing is.
    func arityMessage(_ count: Int) -> String? {
        guard !arity.contains(count) else { return nil }
        let bounds = arity
        let wanted =
            bounds.upperBound == 0
            ? "no arguments"
            : bounds.lowerBound == bounds.upperBound
                ? "\(bounds.lowerBound) argument\(bounds.lowerBound == 1 ? "" : "s")"
                : "\(bounds.lowerBound) to \(bounds.upperBound) arguments"
        return "\(name) takes \(wanted), not \(count)"
    }
}

/// What a function is called with.
public struct FunctionCall: Sendable {
    /// As many as the function's arity allows.
    public let arguments: [Value]
    public let status: RunStatus
    /// The bytes that the result may take; see `EvaluationContext.memoryLimit`.
    public let room: Int
    /// Where clocks hang that no zone is named for.
    let zone: TimeZone

    init(_ arguments: [Value], status: RunStatus, room: Int, zone: TimeZone) {
        self.arguments = arguments
        self.status = status
        self.room = room
        self.zone = zone
    }

    /// The argument, null where it has been left out.
    public subscript(index: Int) -> Value { index < arguments.count ? arguments[index] : .null }

    /// Stops a function that makes a text before the text outgrows its room.
    public func checkRoom(for text: String) throws(FunctionError) {
        if 2 * text.utf16.count > room { throw .memory }
    }
}

/// Why a function refuses its arguments.
public struct FunctionError: Error, Sendable, Hashable {
    /// As a clause without a full stop. It never holds an argument's value, which may be a secret.
    public let message: String
    public let hint: String?
    /// The argument at fault, from 0; nil for the whole call.
    public let argument: Int?
    /// Where in a text argument, from 0 in Unicode scalars; nil for all of it.
    let position: Int?

    public init(_ message: String, hint: String? = nil, argument: Int? = nil) {
        self.init(message, hint: hint, argument: argument, position: nil)
    }

    init(_ message: String, hint: String? = nil, argument: Int? = nil, position: Int?) {
        self.message = message
        self.hint = hint
        self.argument = argument
        self.position = position
    }

    static let memory = FunctionError(
        "the values made by the expression outgrow its memory", hint: "Large texts belong in files.")
}

/// The functions that expressions may call.
public struct FunctionLibrary: Sendable {
    /// In the order of the reference.
    public let functions: [Function]
    private let byName: [String: Function]

    /// - Parameter functions: of two with the same name the later one counts.
    public init(_ functions: [Function]) {
        var byName: [String: Function] = [:]
        for function in functions { byName[CaseFolding.asciiLowercased(function.name)] = function }
        self.functions = functions
        self.byName = byName
    }

    /// GitHub's functions and this program's own.
    public static let standard = FunctionLibrary(github + trade + text + time)

    /// The function of that name, its case not counted.
    public subscript(name: String) -> Function? { byName[CaseFolding.asciiLowercased(name)] }
}
