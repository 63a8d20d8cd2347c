internal import Accounts
internal import HTTP
internal import Instagram
internal import StepKit
internal import Threading
internal import VK
internal import Values

/// One sign-in: what the command line asks for, and the ways in which a token comes.
struct LoginRequest {
    private let arguments: ParsedArguments
    private let session: Session
    private let client: any HTTPClient
    private let base: String?
    /// The rights that are asked for; empty where a token is pasted.
    let rights: [String]
    private let listening = Locked<LandingListener?>(nil)

    init(_ arguments: ParsedArguments, session: Session, client: any HTTPClient, base: String?) {
        self.arguments = arguments
        self.session = session
        self.client = client
        self.base = base
        let given = arguments.value("--scope")?.split { $0 == "," || $0 == " " }.map(String.init)
        let usual = arguments.positionals[0] == ServiceName.vk.rawValue ? VKSignIn.rights : InstagramSignIn.scopes
        rights = given ?? (arguments.value("--client-id") == nil ? [] : usual)
    }

    private var now: @Sendable () -> Timestamp { { [session] in session.now } }

    // MARK: Instagram

    func instagram() async throws -> TokenRecord {
        let signIn = InstagramSignIn(
            client: client, addresses: InstagramSignIn.Addresses(base: base), now: now)
        guard let clientID = arguments.value("--client-id") else {
            let token = try pasted("The token from Meta's dashboard: ")
            return try await signIn.identify(
                TokenRecord(type: InstagramAccount.type.name, token: token, obtained: session.now))
        }
        guard let redirect = arguments.value("--redirect") else {
            throw UsageError(
                "'--client-id' needs '--redirect'",
                fix:
                    "Give the address that is registered in the dashboard, with or without its last slash as it is there."
            )
        }
        let secret = try appSecret()
        let state = InstagramSignIn.newState()
        let link = try signIn.link(clientID: clientID, redirect: redirect, scopes: rights, state: state)
        let landing = try await landing(from: link, redirect: redirect)
        let record = try await signIn.token(
            landing: landing, state: state, clientID: clientID, clientSecret: secret, redirect: redirect)
        return try await signIn.identify(record)
    }

    /// The application's secret: by its name, else from a person.
    private func appSecret() throws -> Secret {
        let name = "INSTAGRAM_APP_SECRET"
        let found: Secret?
        do { found = try SecretStore(environment: session.environment).secret(name) } catch {
            throw CommandFailure("\(error)".withoutFullStop)
        }
        if let found { return hidden(found) }
        guard HiddenInput.isTerminal else {
            throw CommandFailure(
                "secret '\(name)' is not set",
                why: "Instagram gives tokens for a code and the application's secret only.",
                fix: "Set the environment variable \(name), or run this at a terminal.")
        }
        return try pasted("The secret of the Instagram application: ")
    }

    // MARK: VK

    func vk() async throws -> TokenRecord {
        let signIn = VKSignIn(client: client, addresses: VKSignIn.Addresses(base: base), now: now)
        guard let clientID = arguments.value("--client-id") else {
            let text = try pasted("A token, or the address at which VK's page ended: ").reveal()
            let record =
                text.contains("://")
                ? try signIn.token(classicLanding: text, state: nil)
                : TokenRecord(type: VKAccount.type.name, token: Secret(text), obtained: session.now)
            _ = hidden(record.token)
            return try await signIn.identify(record)
        }
        if arguments.has("--classic") {
            let state = InstagramSignIn.newState()
            let link = try signIn.classicLink(clientID: clientID, rights: rights, state: state)
            let landing = try await landing(from: link, redirect: nil)
            return try await signIn.identify(signIn.token(classicLanding: landing, state: state))
        }
        guard let redirect = arguments.value("--redirect") else {
            throw UsageError(
                "'--client-id' needs '--redirect' or '--classic'",
                fix:
                    "Give the address that is registered with the application as trusted, or --classic for the classic link."
            )
        }
        let attempt = VKSignIn.Attempt()
        let link = try signIn.link(clientID: clientID, redirect: redirect, rights: rights, attempt)
        let landing = try await landing(from: link, redirect: redirect)
        return try await signIn.identify(
            signIn.token(landing: landing, attempt, clientID: clientID, redirect: redirect))
    }

    // MARK: What a person gives

    private func hidden(_ secret: Secret) -> Secret {
        session.output.hide(adding: [secret])
        return secret
    }

    /// A line that is shown nowhere.
    private func pasted(_ prompt: String) throws -> Secret {
        guard arguments.value("--token") != nil || HiddenInput.isTerminal else {
            throw UsageError(
                "there is no terminal to ask for the token", fix: "Add '--token -', and give the token on stdin.")
        }
        let line = HiddenInput.line(session.output, prompt: prompt)?.filter { !$0.isWhitespace } ?? ""
        guard !line.isEmpty else { throw UsageError("no token was given") }
        guard line.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError(
                "the token has characters that no token has", fix: "Copy it again, without quotes and line breaks.")
        }
        return hidden(Secret(line))
    }

    /// Shows the link, and waits for the address at which its page ends: pasted, or listened for where it is on this
    /// machine.
    private func landing(from link: String, redirect: String?) async throws -> String {
        session.output.note("Open this address in a browser, and agree:\n\(link)\n")
        if arguments.has("--open") { Browser.open(link) }
        if let redirect, let listener = try LandingListener(redirect) {
            listening.withLock { $0 = listener }
            return try await listener.wait()
        }
        let line = HiddenInput.line(session.output, prompt: "The whole address at which the page ended: ") ?? ""
        guard !line.filter({ !$0.isWhitespace }).isEmpty else {
            throw UsageError(
                "no address was given", fix: "Paste the line from the browser's address bar, or give it on stdin.")
        }
        return line
    }
}
