internal import Diagnostics
internal import Expressions
package import StepKit
package import Values
package import Workflows

extension ForEach {
    /// The list, made of the values as they are now.
    ///
    /// - Throws: `StepError` of class `invalid`, naming the place, when there is no list or too long a one.
    package func items(in values: RunValues) throws(StepError) -> [Value] {
        let items: [Value]
        switch source {
        case .expression(let expression, let place):
            items = try ForEach.list(ForEach.value(of: expression, place, in: values), "the list", place)
        case .literal(let argument): items = try ForEach.list(argument.value(in: values), "the list", range)
        case .matrix(let matrix): items = try self.items(of: matrix, in: values)
        case .of: throw StepError(.invalid, "the items are another step's")
        }
        guard items.count <= ForEach.maxItems else { throw tooMany(items.count) }
        return items
    }

    private static func value(
        of expression: Expression, _ place: SourceRange, in values: RunValues
    ) throws(StepError) -> Value {
        var context = try values.context(for: expression.references)
        // A table is large; the limit is there for texts that an expression builds up.
        context.memoryLimit = 1 << 30
        do { return try expression.evaluate(in: context) } catch {
            throw StepError(.invalid, "\(place.text): \(error.message)", fix: error.hint)
        }
    }

    private static func list(
        _ value: Value, _ what: String, _ place: SourceRange
    ) throws(StepError) -> [Value] {
        if let list = value.array { return list }
        throw StepError(
            .invalid, "\(place.text): \(what) of 'for-each' is \(phrase(value)), not a list",
            why: "The step is carried out once for each item of a list.",
            fix: value.isNull ? "Write default(…, fromJSON('[]')) where there may be none." : nil)
    }

    private static func phrase(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .integer, .object: "an \(value.typeName)"
        default: "a \(value.typeName)"
        }
    }

    private func items(of matrix: Matrix, in values: RunValues) throws(StepError) -> [Value] {
        var lists: [(name: String, elements: [Value])] = []
        for list in matrix.lists {
            let value = try list.elements.value(in: values)
            lists.append((list.name, try ForEach.list(value, "'\(list.name)'", list.elements.range)))
        }
        let exclude = try objects(matrix.exclude, "exclude", in: values)
        let include = try objects(matrix.include, "include", in: values)
        do { return try Matrix.items(lists, exclude: exclude, include: include) } catch { throw tooMany(error.count) }
    }

    private func objects(
        _ argument: Argument?, _ name: String, in values: RunValues
    ) throws(StepError) -> [ValueObject] {
        guard let argument else { return [] }
        var objects: [ValueObject] = []
        for value in try ForEach.list(argument.value(in: values), "'\(name)'", argument.range) {
            guard let object = value.object else {
                throw StepError(
                    .invalid,
                    "\(argument.range.text): an element of '\(name)' is \(ForEach.phrase(value)), not an object")
            }
            objects.append(object)
        }
        return objects
    }

    private func tooMany(_ count: Int?) -> StepError {
        StepError(
            .invalid, "\(range.text): the list has \(count.map { "\($0)" } ?? "far too many") items",
            why: "A step goes over \(ForEach.maxItems) at most.", fix: "Split the list over several runs.")
    }
}

extension SourceRange {
    /// "file:line:column".
    var text: String { "\(start.file):\(start.line):\(start.column)" }
}
