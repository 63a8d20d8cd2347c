internal import Accounts
internal import HTTP
internal import Instagram
internal import ServiceKit
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
            let token = try pasted("The token from Meta's dashboard: ", orElse: Self.dashboard)
            try check(token, is: .instagram)
            return try await identified {
                try await signIn.identify(
                    TokenRecord(type: InstagramAccount.type.name, token: token, obtained: session.now))
            }
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
        return try await exchanged {
            try await signIn.identify(
                signIn.token(
                    landing: landing, state: state, clientID: clientID, clientSecret: secret, redirect: redirect))
        }
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
        return try pasted(
            "The secret of the Instagram application: ",
            orElse: "It stands in Meta's dashboard, beside the Instagram app ID; or set \(name).", what: "secret")
    }

    // MARK: VK

    func vk() async throws -> TokenRecord {
        let signIn = VKSignIn(client: client, addresses: VKSignIn.Addresses(base: base), now: now)
        guard let clientID = arguments.value("--client-id") else {
            let pasted = try pasted(
                "A token, or the address at which VK's page ended: ",
                orElse: "Paste one, or sign in by a page: pasteup login vk --help")
            let text = pasted.reveal()
            let record =
                text.contains("://")
                ? try signIn.token(classicLanding: text, state: nil)
                : TokenRecord(type: VKAccount.type.name, token: pasted, obtained: session.now)
            try check(hidden(record.token), is: .vk)
            return try await identified { try await signIn.identify(record) }
        }
        if arguments.has("--classic") {
            let state = InstagramSignIn.newState()
            let link = try signIn.classicLink(clientID: clientID, rights: rights, state: state)
            let landing = try await landing(from: link, redirect: nil)
            return try await exchanged {
                try await signIn.identify(signIn.token(classicLanding: landing, state: state))
            }
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
        return try await exchanged {
            try await signIn.identify(
                signIn.token(landing: landing, attempt, clientID: clientID, redirect: redirect))
        }
    }

    // MARK: What a person gives

    private func hidden(_ secret: Secret) -> Secret {
        session.output.hide(adding: [secret])
        return secret
    }

    private static let dashboard = "Make one in Meta's dashboard: Instagram > API setup > Generate token."

    /// Says how to go on when the service does not take what was pasted.
    private func identified(_ body: () async throws -> TokenRecord) async throws -> TokenRecord {
        try await telling("Copy the whole token again, or make a new one.", body)
    }

    /// Says how to go on when the service gives no token for what its page ended with.
    private func exchanged(_ body: () async throws -> TokenRecord) async throws -> TokenRecord {
        try await telling(
            "Sign in once more: what a page ends with is good once and for a short time. Check that --client-id and "
                + "--redirect are those of the application.", body)
    }

    private func telling(_ fix: String, _ body: () async throws -> TokenRecord) async throws -> TokenRecord {
        do { return try await body() } catch var error as StepError where error.fix == nil {
            error.fix =
                "Nothing was kept. " + ([.permission, .inDoubt].contains(error.errorClass) ? fix : "Try again later.")
            throw error
        }
    }

    /// One service's token is not shown to another. The beginnings are those that have been seen: IGAA and IGQ are
    /// Instagram's, EAA Facebook's, vk1. and vk2. VK's; others are left to the service.
    private func check(_ token: Secret, is service: ServiceName) throws {
        let text = token.reveal()
        guard service == .instagram || !text.hasPrefix("IGAA") && !text.hasPrefix("IGQ") else {
            throw UsageError("this is a token of Instagram's", fix: "Write: pasteup login instagram")
        }
        guard service == .vk || !text.hasPrefix("vk1.") && !text.hasPrefix("vk2.") else {
            throw UsageError("this is a token of VK's", fix: "Write: pasteup login vk")
        }
        guard !text.hasPrefix("EAA") else {
            throw UsageError(
                "this is a token of Facebook's, which \(service == .vk ? "VK" : "Instagram Login") does not take",
                fix: service == .vk ? "Paste one of VK's." : Self.dashboard)
        }
        guard service == .vk || !text.contains("://") else {
            throw UsageError(
                "this is an address, not a token",
                fix: "Paste the token from Meta's dashboard, or give --client-id and --redirect to sign in by a page.")
        }
    }

    /// A line that is shown nowhere.
    ///
    /// - Parameter fix: what to do when nothing is given.
    private func pasted(_ prompt: String, orElse fix: String, what: String = "token") throws -> Secret {
        guard arguments.value("--token") != nil || HiddenInput.isTerminal else {
            throw UsageError(
                "there is no terminal to ask for the \(what)", fix: "Add '--token -', and give the \(what) on stdin.")
        }
        let line = try HiddenInput.line(session.output, prompt: prompt)?.filter { !$0.isWhitespace } ?? ""
        guard !line.isEmpty else { throw UsageError("no \(what) was given", fix: fix) }
        guard line.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError(
                "the \(what) has characters that no \(what) has", fix: "Copy it again, without quotes and line breaks.")
        }
        return hidden(Secret(line))
    }

    /// Shows the link, and waits for the address at which its page ends: pasted, or listened for where it is on this
    /// machine.
    private func landing(from link: String, redirect: String?) async throws -> String {
        let listener = try redirect.flatMap { try LandingListener($0) }
        session.output.note("Open this address in a browser, and agree:\n\(link)\n")
        if arguments.has("--open") { Browser.open(link) }
        if let listener {
            listening.withLock { $0 = listener }
            return try await listener.wait()
        }
        while true {
            let line = try HiddenInput.line(session.output, prompt: "The whole address at which the page ended: ") ?? ""
            guard !line.filter({ !$0.isWhitespace }).isEmpty else {
                throw UsageError(
                    "no address was given", fix: "Paste the line from the browser's address bar, or give it on stdin.")
            }
            // The link that is open would be spent for a slip of the mouse.
            guard HiddenInput.isTerminal, SignInLanding(line) == nil else { return line }
            session.output.note(
                "That is not the address at which the page ended: it has a code, a token or an error in it.\n")
        }
    }
}
