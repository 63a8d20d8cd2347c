internal import CaptchaPage
internal import Engine
internal import Files
internal import HTTPServer
internal import Journal
internal import StepKit
internal import Threading
internal import Values
internal import Workflows

/// Asks the person who is there about paused steps, on the terminal and on a page, while the run goes on.
final class Questioner: Sendable {
    /// How far a question has got that is put in two places at once.
    private enum Word: Sendable {
        case typed(LineInput.Line)
        case page(CaptchaReply)
        /// There is no page.
        case noPage
    }

    private let session: Session
    private let opensBrowser: Bool
    private let input = LineInput()
    /// Made with the first captcha, one for all. It lives as long as this, so that the browser gets its last answer.
    private let page = Locked<CaptchaPage?>(nil)

    /// Nil when nobody is there to be asked.
    ///
    /// - Parameter asksByItself: whether a person at a terminal is asked without `--interactive`.
    init?(_ arguments: ParsedArguments, _ session: Session, asksByItself: Bool) {
        let isThere = asksByItself && input.isTerminal && session.output.isTerminal && !arguments.has("--json")
        guard isThere || arguments.has("--interactive") else { return nil }
        self.session = session
        opensBrowser = arguments.has("--open")
    }

    func interviewer(_ record: RunRecord, _ workflow: Workflow) -> Interviewer {
        Interviewer(forms: [.captchaText, .successToken, .approval]) { [self] question in
            switch question.pause.answer {
            case .captchaText, .successToken: await ask(Captcha(question, record, workflow))
            case .approval: await askApproval(question)
            default: .later
            }
        }
    }

    // MARK: Captchas

    private func ask(_ captcha: Captcha) async -> QuestionReply {
        let question: CaptchaQuestion
        do { question = try captcha.onPage(now: session.now) } catch {
            session.tell(warning: "the captcha cannot be shown: \(error)")
            return .later
        }
        session.output.note(captcha.introduction(session.style))
        defer { session.output.endPrompt(isTyped: false) }
        let (replies, continuation) = AsyncStream<Word>.makeStream()
        let reply = await withTaskGroup(of: Void.self) { group in
            group.addTask { continuation.yield(await self.show(question, captcha)) }
            group.addTask { await self.read(into: continuation) }
            defer {
                group.cancelAll()
                continuation.finish()
            }
            return await self.firstReply(replies, captcha)
        }
        if Task.isCancelled { return .later }
        return reply
    }

    /// The first word that is a reply: the end of an input that nobody types leaves the page.
    private func firstReply(_ words: AsyncStream<Word>, _ captcha: Captcha) async -> QuestionReply {
        var open = 2
        for await word in words {
            switch word {
            case .typed(.text(let line)):
                session.output.endPrompt(isTyped: input.isTerminal)
                return captcha.reply(typed: line).map { .answer($0) } ?? .again
            case .typed(.end) where input.isTerminal: return .later
            case .typed(.cancelled), .page(.declined): return .later
            case .page(.token(let token)): return .answer(.successToken(token))
            case .page(.text(let text)): return .answer(.captcha(text))
            case .page(.expired):
                session.output.endPrompt(isTyped: false)
                guard open == 2 else { return .later }
                session.output.note("  Its time is over.\n")
                session.output.prompt("  Enter brings a fresh one, Ctrl-D leaves it paused: ")
                return await expiredReply(words)
            case .noPage, .typed(.end):
                open -= 1
                if open == 0 { return .later }
            }
        }
        return .later
    }

    private func expiredReply(_ words: AsyncStream<Word>) async -> QuestionReply {
        for await case .typed(let line) in words {
            guard case .text = line else { return .later }
            session.output.endPrompt(isTyped: input.isTerminal)
            return .again
        }
        return .later
    }

    private func read(into words: AsyncStream<Word>.Continuation) async { words.yield(.typed(await input.line())) }

    /// Puts the question on the page and on the terminal; the prompt comes when the page's address is known.
    private func show(_ question: CaptchaQuestion, _ captcha: Captcha) async -> Word {
        do {
            let reply = try await openPage().ask(question) { address in
                session.output.note("  \(captcha.pageHint) \(address)\n")
                if opensBrowser { Browser.open(address) }
                session.output.prompt(captcha.prompt)
            }
            return .page(reply)
        } catch let error as HTTPServerError {
            session.tell(warning: "there is no page for the captcha: \(error)")
        } catch let error as CaptchaPageError {
            session.tell(warning: "there is no page for the captcha: \(error)")
        } catch {
            return .noPage
        }
        session.output.prompt(captcha.prompt)
        return .noPage
    }

    private func openPage() throws(HTTPServerError) -> CaptchaPage {
        if let page = page.withLock({ $0 }) { return page }
        let made = try CaptchaPage()
        page.withLock { $0 = made }
        return made
    }

    // MARK: Approvals

    private func askApproval(_ question: StepQuestion) async -> QuestionReply {
        let style = session.style
        session.output.note("\(style.yellow("question:")) step '\(question.address)': \(question.pause.message)\n")
        if let picture = question.pause.picture { session.output.note("  Picture: \(picture)\n") }
        defer { session.output.endPrompt(isTyped: false) }
        while true {
            session.output.prompt("  Go on? y or n, Ctrl-D leaves it paused: ")
            let line = await input.line()
            guard case .text(let text) = line else { return .later }
            session.output.endPrompt(isTyped: input.isTerminal)
            switch text.lowercased().filter({ !$0.isWhitespace }) {
            case "y", "yes": return .answer(.approved)
            case "n", "no": return .answer(.rejected)
            default: continue
            }
        }
    }
}
