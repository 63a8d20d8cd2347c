internal import Expressions
internal import StepKit

extension ValueType {
    /// What expressions may know of a value of this type.
    var shape: ValueShape {
        switch self {
        case .any: .any
        case .string, .file, .url, .size, .color, .length, .duration: .string
        case .choice(let words): .oneOf(words)
        case .integer, .time: .integer
        case .number: .number
        case .boolean: .boolean
        case .list(let element): .list(of: element.shape)
        case .object(let parameters):
            .object(
                members: Dictionary(parameters.map { ($0.name, $0.type.shape) }) { first, _ in first }, open: false)
        case .map: .object(members: [:], open: true)
        }
    }

    /// Whether a value of the shape may fit; false only where it never does.
    func mayTake(_ shape: ValueShape) -> Bool {
        switch (self, shape) {
        case (.any, _), (_, .any), (_, .null): true
        case (.list(let element), .list(let inner)): element.mayTake(inner)
        case (.object, .object), (.map, .object): true
        case (.list, _), (.object, _), (.map, _), (_, .list), (_, .object): false
        case (.string, _), (_, .string): true
        case (.choice(let words), .oneOf(let others)): words.contains { others.contains($0) }
        case (_, .oneOf): true
        case (.integer, .integer), (.integer, .number), (.time, .integer), (.time, .number), (.number, .integer),
            (.number, .number):
            true
        case (.length, .integer), (.length, .number): true
        // 0 and 1 are booleans.
        case (.boolean, .boolean), (.boolean, .integer), (.boolean, .number): true
        default: false
        }
    }
}
