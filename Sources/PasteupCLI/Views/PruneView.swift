internal import Journal
internal import Values

/// What `prune` removed, or would remove.
struct PruneView {
    private let report: Pruning.Report
    private let removes: Bool

    init(_ report: Pruning.Report, removes: Bool) {
        self.report = report
        self.removes = removes
    }

    /// In a rehearsal the runs themselves, then one line that sums up.
    var text: String {
        var text = ""
        if !removes {
            let rows = report.runs.map { [$0.id, $0.state.rawValue, $0.changedAt.localText, $0.workflow] }
            if !rows.isEmpty { text += columns([["RUN", "STATE", "ENDED", "WORKFLOW"]] + rows) }
        }
        guard !report.runs.isEmpty || !report.orphans.isEmpty else {
            return text + "Nothing is old enough to be removed.\n"
        }
        var what: [String] = []
        if !report.runs.isEmpty { what.append(counted(report.runs.count, "run")) }
        if !report.orphans.isEmpty { what.append(counted(report.orphans.count, "folder") + " without a run") }
        return text
            + "\(removes ? "Removed" : "Would remove") \(what.joined(separator: " and ")), \(byteText(report.bytes)).\n"
    }

    /// The names are promises.
    var json: String {
        let object: ValueObject = [
            "dry-run": .bool(!removes), "runs": .array(report.runs.map { .string($0.id) }),
            "folders-without-run": .array(report.orphans.map(Value.string)), "bytes": .integer(Int64(report.bytes)),
        ]
        return Value.object(object).json() + "\n"
    }
}

/// "1 run", "2 runs".
func counted(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

/// Bytes for people, in powers of 1000: "812 bytes", "1.4 MB".
func byteText(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return counted(bytes, "byte") }
    var tenths = bytes / 100
    for unit in ["kB", "MB", "GB", "TB"] {
        if tenths < 10_000 || unit == "TB" {
            return tenths >= 100 || tenths % 10 == 0
                ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
        }
        tenths /= 1000
    }
    return "\(bytes) bytes"
}
