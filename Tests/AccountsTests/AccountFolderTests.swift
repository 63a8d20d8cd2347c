import Accounts
import Files
import StepKit
import TestSupport
import Testing
import Values

@Suite struct AccountFolderTests {
    private let folder: TemporaryFolder
    private let accounts: AccountFolder

    init() throws {
        folder = try TemporaryFolder()
        accounts = AccountFolder(path: folder.file("accounts"))
    }

    private static func record(_ name: String, type: String = "vk", token: String = "vk2.a.one") -> TokenRecord {
        var record = TokenRecord(
            type: type, name: name, token: Secret(token), source: .vkID,
            obtained: Timestamp(iso8601: "2026-11-30T08:00:00Z")!)
        record.refreshToken = Secret("vk2.a.refresh")
        record.clientID = "53120477"
        record.deviceID = "device"
        record.rights = ["wall", "photos"]
        record.userID = "743215608"
        record.userName = "Мирослава"
        record.expires = Timestamp(iso8601: "2026-11-30T09:00:00Z")
        record.tried = Timestamp(iso8601: "2026-11-30T08:30:00Z")
        record.baseURL = "http://127.0.0.1:8080"
        return record
    }

    @Test func whatWasSavedIsReadBack() throws {
        #expect(try accounts.records() == [])
        #expect(try accounts.record(named: "shop") == nil)
        let shop = Self.record("shop")
        let bare = TokenRecord(
            type: "instagram", name: "cafe", token: Secret("IGAA"), obtained: Timestamp(milliseconds: 1_795_000_000_123)
        )
        try accounts.save(shop)
        try accounts.save(bare)
        #expect(try accounts.record(named: "shop") == shop)
        #expect(try accounts.records() == [bare, shop])
        try accounts.remove("shop")
        #expect(try accounts.records() == [bare])
    }

    @Test func filesAreTheUsersAlone() throws {
        try accounts.save(Self.record("shop"))
        #expect(try FileSystem.mode(folder.file("accounts")) == 0o700)
        #expect(try FileSystem.mode(folder.file("accounts/shop.json")) == 0o600)
    }

    @Test func fileThatOthersMayReadIsRefused() throws {
        try FileSystem.makeFolder(folder.file("accounts"))
        let path = try folder.write("accounts/shop.json", Array("{}".utf8))
        try FileSystem.write(Array("{}".utf8), to: path, mode: 0o644)
        #expect(throws: AccountsError.tooOpen(path: path, mode: 0o644)) { try accounts.records() }
    }

    @Test(arguments: ["", "{}", "[1]", #"{"type":"vk"}"#, #"{"type":"vk","token":"t","source":"?","obtained":"x"}"#])
    func fileThatIsNoneIsNamed(text: String) throws {
        try FileSystem.makeFolder(folder.file("accounts"))
        let path = folder.file("accounts/shop.json")
        try FileSystem.write(Array(text.utf8), to: path)
        #expect(throws: AccountsError.malformedAccount(path: path)) { try accounts.record(named: "shop") }
    }

    @Test(arguments: [
        ("shop", true), ("my-shop_2", true), ("", false), ("2shop", false), ("../x", false), ("кафе", false),
    ])
    func namesAreLettersDigitsAndDashes(name: String, isName: Bool) {
        #expect(AccountFolder.isName(name) == isName)
    }

    /// The account of the workflow's name, else the only one, else the one that is named for its type.
    @Test(
        arguments: [
            (["vk", "shop"], "shop", "shop"), (["shop"], "vk", "shop"), (["vk", "shop"], "other", "vk"),
            (["one", "two"], "other", nil), ([], "vk", nil),
        ] as [([String], String, String?)])
    func workflowsAccountFindsItsOwn(names: [String], wanted: String, found: String?) throws {
        for name in names { try accounts.save(Self.record(name)) }
        try accounts.save(Self.record("insta", type: "instagram"))
        #expect(try accounts.record(for: wanted, type: "vk")?.name == found)
    }

    @Test func secretsComeFromAccountsLast() throws {
        let environment = ["XDG_CONFIG_HOME": folder.path]
        let accounts = try #require(AccountFolder(environment: environment))
        try accounts.save(Self.record("my-shop", token: "vk2.a.shop"))
        #expect(try SecretStore(environment: environment).secret("MY_SHOP_TOKEN") == Secret("vk2.a.shop"))
        #expect(try SecretStore(environment: environment).secret("SHOP_TOKEN") == nil)
        #expect(try SecretStore(environment: environment).secretSetByUser("MY_SHOP_TOKEN") == nil)
        var other = environment
        other["MY_SHOP_TOKEN"] = "mine"
        #expect(try SecretStore(environment: other).secret("MY_SHOP_TOKEN") == Secret("mine"))
    }

    @Test func lockKeepsASecondProcessAway() async throws {
        let lock = try await accounts.lock("shop")
        #expect(try FileLock.take(folder.file("accounts/shop.lock")) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func recordsStandInForTokensOfOtherPlaces() throws {
        let tokens = TokenFolder(path: folder.file("tokens"))
        let origin = Secret("origin")
        #expect(try tokens.record(inPlaceOf: origin) == nil)
        var seen = TokenRecord(type: "instagram", token: Secret(""), obtained: Timestamp(seconds: 1_795_000_000))
        try tokens.keep(seen, inPlaceOf: origin)
        #expect(try tokens.record(inPlaceOf: origin) == seen)
        #expect(try tokens.token(inPlaceOf: origin) == nil, "the origin itself is still the one")
        seen.token = Secret("new")
        try tokens.keep(seen, inPlaceOf: origin)
        #expect(try tokens.token(inPlaceOf: origin) == Secret("new"))
    }
}
