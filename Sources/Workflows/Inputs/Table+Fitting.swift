internal import Diagnostics
internal import StepKit
internal import Tables
internal import Values

extension Table {
    /// The rows with the cells of declared columns fitted to their types. An empty cell of a type other than text is
    /// null, or the column's default.
    ///
    /// - Parameter problems: gets what does not fit, at its place; fifty at most.
    func fitted(to columns: [InputDeclaration], _ site: InputSite, _ problems: inout Problems) -> [Value] {
        guard !columns.isEmpty, !rows.isEmpty else { return rows }
        guard !self.columns.isEmpty else {
            problems.error(
                at: range(row: 0), "the table has no columns, and '\(columns[0].name)' is one of those it should have",
                fix: "Write every row with the names of its cells")
            return rows
        }
        guard haveAll(columns, &problems) else { return rows }
        let limit = problems.errorCount + 50
        var site = site
        site.isCell = file.format == .csv || file.format == .tsv
        var fitted: [Value] = []
        fitted.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            guard var members = row.object else { continue }
            for column in columns {
                members[column.name] = cell(members[column.name], of: column, row: index, site, &problems)
            }
            if problems.errorCount >= limit { break }
            fitted.append(.object(members))
        }
        return fitted
    }

    /// Tells of declared columns that the file does not have.
    private func haveAll(_ declared: [InputDeclaration], _ problems: inout Problems) -> Bool {
        let known = Set(columns)
        let missing = declared.filter { column in
            !known.contains(column.name) && (column.isRequired || file.format == .csv || file.format == .tsv)
        }
        for column in missing {
            problems.error(
                at: range(row: 0), "the table has no column '\(column.name)'", why: column.description,
                fix: nearest(column.name, among: columns.filter { name in !declared.contains { $0.name == name } })
                    .map { "Rename '\($0)'" } ?? "It has \(columns.joined(separator: ", "))")
        }
        return missing.isEmpty
    }

    private func cell(
        _ value: Value?, of column: InputDeclaration, row: Int, _ site: InputSite, _ problems: inout Problems
    ) -> Value {
        let isEmpty = value?.isNull ?? true || (value == "" && (column.type != .string || column.isRequired))
        if isEmpty {
            if column.isRequired {
                problems.error(
                    at: range(row: row, column: column.name), "'\(column.name)' is empty", why: column.description,
                    fix: "Every row needs it")
            }
            return column.defaultValue
        }
        do {
            return try column.fit(value ?? .null, site)
        } catch {
            problems.error(
                at: range(row: row, column: column.name), "'\(column.name)' \(error.problem)", why: column.description,
                fix: column.repair(value?.string) { "Write \(column.type == .string ? "another" : $0)" })
            return .null
        }
    }
}
