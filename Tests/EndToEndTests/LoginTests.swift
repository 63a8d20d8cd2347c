import Files
import Glibc
import Sandbox
import TestSupport
import Testing
import Values

/// `pasteup login`, `accounts` and `logout` against the sandbox's sign-in pages.
@Suite(.programs) struct LoginTests {
    // MARK: A pasted token

    @Test func pastedInstagramTokenIsKeptForItsOwnerAlone() async throws {
        let story = try Story()
        let token = story.sandbox.instagramToken
        let login = try await story.login("instagram", "--token", "-", input: token + "\n")
        #expect(login.code == 0, "\(login.all)")
        #expect(login.output.hasPrefix("signed in: account 'instagram', Instagram, kafe.miro (17841405309211844)\n"))
        #expect(!login.all.contains(token))
        #expect(try FileSystem.mode(story.accountFile("instagram")) == 0o600)
        #expect(try FileSystem.mode(FileSystem.folder(of: story.accountFile("instagram"))) == 0o700)

        let listed = try await story.pasteup("accounts", changes: story.signedOut)
        #expect(listed.output.hasPrefix("instagram: Instagram, kafe.miro (17841405309211844)\n  rights: not known\n"))
        let json = try await story.pasteup("accounts", "--json", changes: story.signedOut)
        let account = try Value(json: json.output.lines[0])
        #expect(account["name"] == "instagram")
        #expect(account["user-name"] == "kafe.miro")
        #expect(account["refreshes"] == true)
        #expect(!listed.all.contains(token) && !json.all.contains(token))
    }

    /// The tokens of `pasteup login` come last in the order of secrets, and stand in for a `token` that is left out.
    @Test(arguments: [true, false]) func workflowsFindTheAccount(namesSecrets: Bool) async throws {
        let story = try Story()
        if !namesSecrets {
            let text = try Story.fixture("instagram-to-vk.yaml").replacing(
                "token: \"${{ secrets.INSTAGRAM_TOKEN }}\", ", with: ""
            )
            .replacing("token: \"${{ secrets.VK_TOKEN }}\", ", with: "")
            #expect(!text.contains("secrets."))
            try story.write("photo.yaml", text.replacing("size: 1080x1920", with: "size: 270x480"))
        }
        let without = try await story.pasteup("run", story.workflow, changes: story.signedOut)
        #expect(without.code == 1, "\(without.all)")
        #expect(without.errors.contains("pasteup login instagram"), "\(without.errors)")
        #expect(try await story.login("instagram", "--token", "-", input: story.sandbox.instagramToken).code == 0)
        #expect(try await story.login("vk", "--token", "-", input: story.sandbox.vkToken).code == 0)
        let run = try await story.pasteup("run", story.workflow, changes: story.signedOut)
        #expect(run.code == 0, "\(run.all)")
        #expect(try await story.posts().count == 1)
        try story.expectNowhere(story.sandbox.vkToken)
        try story.expectNowhere(story.sandbox.instagramToken)
    }

    @Test func tokenSetElsewhereGoesBeforeAndIsTold() async throws {
        let story = try Story()
        var changes = story.signedOut
        changes["VK_TOKEN"] = "vk1.a.anotherTokenThatIsSetElsewhere"
        let login = try await story.pasteup(
            "login", "vk", "--token", "-", "--base-url", story.sandbox.baseURL, input: story.sandbox.vkToken,
            changes: changes)
        #expect(login.code == 0, "\(login.all)")
        #expect(login.errors.contains("VK_TOKEN is set elsewhere, and goes before this account"))
    }

    @Test(arguments: [
        (["login", "vk"], "there is no terminal to ask for the token"),
        (["login", "vk", "--token", "vk1.a.secret"], "'--token' takes '-' only"),
        (["login", "telegram"], "there is no service 'telegram'"),
        (["login", "instagram", "--client-id", "1"], "'--client-id' needs '--redirect'"),
        (["login", "vk", "--client-id", "1"], "'--client-id' needs '--redirect' or '--classic'"),
        (["login", "instagram", "--classic"], "'--classic' goes with 'vk' only"),
        (["login", "vk", "--name", "../x"], "'../x' cannot be the name of an account"),
        (["login", "vk", "--base-url", "http://vk.example"], "'--base-url http://vk.example' is not https"),
        (["logout", "vk"], "there is no account 'vk' of vk"),
        (["accounts", "refresh", "shop"], "there is no account 'shop'"),
    ]) func mistakesAreExplained(words: [String], message: String) async throws {
        let story = try Story()
        let result = try await story.runner(story.signedOut).run(words)
        #expect(result.code == 2, "\(result.all)")
        #expect(result.errors.hasPrefix("error: \(message)"), "\(result.all)")
        #expect(!result.all.contains("vk1.a.secret"))
    }

    @Test(arguments: ["", "\n", "a\u{7}b\n"]) func whatIsNoTokenIsRefused(input: String) async throws {
        let story = try Story()
        let result = try await story.login("vk", "--token", "-", input: input)
        #expect(result.code == 2, "\(result.all)")
        #expect(!FileSystem.exists(story.accountFile("vk")))
    }

    @Test(arguments: [
        ("instagram", "IGAAthisTokenWasNeverGivenOut_0123456789"), ("vk", "0123456789abcdef0123456789abcdef"),
    ])
    func refusedTokenIsNotKept(service: String, token: String) async throws {
        let story = try Story()
        let result = try await story.login(service, "--token", "-", input: token)
        #expect(result.code == 1, "\(result.all)")
        #expect(result.errors.contains("was refused"), "\(result.errors)")
        #expect(
            result.errors.hasSuffix("Nothing was kept. Copy the whole token again, or make a new one.\n"),
            "\(result.errors)")
        #expect(!result.all.contains(token))
        #expect(!FileSystem.exists(story.accountFile(service)))
    }

    /// What is plainly another service's, or no token at all, is sent to nobody.
    @Test(arguments: [
        ("vk", "IGAAsomething", "this is a token of Instagram's. Write: pasteup login instagram"),
        ("instagram", "vk1.a.something", "this is a token of VK's. Write: pasteup login vk"),
        ("instagram", "vk2.a.something", "this is a token of VK's. Write: pasteup login vk"),
        ("instagram", "EAAsomething", "this is a token of Facebook's, which Instagram Login does not take."),
        ("vk", "EAAsomething", "this is a token of Facebook's, which VK does not take. Paste one of VK's."),
        ("instagram", "https://example.org/?code=AQsomething#_", "this is an address, not a token."),
        ("vk", "https://oauth.vk.ru/blank.html#nothing=1", "this is not the address at which VK's page ends."),
        (
            "vk", "https://oauth.vk.ru/blank.html#error=access_denied&error_description=User+denied",
            "VK did not sign you in (access_denied). VK says: User denied. Sign in once more, and agree."
        ),
        ("instagram", " ", "no token was given. Make one in Meta's dashboard: Instagram > API setup > Generate token."),
        ("vk", " ", "no token was given. Paste one, or sign in by a page: pasteup login vk --help"),
    ]) func pasteOfAnotherKindIsExplained(service: String, paste: String, sentence: String) async throws {
        let story = try Story()
        let result = try await story.login(service, "--token", "-", input: paste + "\n")
        #expect(result.code != 0)
        #expect(result.errors.hasPrefix("error: " + sentence), "\(result.all)")
        #expect(!result.all.contains("something"))
        #expect(try await story.state()["calls"]?.array?.isEmpty == true)
        #expect(!FileSystem.exists(story.accountFile(service)))
    }

    @Test func interruptAtThePromptChangesNothing() async throws {
        let story = try Story()
        let program = try story.loginTerminal("login", "vk", "--base-url", story.sandbox.baseURL)
        try await program.wait(for: "ended: ")
        program.type("\u{3}")
        #expect(try await program.finish() == 130, "\(program.transcript)")
        #expect(program.transcript.contains("Stopped; nothing was changed."), "\(program.transcript)")
        #expect(!FileSystem.exists(story.accountFile("vk")))
    }

    /// What is no answer at all is asked for again: the link that is open is still good.
    @Test func slipOfTheMouseIsAskedForAgain() async throws {
        let story = try Story()
        let program = try story.loginTerminal(
            "login", "vk", "--client-id", SandboxApp.vkID, "--redirect", "https://shop.example/back", "--base-url",
            story.sandbox.baseURL)
        let landing = try await story.agree(program)
        try await program.wait(for: "ended: ")
        program.type("https://shop.example/elsewhere\n")
        try await program.wait(for: "That is not the address at which the page ended")
        try await program.wait(for: "ended: ")
        program.type(landing + "\n")
        #expect(try await program.finish() == 0, "\(program.transcript)")
        #expect(FileSystem.exists(story.accountFile("vk")))
    }

    @Test func takenPortIsToldBeforeTheLink() async throws {
        let story = try Story()
        let result = try await story.login(
            "vk", "--client-id", SandboxApp.vkID, "--redirect", story.sandbox.baseURL + "/back", input: "")
        #expect(result.code == 1)
        #expect(
            result.errors.hasPrefix("error: the address '\(story.sandbox.baseURL)/back' cannot be listened at: "),
            "\(result.all)")
        #expect(result.errors.contains("give another --redirect"), "\(result.all)")
    }

    @Test func youngTokenOfInstagramIsNoFailureOfTheRefresh() async throws {
        let story = try Story()
        #expect(try await story.login("instagram", "--token", "-", input: story.sandbox.instagramToken).code == 0)
        let result = try await story.pasteup("accounts", "refresh", changes: story.signedOut)
        #expect(result.code == 0, "\(result.all)")
        #expect(result.output.contains("instagram: its token is good, and too young"), "\(result.all)")
    }

    /// Told before a person signs in for nothing.
    @Test func folderThatCannotBeWrittenIsToldFirst() async throws {
        let story = try Story()
        try story.write(".config", "a file in place of the folder")
        let result = try await story.login("vk", "--token", "-", input: story.sandbox.vkToken)
        #expect(result.code == 1, "\(result.all)")
        #expect(result.errors.hasPrefix("error: the account cannot be kept: "), "\(result.all)")
        #expect(result.errors.contains(".config"), "\(result.all)")
        #expect(result.errors.contains("or set XDG_CONFIG_HOME."), "\(result.all)")
        #expect(try await story.state()["calls"]?.array?.isEmpty == true)
    }

    @Test func communityTokenSaysWhoseItIs() async throws {
        let story = try Story()
        let login = try await story.login(
            "vk", "--token", "-", "--name", "cafe", "--scope", "wall,video", input: story.sandbox.token(.vkCommunity))
        #expect(login.code == 0, "\(login.all)")
        #expect(
            login.output.contains("VK, Кафе «Миро» (-226100401)\n  rights: photos, wall, docs, stories\n"),
            "\(login.output)")
        #expect(login.errors.contains("VK did not grant 'video'"), "\(login.errors)")
    }

    /// A service token is nobody's: it is taken without a name, and steps that post are told that it is not for them.
    @Test func serviceTokenIsTakenForWhatItIs() async throws {
        let story = try Story()
        let token = story.sandbox.token(.vkService)
        let login = try await story.login("vk", "--token", "-", input: token)
        #expect(login.code == 0, "\(login.all)")
        #expect(
            login.output.hasPrefix("signed in: account 'vk', VK, a service token"), "\(login.output)")
        #expect(!login.all.contains(token))
        #expect(try FileSystem.mode(story.accountFile("vk")) == 0o600)
        let listed = try await story.pasteup("accounts", changes: story.signedOut)
        #expect(listed.output.hasPrefix("vk: VK, a service token"), "\(listed.output)")

        let file = try story.write(
            "service.yaml",
            """
            name: service
            accounts: { vk: { type: vk, base-url: "${{ env.SANDBOX }}" } }
            steps:
              time: { uses: vk.utils.getServerTime }
            """)
        let read = try await story.pasteup("run", file, changes: story.signedOut)
        #expect(read.code == 0, "\(read.all)")
        try story.write(
            "service.yaml",
            """
            name: service
            accounts: { vk: { type: vk, base-url: "${{ env.SANDBOX }}" } }
            steps:
              post: { uses: vk.wall-text, with: { message: Hello } }
            """)
        let posts = try await story.pasteup("run", file, changes: story.signedOut)
        #expect(posts.code == 1, "\(posts.all)")
        #expect(posts.errors.contains("has a service token, which VK refuses for wall.post"), "\(posts.errors)")
        #expect(try await story.count("wall.post") == 0)
        let logout = try await story.pasteup("logout", "vk", changes: story.signedOut)
        #expect(logout.output == "account 'vk' is forgotten.\n", "\(logout.all)")
        try story.expectNowhere(token)
    }

    // MARK: Instagram's page

    @Test(arguments: ["data", "flat", "numbers"]) func instagramsPageEndsOnThisMachine(shape: String) async throws {
        let story = try Story()
        try await story.control("POST", "sign-in", ["shape": .string(shape)])
        let port = try freePort()
        let program = try story.instagramPage(redirect: "http://127.0.0.1:\(port)/done")
        let landing = try await story.agree(program)
        #expect(landing.hasSuffix("#_"))
        let page = try await rawHTTP(
            port: port, "GET", String(landing.dropLast(2).dropFirst("http://127.0.0.1:\(port)".count)))
        #expect(page.status == 200)
        #expect(try await program.finish() == 0, "\(program.transcript)")
        #expect(program.transcript.contains("signed in: account 'instagram', Instagram, kafe.miro"))
        #expect(
            program.transcript.contains("rights: instagram_business_basic, instagram_business_content_publish\n"))
        #expect(!program.transcript.contains(SandboxApp.instagramSecret))
        let kept = try Value(json: FileSystem.read(story.accountFile("instagram")))
        #expect(kept["source"] == "code")
        #expect(kept["user-id"] == "17841405309211844")
        // 60 days, less what the exchange took.
        let expires = try #require(kept["expires"]?.string.flatMap { Timestamp(iso8601: $0) })
        #expect(expires - .now > .seconds(59 * 86_400))
    }

    @Test func pastedAddressIsTakenWithItsFragment() async throws {
        let story = try Story()
        let program = try story.instagramPage(redirect: "https://cafe.example/auth/")
        let landing = try await story.agree(program)
        #expect(landing.hasPrefix("https://cafe.example/auth/?code="))
        try await program.wait(for: "The whole address at which the page ended: ")
        program.type(landing + "\n")
        #expect(try await program.finish() == 0, "\(program.transcript)")
        // Nothing of what is typed is shown.
        #expect(!program.transcript.contains("?code="))
    }

    @Test func refusalOnThePageEndsTheLogin() async throws {
        let story = try Story()
        try await story.control("POST", "sign-in", ["deny": true])
        let program = try story.instagramPage(redirect: "https://cafe.example/auth/")
        let landing = try await story.agree(program)
        try await program.wait(for: "ended: ")
        program.type(landing + "\n")
        #expect(try await program.finish() == 1)
        #expect(
            program.transcript.contains(
                "Instagram did not sign you in (access_denied). Instagram says: The user denied your request."),
            "\(program.transcript)")
        #expect(!FileSystem.exists(story.accountFile("instagram")))
    }

    @Test func codeThatWasUsedIsRefused() async throws {
        let story = try Story()
        let program = try story.instagramPage(redirect: "https://cafe.example/auth/")
        let landing = try await story.agree(program)
        let code = try #require(landing.rest(after: "?code=")?.split(separator: "&").first)
        let form = [
            "client_id=\(SandboxApp.instagramID)", "client_secret=\(SandboxApp.instagramSecret)",
            "grant_type=authorization_code", "redirect_uri=https%3A%2F%2Fcafe.example%2Fauth%2F", "code=\(code)",
        ].joined(separator: "&")
        let first = try await rawHTTP(
            port: story.sandbox.port, "POST", "/oauth/access_token",
            headers: [("Content-Type", "application/x-www-form-urlencoded")], body: Array(form.utf8))
        #expect(first.status == 200)
        try await program.wait(for: "ended: ")
        program.type(landing + "\n")
        #expect(try await program.finish() == 1)
        #expect(
            program.transcript.contains("Matching code was not found or was already used"), "\(program.transcript)")
    }

    @Test func answerToAnotherLinkIsRefused() async throws {
        let story = try Story()
        let program = try story.instagramPage(redirect: "https://cafe.example/auth/")
        _ = try await story.agree(program)
        try await program.wait(for: "ended: ")
        program.type("https://cafe.example/auth/?code=AQx&state=another#_\n")
        #expect(try await program.finish() == 1)
        #expect(program.transcript.contains("this address is the answer to another link"), "\(program.transcript)")
    }

    @Test func missingScopeIsTold() async throws {
        let story = try Story()
        try await story.control("POST", "sign-in", ["drop": ["instagram_business_content_publish"]])
        let program = try story.instagramPage(redirect: "https://cafe.example/auth/")
        let landing = try await story.agree(program)
        try await program.wait(for: "ended: ")
        program.type(landing + "\n")
        #expect(try await program.finish() == 0)
        #expect(
            program.transcript.contains("Instagram did not grant 'instagram_business_content_publish'"),
            "\(program.transcript)")
    }

    // MARK: VK's pages

    @Test func classicLinkEndsAtTheBlankPage() async throws {
        let story = try Story()
        let program = try story.loginTerminal(
            "login", "vk", "--client-id", SandboxApp.vkID, "--classic", "--base-url", story.sandbox.baseURL)
        let landing = try await story.agree(program)
        #expect(landing.hasPrefix("\(story.sandbox.baseURL)/blank.html#access_token=vk1.a."))
        try await program.wait(for: "ended: ")
        program.type(landing + "\n")
        #expect(try await program.finish() == 0, "\(program.transcript)")
        #expect(program.transcript.contains("VK, Мирослава Соколова (743215608)"), "\(program.transcript)")
        #expect(program.transcript.contains("ends: it does not end by itself"))
        #expect(!program.transcript.contains("access_token="))
    }

    @Test func rightsThatVKDropsAreTold() async throws {
        let story = try Story()
        try await story.control("POST", "sign-in", ["drop": ["wall", "stories"]])
        try await story.signInToVKID()
        let listed = try await story.pasteup("accounts", "--json", changes: story.signedOut)
        #expect(try Value(json: listed.output.lines[0])["rights"] == ["photos", "docs", "groups", "offline"])
    }

    @Test func pairOfTokensIsReplacedBeforeItEnds() async throws {
        let story = try Story()
        try await story.signInToVKID()
        #expect(try await story.login("instagram", "--token", "-", input: story.sandbox.instagramToken).code == 0)
        let before = try Value(json: FileSystem.read(story.accountFile("vk")))
        try story.endToken("vk")
        let run = try await story.pasteup("run", story.workflow, changes: story.signedOut)
        #expect(run.code == 0, "\(run.all)")
        let after = try Value(json: FileSystem.read(story.accountFile("vk")))
        #expect(after["token"] != before["token"])
        #expect(after["refresh-token"] != before["refresh-token"])
        #expect(after["device-id"] == before["device-id"])
        #expect(try await story.count("vk-token") == 2)
        for name in ["token", "refresh-token"] {
            for record in [before, after] { try story.expectNowhere(try #require(record[name]?.string)) }
        }
    }

    @Test func twoProcessesSpendARefreshTokenOnce() async throws {
        let story = try Story()
        try await story.signInToVKID()
        #expect(try await story.login("instagram", "--token", "-", input: story.sandbox.instagramToken).code == 0)
        try story.endToken("vk")
        try story.write(
            "other.yaml", Story.fixture("instagram-to-vk.yaml").replacing("name: instagram-to-vk", with: "name: other"))
        async let one = story.pasteup("run", story.workflow, changes: story.signedOut)
        async let two = story.pasteup("run", story.folder.file("other.yaml"), changes: story.signedOut)
        #expect(try await [one.code, two.code] == [0, 0])
        #expect(try await story.count("vk-token") == 2, "the code, and one refresh")
    }

    /// VK ends the session when an old refresh token comes again: then a person must sign in.
    @Test func spentRefreshTokenEndsInAnExplanation() async throws {
        let story = try Story()
        try await story.signInToVKID()
        let old = try FileSystem.read(story.accountFile("vk"))
        #expect(try await story.pasteup("accounts", "refresh", "vk", changes: story.signedOut).code == 0)
        try FileSystem.write(old, to: story.accountFile("vk"))
        let again = try await story.pasteup("accounts", "refresh", changes: story.signedOut)
        #expect(again.code == 1, "\(again.all)")
        #expect(again.errors.contains("account 'vk' could not be refreshed"), "\(again.errors)")
        #expect(again.errors.contains("Sign in anew: pasteup login vk"), "\(again.errors)")
    }

    /// Mounting takes root and a mount namespace.
    private static let canMount = geteuid() == 0 && system("unshare -m mount -t tmpfs none /mnt 2>/dev/null") == 0

    /// A disk without room for the new pair: the old one is not spent, and is good until its end.
    private static let fullDisk = """
        cd "$1" && cp -p accounts/vk.json accounts/instagram.json . && mount -t tmpfs -o size=64k,mode=700 none accounts || exit 99
        cp -p vk.json instagram.json accounts/ && : > accounts/vk.lock && rm vk.json instagram.json || exit 99
        cat /dev/zero > accounts/filler 2>/dev/null
        "$2" accounts refresh vk; echo "refresh: $?"
        "$2" run "$3"; echo "run: $?"
        rm accounts/filler
        "$2" accounts refresh vk; echo "with room: $?"
        """

    @Test(.enabled(if: canMount, "mounting a file system is not allowed here"))
    func fullDiskSpendsNoRefreshToken() async throws {
        let story = try Story()
        try await story.signInToVKID()
        #expect(try await story.login("instagram", "--token", "-", input: story.sandbox.instagramToken).code == 0)
        try story.endToken("vk")
        var program = story.runner(story.signedOut)
        program.path = "/usr/bin/unshare"
        let result = try await program.run([
            "-m", "sh", "-c", Self.fullDisk, "sh",
            FileSystem.folder(of: FileSystem.folder(of: story.accountFile("vk"))),
            ProgramRunner.built("pasteup"), story.workflow,
        ])
        #expect(result.output.contains("refresh: 1\n"), "\(result.all)")
        #expect(result.errors.contains("account 'vk' could not be refreshed"), "\(result.all)")
        #expect(result.errors.contains("is not refreshed: a new one could not be kept"), "\(result.all)")
        #expect(result.output.contains("with room: 0\n"), "\(result.all)")
        #expect(try await story.count("vk-token") == 2, "the code, and the one refresh that could be kept")
    }

    @Test func logoutRevokesAndForgets() async throws {
        let story = try Story()
        try await story.signInToVKID()
        let token = try #require(try Value(json: FileSystem.read(story.accountFile("vk")))["token"]?.string)
        let logout = try await story.pasteup("logout", "vk", changes: story.signedOut)
        #expect(logout.code == 0, "\(logout.all)")
        #expect(logout.output == "account 'vk' is forgotten, its token revoked.\n")
        #expect(!FileSystem.exists(story.accountFile("vk")))
        let answer = try await rawHTTP(
            port: story.sandbox.port, "POST", "/method/users.get?v=5.199",
            headers: [("Authorization", "Bearer " + token)])
        #expect(try Value(json: answer.body)["error"]?["error_code"] == 5)
    }

    @Test func programsAreToldWhatBecameOfTheAccount() async throws {
        let story = try Story()
        let login = try await story.login("instagram", "--json", "--token", "-", input: story.sandbox.instagramToken)
        #expect(login.code == 0, "\(login.all)")
        let account = try Value(json: Array(login.output.utf8))
        #expect(account["name"] == "instagram" && account["user-name"] == "kafe.miro")
        let refresh = try await story.pasteup("accounts", "refresh", "--json", changes: story.signedOut)
        let refreshed = try Value(json: Array(refresh.output.utf8))
        #expect(refreshed["name"] == "instagram" && refreshed["refreshed"] == false, "\(refresh.all)")
        let logout = try await story.pasteup("logout", "instagram", "--json", changes: story.signedOut)
        #expect(logout.errors.isEmpty, "\(logout.all)")
        #expect(
            try Value(json: Array(logout.output.utf8))
                == ["name": "instagram", "type": "instagram", "revoked": false])
        #expect(!(login.all + refresh.all + logout.all).contains(story.sandbox.instagramToken))
    }

    @Test func logoutSaysWhatItCannotRevoke() async throws {
        let story = try Story()
        #expect(try await story.login("instagram", "--token", "-", input: story.sandbox.instagramToken).code == 0)
        let logout = try await story.pasteup("logout", "instagram", changes: story.signedOut)
        #expect(logout.output == "account 'instagram' is forgotten.\n")
        #expect(logout.errors.contains("take the application out in Instagram's settings"))
    }
}

extension Story {
    /// Variables without tokens.
    var signedOut: [String: String?] { ["INSTAGRAM_TOKEN": nil, "VK_TOKEN": nil] }

    func accountFile(_ name: String) -> String { folder.file(".config/pasteup/accounts/\(name).json") }

    /// `pasteup login`, at the sandbox.
    func login(_ words: String..., input: String) async throws -> ProgramResult {
        try await runner(signedOut).run(["login"] + words + ["--base-url", sandbox.baseURL], input: input)
    }

    func loginTerminal(_ words: String...) throws -> TerminalProgram {
        var environment = environment
        environment["INSTAGRAM_TOKEN"] = nil
        environment["VK_TOKEN"] = nil
        environment["INSTAGRAM_APP_SECRET"] = SandboxApp.instagramSecret
        return try TerminalProgram(ProgramRunner.built("pasteup"), words, environment: environment, cap: .seconds(120))
    }

    func instagramPage(redirect: String) throws -> TerminalProgram {
        try loginTerminal(
            "login", "instagram", "--client-id", SandboxApp.instagramID, "--redirect", redirect, "--base-url",
            sandbox.baseURL)
    }

    /// Opens the link that the program shows, as a browser does.
    ///
    /// - Returns: where the browser is sent.
    func agree(_ program: TerminalProgram) async throws -> String {
        try await program.wait(for: "and agree:\r\n\(sandbox.baseURL)")
        let target = try await program.wait(for: "\r\n").dropLast()
        let answer = try await rawHTTP(port: sandbox.port, "GET", String(target))
        guard let landing = answer.header("Location") else { throw SandboxError("\(answer.status) \(answer.text)") }
        return landing
    }

    func signInToVKID() async throws {
        let port = try freePort()
        let program = try loginTerminal(
            "login", "vk", "--client-id", SandboxApp.vkID, "--redirect", "http://127.0.0.1:\(port)/", "--base-url",
            sandbox.baseURL)
        let landing = try await agree(program)
        let page = try await rawHTTP(port: port, "GET", String(landing.dropFirst("http://127.0.0.1:\(port)".count)))
        guard page.status == 200, try await program.finish() == 0 else { throw SandboxError(program.transcript) }
    }

    /// Makes a kept token one that ends then.
    func endToken(_ account: String, in time: Duration = .seconds(60)) throws {
        var record = try Value(json: FileSystem.read(accountFile(account))).object ?? [:]
        record["tried"] = nil
        record["expires"] = .string((Timestamp.now + time).iso8601)
        try FileSystem.write(Array(Value.object(record).json().utf8), to: accountFile(account))
    }
}
