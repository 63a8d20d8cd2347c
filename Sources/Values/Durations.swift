extension Duration {
    /// Rounded towards zero; what does not fit becomes the largest number, or the smallest.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, overflowOfSum) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow || overflowOfSum ? (seconds < 0 ? .min : .max) : sum
    }

    /// Reads "500ms", "30s", "2m", "1h", "3d"; whole numbers and one unit, up to 36,500 days. Nil for anything else.
    public init?(text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let count = Int64(digits) else { return nil }
        let unit: Int64
        switch text[digits.endIndex...] {
        case "ms": unit = 1
        case "s": unit = 1000
        case "m": unit = 60_000
        case "h": unit = 3_600_000
        case "d": unit = 86_400_000
        default: return nil
        }
        let (milliseconds, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, milliseconds <= 36_500 * 86_400_000 else { return nil }
        self = .milliseconds(milliseconds)
    }

    /// For people: the two largest units that are not zero ("1h 5m", "2m", "1.5s", "250ms").
    public var text: String {
        let total = wholeMilliseconds
        if total < 0 { return "-" + Duration.milliseconds(total == .min ? .max : -total).text }
        if total < 1000 { return "\(total)ms" }
        if total < 60_000 {
            let tenths = total % 1000 / 100
            return tenths == 0 ? "\(total / 1000)s" : "\(total / 1000).\(tenths)s"
        }
        let seconds = total / 1000
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s"),
        ]
        return parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined(separator: " ")
    }
}
