internal import TimeZones
internal import Values

extension FunctionLibrary {
    /// Functions of dates. Null gives null.
    ///
    /// A zone that is not named is the file's `timezone`, else the machine's. A time that clocks skip is read as if they
    /// had not been set forward; of one that comes twice the first counts.
    static let time: [Function] = [
        Function(
            "date",
            [
                .init("value"), .init("format", .string, check: checkFormat),
                .init("zone", .string, isOptional: true, check: checkZone),
            ],
            summary: "A date as text, in the letters of strftime (%d.%m.%Y %H:%M) and in a time zone. The value is a "
                + "number of seconds since 1970, or a text: 2026-12-01, 2026-12-01T10:00, …+03:00, 1.12.2026 10:00.",
            example: ["date('2026-12-01T07:00:00Z', '%d.%m.%Y %H:%M', 'Europe/Moscow')", "\"01.12.2026 10:00\""],
            returns: .string, date),
        Function(
            "timestamp", [.init("value"), .init("zone", .string, isOptional: true, check: checkZone)],
            summary:
                "A date in seconds since 1970, as VK's publish_date is; a text without a zone of its own is a time in "
                + "the given one.",
            example: ["timestamp('2026-12-01 10:00', 'Europe/Moscow')", "1796108400"], returns: .integer, timestamp),
    ]

    private static let yearsInSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    private static func date(_ call: FunctionCall) throws(FunctionError) -> Value {
        if call[0].isNull { return .null }
        let zone = try zone(of: call, at: 2)
        let seconds = try seconds(of: call, in: zone)
        let format: TimeFormat
        let written = try call.text(1)
        do throws(TimeFormat.Fault) { format = try TimeFormat(written) } catch { throw formatError(error) }
        guard let text = format.text(at: seconds, in: zone) else { throw outOfRange }
        return try call.result(text)
    }

    private static func timestamp(_ call: FunctionCall) throws(FunctionError) -> Value {
        if call[0].isNull { return .null }
        return .integer(try seconds(of: call, in: try zone(of: call, at: 1)))
    }

    private static func zone(of call: FunctionCall, at index: Int) throws(FunctionError) -> TimeZone {
        let name = try call.text(index)
        if name.isEmpty { return call.zone }
        // The name may be no literal, so that the message must not tell it.
        guard let zone = try? TimeZone.named(name) else {
            throw FunctionError(
                "there is no time zone of that name", hint: "Write one of the IANA database, such as 'Europe/Moscow'.",
                argument: index)
        }
        return zone
    }

    private static func seconds(of call: FunctionCall, in zone: TimeZone) throws(FunctionError) -> Int64 {
        let value = call[0]
        switch value {
        case .integer(let seconds):
            guard yearsInSeconds.contains(seconds) else { throw outOfRange }
            return seconds
        case .double(let seconds):
            guard seconds >= Double(yearsInSeconds.lowerBound), seconds <= Double(yearsInSeconds.upperBound) else {
                throw outOfRange
            }
            return Int64(seconds.rounded(.down))
        case .string(let text):
            if let date = DateText(text) { return date.seconds(in: zone) }
            if let seconds = Int64(text) {
                guard yearsInSeconds.contains(seconds) else { throw outOfRange }
                return seconds
            }
        default: break
        }
        throw FunctionError(
            "this is no date",
            hint:
                "A date is a text such as 2026-12-01, 2026-12-01T10:00, 2026-12-01T10:00:00+03:00 or 1.12.2026 10:00, "
                + "or a number of seconds since 1970.", argument: 0)
    }

    private static let outOfRange = FunctionError(
        "the date is not within the years 1 to 9999", hint: "A number counts seconds since 1970, not milliseconds.",
        argument: 0)

    @Sendable private static func checkFormat(_ text: String) -> FunctionError? {
        do throws(TimeFormat.Fault) {
            _ = try TimeFormat(text)
            return nil
        } catch {
            return formatError(error)
        }
    }

    private static func formatError(_ fault: TimeFormat.Fault) -> FunctionError {
        FunctionError(
            "\(fault.message) at position \(fault.offset + 1)",
            hint: "The letters are those of strftime: %d.%m.%Y %H:%M; a percent sign is written twice.", argument: 1,
            position: fault.offset)
    }

    @Sendable private static func checkZone(_ text: String) -> FunctionError? {
        do throws(TimeZoneError) {
            if !text.isEmpty { _ = try TimeZone.named(text) }
            return nil
        } catch {
            return FunctionError(error.message, hint: error.fix)
        }
    }
}
