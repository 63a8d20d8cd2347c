import Accounts
import Files
import Testing
import Values

@Suite final class SecretStoreTests {
    private let root: String

    init() throws {
        root = try FileSystem.makeTemporaryFolder(prefix: "pasteup-tests")
        try FileSystem.makeFolder(root + "/creds")
        try FileSystem.makeFolder(root + "/home/.config/pasteup")
        try FileSystem.makeFolder(root + "/xdg/pasteup")
    }

    deinit { try? FileSystem.removeTree(root) }

    private func store(_ environment: [String: String] = [:]) -> SecretStore {
        SecretStore(
            environment: environment.merging(["HOME": "/home", "CREDENTIALS_DIRECTORY": "/creds"]) { one, _ in one },
            root: root)
    }

    private func write(_ text: String, _ path: String, mode: UInt32 = 0o600) throws {
        try FileSystem.write(Array(text.utf8), to: root + path, mode: mode)
    }

    @Test func placesAreAskedInOrder() throws {
        #expect(try store().secret("TOKEN") == nil)
        try write("TOKEN: from-file\n", "/home/.config/pasteup/secrets.yaml")
        #expect(try store().secret("TOKEN")?.reveal() == "from-file")
        #expect(try store(["TOKEN": "from-environment"]).secret("TOKEN")?.reveal() == "from-environment")
        try write("from-systemd\n", "/creds/TOKEN")
        #expect(try store(["TOKEN": "from-environment"]).secret("TOKEN")?.reveal() == "from-systemd")
    }

    @Test func emptyValueCountsAsNone() throws {
        try write("TOKEN: from-file\n", "/home/.config/pasteup/secrets.yaml")
        try write("\n", "/creds/TOKEN")
        #expect(try store(["TOKEN": ""]).secret("TOKEN")?.reveal() == "from-file")
    }

    @Test(arguments: [
        ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a"), ("a", "a"), (" a b \n", " a b "), ("a\nb\n", "a\nb"),
    ])
    func lineEndsAtTheEndOfACredentialAreCut(content: String, secret: String) throws {
        try write(content, "/creds/TOKEN")
        #expect(try store().secret("TOKEN")?.reveal() == secret)
    }

    @Test func configurationFolderOfTheEnvironmentWins() throws {
        try write("TOKEN: home\n", "/home/.config/pasteup/secrets.yaml")
        try write("TOKEN: xdg\n", "/xdg/pasteup/secrets.yaml")
        #expect(try store(["XDG_CONFIG_HOME": "/xdg"]).secret("TOKEN")?.reveal() == "xdg")
        #expect(try store(["XDG_CONFIG_HOME": "relative"]).secret("TOKEN")?.reveal() == "home")
    }

    static let scalars: [(String, String?)] = [
        ("TOKEN: vk1.a.x", "vk1.a.x"), ("TOKEN: \"a: b\"", "a: b"), ("TOKEN: 0123", "0123"), ("TOKEN: 1e5", "1e5"),
        ("TOKEN: true", "true"), ("TOKEN:", nil), ("TOKEN: null", nil), ("TOKEN: \"\"", nil), ("OTHER: x", nil),
        ("# nothing yet\n", nil), ("", nil),
    ]

    @Test(arguments: scalars)
    func secretIsTakenAsWritten(line: String, secret: String?) throws {
        try write(line + "\n", "/home/.config/pasteup/secrets.yaml")
        #expect(try store().secret("TOKEN")?.reveal() == secret)
    }

    @Test(arguments: [UInt32(0o644), 0o640, 0o604, 0o700])
    func fileThatOthersMayUseIsRefused(mode: UInt32) throws {
        let path = "/home/.config/pasteup/secrets.yaml"
        try write("TOKEN: hidden-text\n", path, mode: mode)
        try #require(try FileSystem.mode(root + path) == mode)
        let error = #expect(throws: AccountsError.self) { try self.store().secret("TOKEN") }
        #expect(error == .tooOpen(path: root + path, mode: mode))
        #expect(
            error?.description
                == "'\(root)\(path)' has mode 0\(String(mode, radix: 8)). A file with secrets must be its owner's alone. "
                + "Write: chmod 600 \(root)\(path)")
    }

    @Test(arguments: [UInt32(0o600), 0o400])
    func fileOfTheOwnerAloneIsRead(mode: UInt32) throws {
        try write("TOKEN: x\n", "/home/.config/pasteup/secrets.yaml", mode: mode)
        #expect(try store().secret("TOKEN")?.reveal() == "x")
    }

    @Test(arguments: [
        "TOKEN: [hidden-text", "- hidden-text", "hidden-text", "TOKEN: a\nTOKEN: hidden-text",
        "TOKEN: {hidden-text: 1}",
    ])
    func brokenFileIsNamedAndNotQuoted(content: String) throws {
        try write(content + "\n", "/home/.config/pasteup/secrets.yaml")
        let error = #expect(throws: AccountsError.self) { try self.store().secret("TOKEN") }
        #expect(error?.description.contains("secrets.yaml") == true)
        #expect(error?.description.contains("hidden-text") == false)
    }

    @Test(arguments: ["", ".", "..", "../TOKEN", "a/b", ".hidden", "a b", "a\0b", "TÖKEN"])
    func nameThatIsNoFileNameIsRefused(name: String) {
        #expect(throws: AccountsError.badName(name)) { try self.store().secret(name) }
    }

    @Test func folderInPlaceOfACredentialIsAnError() throws {
        try FileSystem.makeFolder(root + "/creds/TOKEN")
        let error = #expect(throws: AccountsError.self) { try self.store().secret("TOKEN") }
        #expect(error?.description.hasPrefix("cannot read '\(root)/creds/TOKEN'") == true)
    }

    @Test func credentialThatIsNotTextIsAnError() throws {
        try FileSystem.write([0xFF, 0xFE], to: root + "/creds/TOKEN")
        #expect(throws: AccountsError.notUTF8(path: root + "/creds/TOKEN")) { try self.store().secret("TOKEN") }
    }

    @Test func nothingIsFoundWithoutAnyPlace() throws {
        #expect(try SecretStore(environment: [:], root: root).secret("TOKEN") == nil)
    }
}
