import Files
import Glibc
import Journal
import SQLiteJournal
import TestSupport
import Testing
import Values

@testable import HTTP
@testable import PasteupCLI

/// What `doctor` finds on machines that lack something.
@Suite struct DoctorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func state(_ name: String) -> StateFolder { StateFolder(path: folder.file(name), options: "") }

    @Test func missingStateFolderIsFineAndIsNotMade() async throws {
        let findings = await StateChecks(state: state("a/b")).findings()
        #expect(findings.map(\.check) == ["state folder", "free space", "journal"])
        #expect(findings[0].level == .ok)
        #expect(findings[2].message == "there is none yet; the first run makes it")
        #expect(try folder.names().isEmpty)
    }

    @Test func soundJournalTellsItsFormat() async throws {
        try await SQLiteJournalStore.open(folder: folder.file("s")).close()
        let findings = await StateChecks(state: state("s")).findings()
        #expect(findings.filter { $0.check != "free space" }.allSatisfy { $0.level == .ok })
        #expect(findings[2].message == "'\(folder.file("s/journal.sqlite"))' is sound, format 2")
    }

    @Test func damagedJournalIsAnError() async throws {
        try FileSystem.makeFolder(folder.file("s"))
        try folder.write("s/journal.sqlite", Array("not a database at all, but long enough to be read".utf8))
        let journal = await StateChecks(state: state("s")).findings()[2]
        #expect(journal.level == .error)
        #expect(journal.fix != nil)
    }

    @Test func openFolderIsAWarningWithTheCommandThatClosesIt() throws {
        try FileSystem.makeFolder(folder.file("s"))
        chmod(folder.file("s"), 0o755)
        let finding = StateChecks(state: state("s")).folder
        #expect(finding.level == .warning)
        #expect(finding.fix == "Write: chmod go= \(folder.file("s"))")
    }

    @Test func fileInPlaceOfTheFolderIsAnError() throws {
        try folder.write("s", [])
        #expect(StateChecks(state: state("s")).folder.level == .error)
        #expect(StateChecks(state: state("s/below")).folder.level == .error)
    }

    @Test(arguments: [(0, .error), (1_790_000_000, .ok), (4_102_444_800, .error)] as [(Int64, Finding.Level)])
    func clockOutsideTheCenturyIsAnError(seconds: Int64, level: Finding.Level) {
        #expect(MachineChecks.clock(Timestamp(seconds: seconds)).level == level)
    }

    @Test(arguments: [
        (TransportFacts(version: "8.1", tls: "OpenSSL/3", certificatePlaces: ["/"]), Finding.Level.ok),
        (TransportFacts(version: "8.1", tls: "OpenSSL/3", certificatePlaces: []), .ok),
        (TransportFacts(version: "8.1", tls: nil, certificatePlaces: ["/"]), .error),
        (TransportFacts(version: "8.1", tls: "OpenSSL/3", certificatePlaces: ["/no/such"]), .error),
    ])
    func transportNeedsTLSAndCertificates(facts: TransportFacts, level: Finding.Level) {
        #expect(MachineChecks.transport(facts).level == level)
    }

    @Test func missingZonesAndCacheAreWarnings() async throws {
        try folder.write("file", [])
        let findings = await MachineChecks(
            environment: ["TZDIR": folder.path, "HOME": folder.path], now: Timestamp(seconds: 1_790_000_000)
        ).findings()
        let zones = try #require(findings.first { $0.check == "time zones" })
        #expect(zones.level == .warning)
        #expect(findings.first { $0.check == "font cache" }?.level == .ok)
    }

    @Test(arguments: [(nil, false), ("Europe/Moscow", false), ("", false), ("MSK-3", false), ("Europe/Moskow", true)])
    func zoneOfTheMachineThatIsNoneIsAWarning(zone: String?, isWarned: Bool) async throws {
        var environment = ["HOME": folder.path]
        environment["TZ"] = zone
        let findings = await MachineChecks(environment: environment, now: Timestamp(seconds: 1_790_000_000)).findings()
        let own = findings.first { $0.check == "own zone" }
        #expect(own?.level == (isWarned ? .warning : nil))
    }

    // MARK: Secrets

    private func secretsFile(mode: mode_t) throws -> Finding {
        try FileSystem.makeFolder(folder.file("pasteup"))
        try folder.write("pasteup/secrets.yaml", Array("VK_TOKEN: \"vk1.hush\"\n".utf8))
        chmod(folder.file("pasteup/secrets.yaml"), mode)
        return SecretChecks(environment: ["XDG_CONFIG_HOME": folder.path], workflow: nil).findings[0]
    }

    @Test func privateSecretsFileIsFine() throws {
        #expect(try secretsFile(mode: 0o600).level == .ok)
    }

    @Test func openSecretsFileIsAnErrorThatShowsNothingOfIt() throws {
        let finding = try secretsFile(mode: 0o644)
        #expect(finding.level == .error)
        #expect(finding.message.contains("chmod 600"))
        #expect(!finding.message.contains("hush"))
    }

    @Test func missingSecretsFileIsFine() {
        let finding = SecretChecks(environment: ["XDG_CONFIG_HOME": folder.path], workflow: nil).findings[0]
        #expect(finding.level == .ok)
    }

    // MARK: The view

    @Test func oneLineForEachFinding() {
        let view = FindingsView(
            findings: [
                Finding("clock", .ok, "it is noon"),
                Finding("time zones", .warning, "there are none", fix: "Install tzdata."),
            ], style: Style(isOn: false))
        #expect(
            view.text == """
                ok       clock       it is noon.
                warning  time zones  there are none. Install tzdata.

                """)
        #expect(
            view.json == """
                {"check":"clock","level":"ok","message":"it is noon"}
                {"check":"time zones","level":"warning","message":"there are none","fix":"Install tzdata."}

                """)
    }
}
