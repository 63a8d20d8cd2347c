internal import Values

extension FunctionLibrary {
    /// What posting needs and GitHub's language lacks.
    static let trade: [Function] = [
        Function(
            "default", [.init("value"), .init("otherwise")],
            summary: "The value, or the other one where it is null.", example: ["default(null, 'own')", "\"own\""],
            result: { shapes in
                // Null falls away, so that the second shape decides where the first is nothing else.
                shapes.dropFirst().reduce(shapes.first ?? .any) { $0.union($1) }
            }, body: .firstNotNull),
        Function(
            "community", [.init("owner_id", .integer)],
            summary: "The positive id of the community that a negative owner id means; null for a person or null.",
            example: ["community(-12)", "12"],
            returns: .integer, community),
    ]

    private static func community(_ call: FunctionCall) throws(FunctionError) -> Value {
        if call[0].isNull { return .null }
        let number: Number? = call[0].isCollection || call[0].bool != nil ? nil : call[0].number
        guard let owner = number?.value.integer, owner != .min else {
            throw FunctionError(
                "community wants an owner id, a whole number",
                hint: "VK owner ids are numbers, negative for communities: -12.", argument: 0)
        }
        return owner < 0 ? .integer(-owner) : .null
    }
}
