import Files
import Testing

@testable import TimeZones

@Suite struct TZifTests {
    private var newYork: [UInt8] {
        get throws { try FileSystem.read("/usr/share/zoneinfo/America/New_York") }
    }

    /// A file that is cut anywhere, or has any byte changed, is refused or read, and nothing else.
    @Test func damagedFilesDoNoHarm() throws {
        let whole = try newYork
        for length in 0..<whole.count where length % 7 == 0 || length < 100 {
            #expect(TZif(Array(whole[..<length])) == nil || length == whole.count - 1)
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var bytes = whole
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            let zone = TZif(bytes)?.zone("changed")
            _ = zone?.time(at: 1_800_000_000)
            _ = zone?.time(at: 9_000_000_000)
        }
    }

    /// Offsets and days of RFC 9636, section 3.3.1 and appendix B, and of POSIX.
    @Test(arguments: [
        ("EST5EDT,M3.2.0,M11.1.0", 1_784_000_000, -14400), ("EST5EDT,M3.2.0,M11.1.0", 1_768_000_000, -18000),
        ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", 1_784_000_000, -7200),
        ("IST-2IDT,M3.4.4/26,M10.5.0", 1_784_000_000, 10800),
        ("XXX3EDT4,0/0,J365/23", 1_784_000_000, -14400), ("HST10", 1_784_000_000, -36000),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", 1_768_000_000, 46800), ("NZST-12NZDT,M9.5.0,M4.1.0/3", 1_784_000_000, 43200),
    ]) func rulesOfVersionTwoAreRead(_ text: String, _ seconds: Int64, offset: Int) throws {
        #expect(try #require(ZoneRule(text)).kind(at: seconds).offset == offset)
    }

    @Test(arguments: ["", "E5", "EST", "EST5EDT", "EST25", "EST5EDT,M13.1.0,M1.1.0", "EST5EDT,M3.2.0,M11.1.0x", "<E5"])
    func otherRulesAreRefused(_ text: String) { #expect(ZoneRule(text) == nil) }
}

@Suite struct DateTextTests {
    @Test(arguments: [
        ("2026-12-01", 1_796_083_200), ("1.12.2026", 1_796_083_200), ("01.12.2026 10:00", 1_796_119_200),
        ("2026-12-01T10:00", 1_796_119_200), ("2026-12-01 10:00:30.25", 1_796_119_230),
        ("2026-12-01T10:00:00+03:00", 1_796_108_400), ("2026-12-01T10:00:00+0300", 1_796_108_400),
        ("2026-12-01T10:00:00-03", 1_796_130_000), ("2026-12-01T10:00:00Z", 1_796_119_200),
        ("2024-02-29", 1_709_164_800), ("0001-01-01", -62_135_596_800),
    ]) func formsAreRead(_ text: String, seconds: Int64) { #expect(DateText(text)?.seconds(in: .utc) == seconds) }

    @Test(arguments: [
        "", "2026-13-01", "2026-02-29", "2026-1-1", "12/01/2026", "2026-12-01T", "2026-12-01T24:00", "2026-12-01 10",
        "2026-12-01T10:00:00+25:00", "2026-12-01T10:00 MSK", "31.11.2026", "tomorrow", "2026-12-01T10:00:60",
        "20261201",
    ]) func otherTextsAreNone(_ text: String) { #expect(DateText(text) == nil) }
}
