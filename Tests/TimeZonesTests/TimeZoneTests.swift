import Testing

@testable import TimeZones

/// Expected values are those of Python 3.11's zoneinfo with the same database; ambiguous and skipped times with fold=0.
@Suite struct TimeZoneTests {
    static let instants: [(String, Int64, String)] = [
        ("Europe/Moscow", 51804801897, "3611-08-18 17:44:57 MSK 10800"),
        ("Europe/Moscow", 1862564387, "2029-01-08 13:59:47 MSK 10800"),
        ("Europe/Moscow", 79034210420, "4474-06-29 22:20:20 MSK 10800"),
        ("Europe/Moscow", 45921456, "1971-06-16 14:57:36 MSK 10800"),
        ("Europe/Moscow", 726705791, "1993-01-11 01:43:11 MSK 10800"),
        ("Europe/Moscow", 1780870921, "2026-06-08 01:22:01 MSK 10800"),
        ("Europe/Berlin", 57373278939, "3788-02-01 14:55:39 CET 3600"),
        ("Europe/Berlin", 2018314376, "2033-12-16 03:52:56 CET 3600"),
        ("Europe/Berlin", 61127472527, "3907-01-20 22:28:47 CET 3600"),
        ("Europe/Berlin", 78521593093, "4458-04-01 19:38:13 CEST 7200"),
        ("Europe/Berlin", 1790399668, "2026-09-26 07:14:28 CEST 7200"),
        ("Europe/Berlin", 81157510977, "4541-10-12 03:02:57 CEST 7200"),
        ("America/New_York", 32585202903, "3002-08-02 09:15:03 EDT -14400"),
        ("America/New_York", 1776492686, "2026-04-18 02:11:26 EDT -14400"),
        ("America/New_York", 2251184475, "2041-05-03 05:01:15 EDT -14400"),
        ("America/New_York", -1913562256, "1909-05-13 01:55:44 EST -18000"),
        ("America/New_York", 1864962318, "2029-02-05 00:05:18 EST -18000"),
        ("America/New_York", 3716404540, "2087-10-07 18:35:40 EDT -14400"),
        ("Asia/Kolkata", 86068747509, "4697-05-30 06:55:09 IST 19800"),
        ("Asia/Kolkata", 1752985093, "2025-07-20 09:48:13 IST 19800"),
        ("Asia/Kolkata", 1741929347, "2025-03-14 10:45:47 IST 19800"),
        ("Asia/Kolkata", 1737131614, "2025-01-17 22:03:34 IST 19800"),
        ("Asia/Kolkata", 3953653360, "2095-04-15 02:32:40 IST 19800"),
        ("Asia/Kolkata", 1815747101, "2027-07-16 19:41:41 IST 19800"),
        ("Australia/Lord_Howe", 3404069049, "2077-11-14 09:44:09 +11 39600"),
        ("Australia/Lord_Howe", 1855683226, "2028-10-21 06:33:46 +11 39600"),
        ("Australia/Lord_Howe", 1716127739, "2024-05-20 00:38:59 +1030 37800"),
        ("Australia/Lord_Howe", 6102398844, "2163-05-19 01:17:24 +1030 37800"),
        ("Australia/Lord_Howe", 39945289237, "3235-10-26 04:40:37 +11 39600"),
        ("Australia/Lord_Howe", -40154315, "1968-09-23 16:01:25 AEST 36000"),
        ("Pacific/Apia", 54500685589, "3697-01-21 12:19:49 +13 46800"),
        ("Pacific/Apia", 7492052556, "2207-06-02 02:42:36 +13 46800"),
        ("Pacific/Apia", -1435552034, "1924-07-05 08:02:46 -1130 -41400"),
        ("Pacific/Apia", -592167982, "1951-03-27 17:53:38 -11 -39600"),
        ("Pacific/Apia", 580090504, "1988-05-19 13:15:04 -11 -39600"),
        ("Pacific/Apia", 32562530569, "3001-11-13 16:22:49 +13 46800"),
        ("America/Sao_Paulo", -62530857, "1968-01-08 04:19:03 -02 -7200"),
        ("America/Sao_Paulo", 48146217106, "3495-09-10 18:11:46 -03 -10800"),
        ("America/Sao_Paulo", 2662333131, "2054-05-13 21:58:51 -03 -10800"),
        ("America/Sao_Paulo", 1839156301, "2028-04-12 09:45:01 -03 -10800"),
        ("America/Sao_Paulo", 1777953323, "2026-05-05 00:55:23 -03 -10800"),
        ("America/Sao_Paulo", 2447628708, "2047-07-24 21:51:48 -03 -10800"),
        ("Asia/Tehran", 9248839761, "2263-01-31 21:39:21 +0330 12600"),
        ("Asia/Tehran", 2137625816, "2037-09-27 04:26:56 +0330 12600"),
        ("Asia/Tehran", -1806396565, "1912-10-04 18:36:19 LMT 12344"),
        ("Asia/Tehran", 1732430744, "2024-11-24 10:15:44 +0330 12600"),
        ("Asia/Tehran", 1705327118, "2024-01-15 17:28:38 +0330 12600"),
        ("Asia/Tehran", 2523659781, "2049-12-21 04:06:21 +0330 12600"),
        ("Africa/Casablanca", 1845218407, "2028-06-21 16:40:07 +00 0"),
        ("Africa/Casablanca", -1051657573, "1936-09-04 00:53:47 +00 0"),
        ("Africa/Casablanca", 3323425563, "2075-04-25 13:46:03 +00 0"),
        ("Africa/Casablanca", 39426001121, "3219-05-12 10:58:41 +00 0"),
        ("Africa/Casablanca", -183297511, "1964-03-11 12:01:29 +00 0"),
        ("Africa/Casablanca", 1329654166, "2012-02-19 12:22:46 +00 0"),
        ("Europe/Dublin", 73089393721, "4286-02-10 01:22:01 GMT 0"),
        ("Europe/Dublin", 1742155549, "2025-03-16 20:05:49 GMT 0"),
        ("Europe/Dublin", 1804592127, "2027-03-09 11:35:27 GMT 0"),
        ("Europe/Dublin", -862132320, "1942-09-06 15:48:00 IST 3600"),
        ("Europe/Dublin", 385965767, "1982-03-26 04:42:47 GMT 0"),
        ("Europe/Dublin", 65732744236, "4052-12-26 15:37:16 GMT 0"),
        ("Pacific/Chatham", 11735927209, "2341-11-25 01:31:49 +1345 49500"),
        ("Pacific/Chatham", 1714244464, "2024-04-28 07:46:04 +1245 45900"),
        ("Pacific/Chatham", 30822428538, "2946-09-22 14:27:18 +1245 45900"),
        ("Pacific/Chatham", 1858350624, "2028-11-21 06:15:24 +1345 49500"),
        ("Pacific/Chatham", 1707541539, "2024-02-10 18:50:39 +1345 49500"),
        ("Pacific/Chatham", 1732601746, "2024-11-26 20:00:46 +1345 49500"),
        ("America/Nuuk", 82676885985, "4589-12-04 07:39:45 -02 -7200"),
        ("America/Nuuk", 1857775292, "2028-11-13 22:41:32 -02 -7200"),
        ("America/Nuuk", -1383593325, "1926-02-27 01:31:15 -03 -10800"),
        ("America/Nuuk", 423743040, "1983-06-06 08:24:00 -02 -7200"),
        ("America/Nuuk", 1519495782, "2018-02-24 15:09:42 -03 -10800"),
        ("America/Nuuk", 46745281147, "3451-04-20 07:19:07 -01 -3600"),
        ("Asia/Gaza", 84605448845, "4651-01-15 19:34:05 EET 7200"),
        ("Asia/Gaza", 20101681752, "2606-12-31 10:29:12 EET 7200"),
        ("Asia/Gaza", 2557559443, "2051-01-17 11:10:43 EET 7200"),
        ("Asia/Gaza", 29762715681, "2913-02-21 23:01:21 EET 7200"),
        ("Asia/Gaza", 1865351134, "2029-02-09 19:05:34 EET 7200"),
        ("Asia/Gaza", 55276604303, "3721-08-24 15:18:23 EEST 10800"),
        ("Antarctica/Troll", 63826701761, "3992-08-03 01:22:41 +02 7200"),
        ("Antarctica/Troll", 84276538426, "4640-08-13 23:33:46 +02 7200"),
        ("Antarctica/Troll", 77565417, "1972-06-16 17:56:57 -00 0"),
        ("Antarctica/Troll", 83212311715, "4606-11-23 11:01:55 +00 0"),
        ("Antarctica/Troll", 22035340069, "2668-04-09 17:47:49 +02 7200"),
        ("Antarctica/Troll", 46002783984, "3427-10-09 17:06:24 +02 7200"),
        ("Etc/GMT+5", 1758412864, "2025-09-20 19:01:04 -05 -18000"),
        ("Etc/GMT+5", -356100817, "1958-09-19 06:06:23 -05 -18000"),
        ("Etc/GMT+5", 71420471639, "4233-03-23 14:53:59 -05 -18000"),
        ("Etc/GMT+5", 572688174, "1988-02-24 03:02:54 -05 -18000"),
        ("Etc/GMT+5", 1095421681, "2004-09-17 06:48:01 -05 -18000"),
        ("Etc/GMT+5", 1826767089, "2027-11-20 22:18:09 -05 -18000"),
        ("Asia/Yekaterinburg", 1764986023, "2025-12-06 06:53:43 +05 18000"),
        ("Asia/Yekaterinburg", 1866942183, "2029-02-28 08:03:03 +05 18000"),
        ("Asia/Yekaterinburg", 1712085552, "2024-04-03 00:19:12 +05 18000"),
        ("Asia/Yekaterinburg", 1723065429, "2024-08-08 02:17:09 +05 18000"),
        ("Asia/Yekaterinburg", 83252269576, "4608-02-29 03:26:16 +05 18000"),
        ("Asia/Yekaterinburg", 1701847828, "2023-12-06 12:30:28 +05 18000"),
    ]

    @Test(arguments: instants) func clocksShowWhatPythonSays(_ zone: String, _ seconds: Int64, shown: String) throws {
        let zone = try TimeZone.named(zone)
        let kind = zone.kind(at: seconds)
        let text = try TimeFormat("%F %T %Z").text(at: seconds, in: zone)
        #expect("\(text ?? "") \(kind.offset)" == shown)
    }

    static let times: [(String, String, Int64)] = [
        ("Europe/Berlin", "2026-03-29 02:30", 1774747800),
        ("Europe/Berlin", "2026-03-29 01:59", 1774745940),
        ("Europe/Berlin", "2026-03-29 03:00", 1774746000),
        ("Europe/Berlin", "2026-10-25 02:30", 1792888200),
        ("Europe/Berlin", "2026-10-25 03:00", 1792893600),
        ("Europe/Moscow", "2014-10-26 01:30", 1414272600),
        ("Europe/Moscow", "2011-03-27 02:30", 1301182200),
        ("Pacific/Apia", "2011-12-30 12:00", 1325282400),
        ("Pacific/Apia", "2011-12-31 00:00", 1325239200),
        ("Australia/Lord_Howe", "2026-10-04 02:15", 1791042300),
        ("Australia/Lord_Howe", "2026-04-05 01:45", 1775313900),
        ("America/New_York", "2026-03-08 02:30", 1772955000),
        ("America/New_York", "2099-03-08 02:30", 4076638200),
        ("America/New_York", "2026-11-01 01:30", 1793511000),
        ("America/Sao_Paulo", "2018-11-04 00:00", 1541300400),
        ("Europe/Dublin", "2026-10-25 01:30", 1792888200),
        ("Europe/Dublin", "2060-03-28 01:30", 2847663000),
        ("Asia/Kolkata", "2026-12-01 10:00", 1796099400),
        ("America/New_York", "1883-11-18 12:00", -2717651038),
        ("Africa/Casablanca", "2026-02-15 02:30", 1771119000),
    ]

    @Test(arguments: times) func timesThatAreSkippedOrComeTwiceAreRead(
        _ zone: String, _ text: String, seconds: Int64
    ) throws {
        #expect(try DateText(text)?.seconds(in: .named(zone)) == seconds)
    }

    static let formats: [(String, Int64, String)] = [
        ("%Y-%m-%d %H:%M:%S", 1798714800, "2026-12-31 14:00:00"),
        ("%Y-%m-%d %H:%M:%S", 951782400, "2000-02-29 03:00:00"),
        ("%Y-%m-%d %H:%M:%S", 1798707600, "2026-12-31 12:00:00"),
        ("%d.%m.%y %-d.%-m.%Y %-H", 1798714800, "31.12.26 31.12.2026 14"),
        ("%d.%m.%y %-d.%-m.%Y %-H", 951782400, "29.02.00 29.2.2000 3"),
        ("%d.%m.%y %-d.%-m.%Y %-H", 1798707600, "31.12.26 31.12.2026 12"),
        ("%A %a %B %b", 1798714800, "Thursday Thu December Dec"),
        ("%A %a %B %b", -62132140800, "Saturday Sat February Feb"),
        ("%A %a %B %b", 951782400, "Tuesday Tue February Feb"),
        ("%A %a %B %b", 1798707600, "Thursday Thu December Dec"),
        ("%I:%M %p %-I", 1798714800, "02:00 PM 2"),
        ("%I:%M %p %-I", -62132140800, "02:30 AM 2"),
        ("%I:%M %p %-I", 951782400, "03:00 AM 3"),
        ("%I:%M %p %-I", 1798707600, "12:00 PM 12"),
        ("%e|%j|%-j", 1798714800, "31|365|365"),
        ("%e|%j|%-j", -62132140800, "10|041|41"),
        ("%e|%j|%-j", 951782400, "29|060|60"),
        ("%e|%j|%-j", 1798707600, "31|365|365"),
        ("%u %w %V %G", 1798714800, "4 4 53 2026"),
        ("%u %w %V %G", 951782400, "2 2 09 2000"),
        ("%u %w %V %G", 1798707600, "4 4 53 2026"),
        ("%F %T %R %D", 1798714800, "2026-12-31 14:00:00 14:00 12/31/26"),
        ("%F %T %R %D", 951782400, "2000-02-29 03:00:00 03:00 02/29/00"),
        ("%F %T %R %D", 1798707600, "2026-12-31 12:00:00 12:00 12/31/26"),
        ("%z %Z", 1798714800, "+0300 MSK"),
        ("%z %Z", 951782400, "+0300 MSK"),
        ("%z %Z", 1798707600, "+0300 MSK"),
        ("%s", 1798714800, "1798714800"),
        ("%s", -62132140800, "-62132140800"),
        ("%s", 951782400, "951782400"),
        ("%s", 1798707600, "1798707600"),
        ("100%% %n%t.", 1798714800, "100% \n\t."),
        ("100%% %n%t.", -62132140800, "100% \n\t."),
        ("100%% %n%t.", 951782400, "100% \n\t."),
        ("100%% %n%t.", 1798707600, "100% \n\t."),
    ]

    @Test(arguments: formats) func formatsGiveWhatPythonGives(_ format: String, _ seconds: Int64, text: String) throws {
        #expect(try TimeFormat(format).text(at: seconds, in: .named("Europe/Moscow")) == text)
    }

    @Test(arguments: [
        ("%Q", "the format has the unknown letter '%Q'", 0),
        ("%d %-", "the format ends within a letter", 3),
        ("a%", "the format ends within a letter", 1),
        ("%:d", "the format has the unknown letter '%:d'", 0),
    ]) func unknownLettersAreRefused(_ format: String, message: String, offset: Int) {
        let fault = #expect(throws: TimeFormat.Fault.self) { try TimeFormat(format) }
        #expect(fault == TimeFormat.Fault(message: message, offset: offset))
    }

    @Test func offsetsWithAColon() throws {
        #expect(try TimeFormat("%:z").text(at: 0, in: .named("Asia/Kolkata")) == "+05:30")
        #expect(
            try TimeFormat("%:z %Z").text(of: CivilTime(year: 2026, month: 1, day: 1)!, offset: -9000)
                == "-02:30 -02:30")
    }

    /// The offsets are those that `TZ=… date -d @1796108400 +%z` of GNU date prints.
    @Test(arguments: [
        ("Europe/Moscow", 10800), (":Europe/Moscow", 10800), ("", 0), (":", 0), ("UTC", 0), ("MSK-3", 10800),
        ("<+0330>-3:30", 12600), ("CET-1CEST,M3.5.0,M10.5.0/3", 3600), ("/usr/share/zoneinfo/Asia/Kolkata", 19800),
    ])
    func variableMeansAZone(value: String, offset: Int) {
        #expect(TimeZone.meant(byVariable: value)?.kind(at: 1_796_108_400).offset == offset)
    }

    @Test(arguments: ["Europe/Moskow", "MSK", "/nowhere", "Europe Moscow", "+3"])
    func variableThatMeansNoZoneIsTold(value: String) {
        #expect(TimeZone.meant(byVariable: value) == nil)
    }

    @Test(arguments: [
        ("Europe/Mosow", "there is no time zone 'Europe/Mosow'", "Did you mean 'Europe/Moscow'?"),
        ("moscow", "there is no time zone 'moscow'", "Did you mean 'Europe/Moscow'?"),
        (
            "../../etc/passwd", "there is no time zone '../../etc/passwd'",
            "Write a name such as 'Europe/Moscow' or 'UTC'."
        ),
        (
            "MSK", "there is no time zone 'MSK'",
            "An abbreviation names no zone here: write a place, as in 'Europe/Moscow'."
        ),
        ("", "there is no time zone ''", "Write a name such as 'Europe/Moscow' or 'UTC'."),
        ("zone.tab", "there is no time zone 'zone.tab'", "Write a name such as 'Europe/Moscow' or 'UTC'."),
        (
            "Nowhere", "there is no time zone 'Nowhere'",
            "Names are those of the IANA database: 'Europe/Moscow', 'UTC'; see 'timedatectl list-timezones'."
        ),
    ]) func unknownZonesAreTold(_ name: String, message: String, fix: String) {
        let error = #expect(throws: TimeZoneError.self) { try TimeZone.named(name) }
        #expect(error == TimeZoneError(message: message, fix: fix))
    }

    @Test func aMachineWithoutADatabaseIsTold() {
        let error = #expect(throws: TimeZoneError.self) { try TimeZone.read("Europe/Moscow", folders: ["/none"]) }
        #expect(error?.fix == "Install the package tzdata.")
    }
}
