import Testing
import Workflows

/// What crontab(5) takes, and what it does not.
@Suite struct CronTimesTests {
    @Test(arguments: [
        "15 * * * *", "*/5 0-23/2 1,15 JAN-mar 1-5", "0 0 31 12 7", " 0\t0  * * sun,Mon ", "@daily", "@reboot",
        "59 23 * * 0",
    ])
    func takesWhatCronTakes(text: String) { #expect(CronTimes.fault(in: text) == nil) }

    @Test(arguments: [
        ("60 * * * *", "Its minute is '60', and takes 0 to 59"), ("* 24 * * *", "Its hour is '24'"),
        ("* * 0 * *", "Its day of the month is '0'"), ("* * * 13 *", "Its month is '13'"),
        ("* * * * 8", "Its day of the week is '8'"), ("5-2 * * * *", "Its minute is '5-2'"),
        ("*/0 * * * *", "Its minute is '*/0'"), ("5/15 * * * *", "Its minute is '5/15'"),
        ("1,,2 * * * *", "Its minute is '1,,2'"), ("-5 * * * *", "Its minute is '-5'"),
        ("* * ? * *", "Its day of the month is '?'"), ("* * * * mon-", "Its day of the week is 'mon-'"),
        ("* * * *", "It has five fields"), ("* * * * * *", "It has five fields"), ("", "It has five fields"),
        ("@fortnightly", "The words are @reboot"),
    ])
    func tellsWhatCronRefuses(text: String, fault: String) {
        #expect(CronTimes.fault(in: text)?.hasPrefix(fault) == true, "\(CronTimes.fault(in: text) ?? "nothing")")
    }
}
