/// Times as cron has them (crontab(5)): five fields, or a word such as `@daily`.
package enum CronTimes {
    private struct Field {
        let name: String
        let range: ClosedRange<Int>
        /// Names of its numbers, from the first.
        var words: [String] = []
    }

    private static let fields = [
        Field(name: "minute", range: 0...59), Field(name: "hour", range: 0...23),
        Field(name: "day of the month", range: 1...31),
        Field(
            name: "month", range: 1...12,
            words: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
        Field(
            name: "day of the week", range: 0...7, words: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
    ]

    private static let words = [
        "@reboot", "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly",
    ]

    /// What is wrong, as a clause; nil when nothing is.
    package static func fault(in text: String) -> String? {
        let given = text.split { $0 == " " || $0 == "\t" }.map(String.init)
        if given.count == 1, given[0].hasPrefix("@") {
            return words.contains(given[0]) ? nil : "The words are " + words.joined(separator: ", ")
        }
        guard given.count == fields.count else {
            return "It has five fields: " + fields.map(\.name).joined(separator: ", ")
        }
        for (text, field) in zip(given, fields) {
            let isFit = text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { takes($0, field) }
            if !isFit {
                return "Its \(field.name) is '\(text)', and takes \(field.range.lowerBound) to "
                    + "\(field.range.upperBound), *, ranges as 2-5, steps as */10, and lists of them"
            }
        }
        return nil
    }

    /// A star or a range, both with or without a step, or a number.
    private static func takes(_ item: Substring, _ field: Field) -> Bool {
        let parts = item.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard parts[0] == "*" || ends.count == 2, let step = number(parts[1]), step > 0 else { return false }
        }
        if parts[0] == "*" { return true }
        let numbers = ends.compactMap { value(of: $0, field) }
        return numbers.count == ends.count && numbers[0] <= numbers[numbers.count - 1]
    }

    private static func value(of text: Substring, _ field: Field) -> Int? {
        if let index = field.words.firstIndex(of: text.lowercased()) { return field.range.lowerBound + index }
        return number(text).flatMap { field.range.contains($0) ? $0 : nil }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
