internal import Files
public import StepKit
internal import TimeZones
public import Values

extension StepScope {
    /// The value of an input of the part, fitted to its type; the default where nothing is given.
    ///
    /// - Parameters:
    ///   - given: what `with` says; null for nothing. A relative path is taken from the folder of the file that uses the
    ///     part, that of a default from the part's own.
    ///   - copies: used in place of the files themselves.
    public func fit(
        _ given: Value, to input: ScopedInput, copies: FileCopies = FileCopies()
    ) throws(TypeMismatch) -> Value {
        let declaration = input.declaration
        let zone = timezone.flatMap { try? TimeZone.named($0) } ?? .machine
        guard !given.isNull else {
            if declaration.isRequired { throw TypeMismatch(problem: "is missing") }
            guard declaration.type == .file, let path = declaration.defaultValue.string else {
                return declaration.defaultValue
            }
            let absolute = FileSystem.join(folder, path)
            return .string(copies[absolute] ?? absolute)
        }
        if case .table(let columns) = declaration.type { return try StepScope.rows(given, columns, useFolder, zone) }
        return try declaration.fit(given, InputSite(folder: useFolder, zone: zone, copies: copies))
    }

    /// A list of rows with every cell fitted to its column.
    private static func rows(
        _ given: Value, _ columns: [InputDeclaration], _ folder: String, _ zone: TimeZone
    ) throws(TypeMismatch) -> Value {
        guard case .array(let rows) = try ValueType.list(.any).fit(given), !columns.isEmpty else { return given }
        var fitted: [Value] = []
        for (index, row) in rows.enumerated() {
            guard var object = row.object else { throw TypeMismatch(problem: "has a row that is no object") }
            for column in columns {
                let cell = object[column.name] ?? .null
                do throws(TypeMismatch) {
                    if cell.isNull, column.isRequired { throw TypeMismatch(problem: "is missing") }
                    object[column.name] =
                        cell.isNull
                        ? column.defaultValue : try column.fit(cell, InputSite(folder: folder, zone: zone))
                } catch {
                    throw TypeMismatch(problem: "has a row (\(index + 1)) whose '\(column.name)' \(error.problem)")
                }
            }
            fitted.append(.object(object))
        }
        return .array(fitted)
    }
}
