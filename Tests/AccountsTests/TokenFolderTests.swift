import Accounts
import Files
import TestSupport
import Testing
import Values

@Suite struct TokenFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func tokenIsKeptForItsOriginAlone() throws {
        let tokens = TokenFolder(path: folder.file("tokens"))
        #expect(try tokens.token(inPlaceOf: Secret("old")) == nil)
        try tokens.keep(Secret("new"), inPlaceOf: Secret("old"))
        #expect(try tokens.token(inPlaceOf: Secret("old")) == Secret("new"))
        #expect(try tokens.token(inPlaceOf: Secret("another")) == nil, "the user has set another token since")
        try tokens.keep(Secret("newer"), inPlaceOf: Secret("old"))
        #expect(try tokens.token(inPlaceOf: Secret("old")) == Secret("newer"))
    }

    @Test func filesAreTheUsersAloneAndNamedByNoToken() throws {
        let tokens = TokenFolder(path: folder.file("tokens"))
        try tokens.keep(Secret("new"), inPlaceOf: Secret("abc"))
        // printf abc | sha256sum
        let name = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try FileSystem.list(folder.file("tokens")) == [name])
        #expect(try FileSystem.mode(folder.file("tokens")) == 0o700)
        #expect(try FileSystem.mode(folder.file("tokens/" + name)) == 0o600)
    }

    @Test func fileThatOthersMayReadIsRefused() throws {
        let tokens = TokenFolder(path: folder.path)
        let name = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        try FileSystem.write(Array("new\n".utf8), to: folder.file(name), mode: 0o644)
        #expect(throws: AccountsError.tooOpen(path: folder.file(name), mode: 0o644)) {
            try tokens.token(inPlaceOf: Secret("abc"))
        }
    }

    @Test func folderLiesBesideTheSecrets() throws {
        let tokens = try #require(TokenFolder(environment: ["XDG_CONFIG_HOME": folder.path]))
        try tokens.keep(Secret("new"), inPlaceOf: Secret("old"))
        #expect(try FileSystem.list(folder.file("pasteup/tokens")).count == 1)
        #expect(TokenFolder(environment: [:]) == nil)
    }
}
