import Accounts
import Files
import StepKit
import TestSupport
import Testing
import Values
import Workflows

@testable import PasteupCLI

/// What `doctor` says of the accounts of `pasteup login`, and of tokens that took the place of others.
@Suite struct SignInCheckTests {
    private static let now = Timestamp(iso8601: "2026-11-30T12:00:00Z")!

    private static let catalog = Session.catalog(
        ClientSlot(ProgramFaults()), NoLimit(), environment: [:], now: { now })

    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        environment = ["XDG_CONFIG_HOME": folder.path]
    }

    private func keep(
        _ name: String, _ type: String = "instagram", days: Int64?, refresh: Bool = false,
        _ change: (inout TokenRecord) -> Void = { _ in }
    ) throws {
        var record = TokenRecord(type: type, name: name, token: Secret("SECRET-\(name)"), obtained: Self.now)
        record.userName = "kafe.miro"
        record.userID = "17841405309211844"
        record.expires = days.map { Self.now + .seconds($0 * 86_400) }
        if refresh { record.refreshToken = Secret("REFRESH-\(name)") }
        change(&record)
        try AccountFolder(path: folder.file("pasteup/accounts")).save(record)
    }

    private func findings(_ workflow: String? = nil, _ more: [String: String] = [:]) throws -> [Finding] {
        let loaded = try workflow.map {
            try WorkflowLoader(catalog: Self.catalog).load(
                bytes: Array($0.utf8), file: "a.yaml", folder: folder.path)
        }
        let findings = SignInChecks(
            environment: environment.merging(more) { $1 }, workflow: loaded?.workflow, now: Self.now
        ).findings
        for finding in findings { #expect(!"\(finding)".contains("SECRET")) }
        return findings
    }

    @Test func nobodyHasSignedIn() throws {
        #expect(try findings().isEmpty)
        #expect(SignInChecks(environment: [:], workflow: nil, now: Self.now).findings.isEmpty, "no home at all")
    }

    @Test(
        arguments: [
            (60, false, .ok), (7, false, .ok), (6, false, .warning), (0, false, .error), (-3, false, .error),
            (nil, false, .ok), (0, true, .ok),
        ] as [(Int64?, Bool, Finding.Level)])
    func tokenThatEndsWithinAWeekIsTold(days: Int64?, refreshes: Bool, level: Finding.Level) throws {
        try keep("insta", days: days, refresh: refreshes)
        let finding = try #require(try findings().first)
        #expect(finding.check == "sign-in insta")
        #expect(finding.level == level)
        guard level != .ok, let days else {
            #expect(finding.message == "Instagram, kafe.miro (17841405309211844)")
            #expect(finding.fix == nil)
            return
        }
        let end = (Self.now + .seconds(days * 86_400)).localText
        #expect(finding.message == "the token \(level == .error ? "has ended" : "ends") on \(end)")
        #expect(finding.fix == "Write: pasteup login instagram --name insta")
    }

    /// Its refresh token may be void: it ends unless a person does something.
    @Test func lostAnswerToARefreshIsTold() throws {
        try keep("vk", "vk", days: 0, refresh: true) {
            $0.expires = Self.now + .seconds(600)
            $0.asked = Self.now
        }
        let finding = try #require(try findings().first)
        #expect(finding.level == .warning)
        #expect(finding.fix == "Write: pasteup login vk")
        let record = try #require(
            try AccountFolder(path: folder.file("pasteup/accounts")).record(named: "vk"))
        #expect(record.asked == Self.now)
        #expect(AccountView(record, now: Self.now).end.hasSuffix("it may be the last: pasteup login vk"))
    }

    @Test func eachAccountIsNamedWithItsOwnCommand() throws {
        try keep("instagram", days: -1)
        try keep("shop", "vk", days: -1)
        let all = try findings()
        #expect(all.map(\.check) == ["sign-in instagram", "sign-in shop"])
        #expect(all.map(\.fix) == ["Write: pasteup login instagram", "Write: pasteup login vk --name shop"])
    }

    /// A file that others may read, or that is none of ours, keeps no other check from being made.
    @Test(arguments: ["open", "malformed"]) func unreadableAccountIsAnError(what: String) throws {
        try keep("insta", days: 60)
        let file = folder.file("pasteup/accounts/insta.json")
        try FileSystem.write(
            what == "open" ? try FileSystem.read(file) : Array("no JSON".utf8), to: file,
            mode: what == "open" ? 0o644 : 0o600)
        let finding = try #require(try findings().first)
        #expect(finding.check == "sign-ins")
        #expect(finding.level == .error)
        #expect(finding.message.contains(file))
        #expect(!finding.message.hasSuffix("."))
    }

    private static let workflow = """
        name: a
        accounts:
          insta: { type: instagram }
          vk: { type: vk, token: "${{ secrets.SHOP_TOKEN }}" }
        steps:
          latest: { uses: instagram.latest }
          post: { uses: vk.wall.post, with: { message: Hello } }
        """

    @Test func workflowsAccountWithoutATokenNeedsASignIn() throws {
        let missing = try #require(try findings(Self.workflow).first)
        #expect(missing.check == "account insta")
        #expect(missing.level == .error)
        #expect(missing.message == "Instagram, and nobody has signed in")
        #expect(missing.fix == "Write: pasteup login instagram")
        try keep("cafe", days: 60)
        let found = try #require(try findings(Self.workflow).last)
        #expect(found == Finding("account insta", .ok, "Instagram, signed in as 'cafe'"))
    }

    /// A refreshed token that stands in for `SHOP_TOKEN`, as long as that is the one that was refreshed.
    @Test(arguments: [(-1, "one", 1), (60, "one", 0), (-1, "another", 0)] as [(Int64, String, Int)])
    func standInThatEndsIsTold(days: Int64, origin: String, count: Int) throws {
        try keep("insta", days: 60)
        var record = TokenRecord(type: "vk", token: Secret("SECRET-new"), obtained: Self.now)
        record.expires = Self.now + .seconds(days * 86_400)
        try TokenFolder(path: folder.file("pasteup/tokens")).keep(record, inPlaceOf: Secret("one"))
        let told = try findings(Self.workflow, ["SHOP_TOKEN": origin]).filter { $0.check == "token vk" }
        #expect(told.count == count)
        #expect(told.allSatisfy { $0.level == .error })
        #expect(told.allSatisfy { $0.fix == "Put a new one in its place, or write: pasteup login vk" })
    }
}
