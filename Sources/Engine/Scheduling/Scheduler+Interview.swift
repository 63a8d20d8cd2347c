internal import Journal
internal import StepKit
internal import Values

/// Pauses that a person answers while the process lives.
extension Scheduler {
    /// So many refused answers to the captchas of one call end the questions about it for this process.
    public static let maxRefusals = 5
    /// The wait that follows them.
    public static let refusalWait = Duration.seconds(3600)

    /// Puts the question of a step that has just been paused, when somebody is there who can answer it.
    mutating func putQuestion(_ step: Int, _ decisions: inout SchedulerDecisions) {
        guard stopping == nil, case .paused(let pause) = steps[step].phase, interview.forms.contains(pause.answer)
        else {
            return
        }
        interview.add(step)
        putNextQuestion(&decisions)
    }

    /// Approvals of earlier processes are asked at once: there is nothing to send first.
    mutating func putOldQuestions(_ decisions: inout SchedulerDecisions) {
        for step in nodes.indices {
            guard case .paused(let pause) = steps[step].phase, pause.answer == .approval else { continue }
            putQuestion(step, &decisions)
        }
    }

    mutating func answered(
        _ step: Int, _ reply: QuestionReply, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        guard interview.asked == step else { return }
        interview.close()
        switch reply {
        case .answer(let answer): resume(step, .answer(answer), moment, &decisions)
        case .again: resume(step, .answer(nil), moment, &decisions)
        case .later: break
        }
        putNextQuestion(&decisions)
    }

    private mutating func putNextQuestion(_ decisions: inout SchedulerDecisions) {
        while let step = interview.next() {
            guard case .paused(let pause) = steps[step].phase else {
                interview.close()
                continue
            }
            decisions.actions.append(.ask(step, pause, refusals: steps[step].refusals))
        }
    }

    /// Whether a fresh captcha says that the answer to the one before was wrong.
    private func isRefusal(_ step: Int) -> Bool {
        switch steps[step].resumption?.answer {
        case .captcha, .successToken: true
        default: false
        }
    }

    /// Pauses the step on its captcha, unless too many answers have been refused: then it waits.
    mutating func pauseOnCaptcha(
        _ step: Int, _ error: StepError, _ pause: PauseRequest, _ moment: Moment,
        _ decisions: inout SchedulerDecisions
    ) {
        var pause = pause
        if isRefusal(step) {
            steps[step].refusals += 1
            pause.message = "The last answer was refused. " + pause.message
        }
        guard steps[step].refusals >= Scheduler.maxRefusals else {
            return self.pause(step, pause, moment, &decisions)
        }
        steps[step].refusals = 0
        steps[step].resumption = nil
        // The account's other writes would meet the same captcha.
        if let account = nodes[step].account { accounts.hold(account, by: step) }
        wait(
            step, error, for: Scheduler.refusalWait, why: "\(Scheduler.maxRefusals) answers were refused", moment,
            &decisions)
        if steps[step].hasFailed { unhold(step) }
    }
}
