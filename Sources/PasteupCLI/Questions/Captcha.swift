internal import CaptchaPage
internal import Engine
internal import Files
internal import Journal
internal import ServiceKit
internal import StepKit
internal import Values
internal import Workflows

/// A captcha that a step is paused on, in the words in which a person is asked.
struct Captcha: Sendable {
    private let question: StepQuestion
    private let run: String
    private let workflow: String
    private let service: String

    init(_ question: StepQuestion, _ record: RunRecord, _ workflow: Workflow) {
        self.question = question
        run = record.id
        self.workflow = record.workflow
        service = workflow.accounts.first { $0.name == question.account }?.type.service ?? "The service"
    }

    private var isPicture: Bool { question.pause.answer == .captchaText }

    /// What the page shows.
    ///
    /// - Throws: `FileError` when the picture or the address that was kept cannot be read.
    func onPage(now: Timestamp) throws -> CaptchaQuestion {
        let five = Duration.seconds(300)
        let life = question.pause.expires.map { min(max($0 - now, .zero), five) } ?? five
        let form: CaptchaQuestion.Form
        if isPicture {
            let bytes = try FileSystem.read(question.pause.picture ?? "", maxBytes: 16 << 20)
            form = .picture(bytes, contentType: PictureFormat(head: bytes)?.mediaType ?? "image/jpeg")
        } else {
            let bytes = try FileSystem.read(question.pause.linkFile ?? "", maxBytes: 64 << 10)
            form = .frame(Secret(String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }))
        }
        return CaptchaQuestion(
            form, title: title, detail: "\(workflow), step '\(question.address)', run \(run)", life: life)
    }

    private var title: String {
        "\(service) asks\(question.account.map { " " + Account.phrase($0) } ?? "") for a captcha"
    }

    func introduction(_ style: Style) -> String {
        var text = "\(style.yellow("question:")) \(title) in step '\(question.address)'"
        if question.refusals > 0 {
            text +=
                "; \(question.refusals) of \(Scheduler.maxRefusals) answers \(question.refusals == 1 ? "was" : "were") refused"
        }
        text += ".\n"
        if isPicture, let picture = question.pause.picture { text += "  Picture: \(picture)\n" }
        return text
    }

    /// What stands before the page's address.
    var pageHint: String { isPicture ? "Or see it and answer at:" : "Open this address in a browser:" }

    var prompt: String {
        isPicture
            ? "  Text in the picture (Enter brings another one, Ctrl-D leaves it paused): "
            : "  Waiting for the page. The token can be pasted here as well (Enter: a fresh one, Ctrl-D: leave it paused): "
    }

    /// Nil for an empty line: the person wants another captcha.
    func reply(typed line: String) -> PauseAnswer? {
        let text = line.filter { !$0.isWhitespace }
        guard !text.isEmpty else { return nil }
        return isPicture ? .captcha(text) : .successToken(Secret(text))
    }
}
