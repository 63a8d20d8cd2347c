internal import Journal
internal import Values

/// Runs as a table, or as JSON, one a line.
enum RunListView {
    static func table(_ runs: [RunRecord], _ style: Style) -> String {
        guard !runs.isEmpty else { return "" }
        let rows = runs.map { [$0.id, $0.state.rawValue, $0.startedAt.localText, $0.workflow] }
        return columns([["RUN", "STATE", "STARTED", "WORKFLOW"]] + rows)
    }

    static func json(_ runs: [RunRecord]) -> String {
        runs.map { $0.publicValue.json() + "\n" }.joined()
    }
}

extension RunRecord {
    /// What may be shown of it; the names are promises.
    var publicValue: Value {
        var object: ValueObject = [
            "run": .string(id), "workflow": .string(workflow), "state": .string(state.rawValue), "file": .string(file),
            "started-at": .string(startedAt.iso8601), "changed-at": .string(changedAt.iso8601),
            "processes": .integer(Int64(processes)), "inputs": .object(inputs),
        ]
        object["wakes-at"] = wakesAt.map { .string($0.iso8601) }
        return .object(object)
    }
}

/// Rows with their columns lined up, two blanks between them.
func columns(_ rows: [[String]]) -> String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
        let cells = row.enumerated().map { column, text in
            column == row.count - 1 ? text : text + String(repeating: " ", count: widths[column] - text.count)
        }
        return cells.joined(separator: "  ") + "\n"
    }.joined()
}
