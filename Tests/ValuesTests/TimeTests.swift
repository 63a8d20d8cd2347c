import Testing
import Values

@Suite struct TimestampTests {
    /// Seconds by `date -u -d … +%s`.
    @Test(
        arguments: [
            ("2019-09-26T22:36:43+0000", 1_569_537_403_000), ("2019-09-26T22:36:43Z", 1_569_537_403_000),
            ("2019-09-27T01:36:43+03:00", 1_569_537_403_000), ("2019-09-26T17:06:43-05:30", 1_569_537_403_000),
            ("2019-09-26 22:36:43.5Z", 1_569_537_403_500), ("2019-09-26T22:36:43.123456789Z", 1_569_537_403_123),
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.250Z", -750), ("2000-02-29T12:00:00Z", 951_825_600_000),
            ("2038-01-19T03:14:08Z", 2_147_483_648_000), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ] as [(String, Int64)])
    func readsISO8601WithAZone(text: String, milliseconds: Int64) {
        #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [(.max, .max), (.min, .min), (9_223_372_036_854_776, .max)] as [(Int64, Int64)])
    func secondsBeyondReachBecomeTheFirstOrLastInstant(seconds: Int64, milliseconds: Int64) {
        #expect(Timestamp(seconds: seconds).milliseconds == milliseconds)
    }

    @Test func sumsBeyondReachStayWithinIt() {
        let last = Timestamp(milliseconds: .max)
        let first = Timestamp(milliseconds: .min)
        let now = Timestamp(seconds: 1_796_061_600)
        #expect(now + .seconds(Int64.max) == last)
        #expect(first - .seconds(1) == first)
        #expect(now - .seconds(60) == Timestamp(seconds: 1_796_061_540))
        #expect(last - first == .milliseconds(Int64.max))
        #expect((first - last).text.hasPrefix("-"))
        #expect(first.seconds == -9_223_372_036_854_776)
    }

    @Test(arguments: [
        "", "2019-09-26", "2019-09-26T22:36:43", "2019-09-26T22:36Z", "2019-09-26T22:36:43Zx", "2019-09-26T22:36:43+00",
        "2019-09-26T22:36:43 +0000", "2019-9-26T22:36:43Z", "2019-13-01T00:00:00Z", "2019-02-29T00:00:00Z",
        "2019-04-31T00:00:00Z", "2019-09-26T24:00:00Z", "2019-09-26T22:60:00Z", "2019-09-26T22:36:43.Z",
        "2019-09-26T22:36:43.1234567890Z", "2019-09-26T22:36:43+24:00", "2019-09-26T22:36:43+00:60",
        " 2019-09-26T22:36:43Z",
        "2019-09-26T22:36:43Z ", "2019-09-26t22:36:43z", "٢019-09-26T22:36:43Z", "2019-00-10T00:00:00Z",
        "2019-01-00T00:00:00Z", "2019-09-26T22:36:43Z\u{301}", "20190926T223643Z",
    ])
    func refusesRubbish(text: String) { #expect(Timestamp(iso8601: text) == nil) }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_569_537_403_000, "2019-09-26T22:36:43Z"),
            (1_569_537_403_007, "2019-09-26T22:36:43.007Z"),
            (-750, "1969-12-31T23:59:59.250Z"), (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func writesUTC(milliseconds: Int64, expected: String) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == expected)
        #expect(Timestamp(iso8601: expected)?.milliseconds == milliseconds)
    }

    @Test func secondsAreRoundedDown() {
        #expect(Timestamp(milliseconds: 1999).seconds == 1)
        #expect(Timestamp(milliseconds: -1).seconds == -1)
        #expect(Timestamp(milliseconds: -1000).seconds == -1)
    }

    @Test func durationsAddUp() {
        let start = Timestamp(seconds: 10)
        #expect((start + .milliseconds(1500)).milliseconds == 11_500)
        #expect((start + .seconds(2)) - start == .seconds(2))
        #expect(start < start + .milliseconds(1))
    }
}

@Suite struct DurationTextTests {
    @Test(
        arguments: [
            ("0s", 0), ("500ms", 500), ("30s", 30_000), ("2m", 120_000), ("1h", 3_600_000), ("3d", 259_200_000),
            ("36500d", 3_153_600_000_000), ("007s", 7000),
        ] as [(String, Int64)])
    func readsANumberAndAUnit(text: String, milliseconds: Int64) {
        #expect(Duration(text: text) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "s", "5", "-5s", "+5s", "1.5s", "5 s", "5S", "5sec", "1h30m", "36501d", "9223372036854775807d",
        "99999999999999999999s", "٥s", " 5s", "5s ", "5w", "5s\u{301}",
    ])
    func refusesAnythingElse(text: String) { #expect(Duration(text: text) == nil) }

    @Test(
        arguments: [
            (0, "0ms"), (250, "250ms"), (1000, "1s"), (1500, "1.5s"), (1549, "1.5s"), (59_999, "59.9s"), (60_000, "1m"),
            (61_000, "1m 1s"), (3_600_000, "1h"), (3_900_000, "1h 5m"), (3_605_000, "1h"), (90_061_000, "1d 1h"),
            (86_460_000, "1d"),
            (-1500, "-1.5s"),
        ] as [(Int64, String)])
    func isWrittenForPeople(milliseconds: Int64, expected: String) {
        #expect(Duration.milliseconds(milliseconds).text == expected)
    }
}
