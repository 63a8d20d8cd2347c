internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// What follows a failed attempt: another one, a pause, a wait, a look, or the end.
extension Scheduler {
    mutating func attemptFailed(
        _ step: Int, _ error: StepError, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        var error = error
        error.retryAfter = error.retryAfter.map { min(max($0, .zero), Scheduler.longestWait) }
        steps[step].failures += 1
        record(.attemptFailed, step, moment, &decisions, data: ["error": error.journalValue])
        if nodes[step].effect == .write { decisions.durability = .durable }
        switch error.errorClass {
        case .captcha:
            guard let pause = error.pause else { return fail(step, error, moment, &decisions) }
            pauseOnCaptcha(step, error, pause, moment, &decisions)
        case .validation, .auth:
            guard let pause = error.pause else { return fail(step, error, moment, &decisions) }
            self.pause(step, pause, moment, &decisions)
        case .permission, .invalid:
            // A question that a person can answer may come with them (VK 24: "are you sure?").
            guard let pause = error.pause else { return fail(step, error, moment, &decisions) }
            self.pause(step, pause, moment, &decisions)
        // A limit over hours or days: an hour unless the service says more.
        case .quota: wait(step, error, for: error.retryAfter ?? .seconds(3600), moment, &decisions)
        case .stale: redoInputs(of: step, error, moment, &decisions)
        case .inDoubt where nodes[step].effect == .write: resolveDoubt(step, error, moment, &decisions)
        // What is harmless to repeat is repeated.
        case .inDoubt: retry(step, error, moment, &decisions)
        case .network, .timeout, .rateLimit, .server: retry(step, error, moment, &decisions)
        }
    }

    private mutating func retry(
        _ step: Int, _ error: StepError, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        let policy = nodes[step].retry
        guard policy.on?.contains(error.errorClass) ?? true, steps[step].failures < policy.maxAttempts else {
            return fail(step, error, moment, &decisions)
        }
        let delay = policy.backoff(
            after: steps[step].failures, draw: Double.random(in: 0..<1, using: &generator), retryAfter: error.retryAfter
        )
        if let limit = policy.maxElapsed, let first = steps[step].firstAttempt,
            moment.monotonic + delay - first > limit
        {
            return fail(step, error, moment, &decisions)
        }
        if delay > Scheduler.longestPause { return wait(step, error, for: delay, moment, &decisions) }
        steps[step].phase = .backingOff
        timers += 1
        decisions.actions.append(.timer(step, delay))
    }

    mutating func timerFired(_ step: Int) {
        switch steps[step].phase {
        case .backingOff: enqueue(step)
        case .looking(let search): lookSoon(step, search)
        default: break
        }
    }

    // MARK: Pauses and waits

    mutating func pause(
        _ step: Int, _ pause: PauseRequest, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].phase = .paused(pause)
        decisions.durability = .durable
        record(.stepPaused, step, moment, &decisions, data: ["pause": pause.journalValue])
        if pause.kind.holdsAccount, let account = nodes[step].account { accounts.hold(account, by: step) }
        setAside(step)
        putQuestion(step, &decisions)
    }

    /// The step goes on in a later process, three times at most.
    ///
    /// - Parameter why: for people, as a clause; nil when the error says it.
    mutating func wait(
        _ step: Int, _ error: StepError, for delay: Duration, why: String? = nil, _ moment: Moment,
        _ decisions: inout SchedulerDecisions
    ) {
        guard steps[step].waits < Scheduler.maxWaits else { return fail(step, error, moment, &decisions) }
        let until = moment.wall + delay
        steps[step].waits += 1
        steps[step].phase = .waiting(until)
        // As an entry of the journal says it to a later process.
        steps[step].lastError = error
        var data: ValueObject = ["until": .string(until.iso8601)]
        data["why"] = why.map(Value.string)
        record(.stepWaiting, step, moment, &decisions, data: .object(data))
        setAside(step)
    }

    /// What is paused or waits lets others go before it.
    mutating func setAside(_ step: Int) {
        freeSlot(of: step)
        releaseAccount(of: step)
        advanceTurns(inRowOf: step)
    }

    /// A step of an earlier process goes on: a paused or waiting one, or a write that was under way when it ended.
    mutating func resume(
        _ step: Int, _ how: ResumeHow, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        switch steps[step].phase {
        case .running: resumeDoubt(step, moment, &decisions)
        case .waiting:
            record(.stepResumed, step, moment, &decisions)
            startOver(step)
            unhold(step)
        case .paused(let pause): resume(step, pause, how, moment, &decisions)
        default: break
        }
    }

    private mutating func resumeDoubt(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        let error =
            steps[step].lastError
            ?? StepError(
                .inDoubt, "the process ended in the middle of it", why: "Nobody knows whether it has happened.")
        steps[step].attemptStarted = beginning(of: step, moment)
        let isAfterDeath = steps[step].lastError == nil
        resolveDoubt(step, error, isAfterDeath: isAfterDeath, moment, &decisions)
    }

    /// When the last attempt began. For one of an earlier process the request's deadline is counted from the journal's
    /// instant, as far as the wall clock can be believed.
    private func beginning(of step: Int, _ moment: Moment) -> Moment {
        if let started = steps[step].attemptStarted { return started }
        let intent = steps[step].lastIntent ?? moment.wall
        let elapsed = min(max(moment.wall - intent, .zero), nodes[step].timeout)
        return Moment(wall: intent, monotonic: moment.monotonic - elapsed)
    }

    private mutating func resume(
        _ step: Int, _ pause: PauseRequest, _ how: ResumeHow, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        let answer: PauseAnswer?
        switch how {
        case .posted(let outputs):
            record(.stepResumed, step, moment, &decisions)
            unhold(step)
            return succeed(step, outputs, moment, &decisions)
        case .partSettled:
            record(.stepResumed, step, moment, &decisions)
            steps[step].resumption = nil
            startOver(step)
            return unhold(step)
        // Without the outputs that the kind makes of it, the id says nothing: the step stays as it is.
        case .answer(.posted): return
        case .answer(let given): answer = given
        }
        // Doubt is ended by a proof or by a person who says that it did not happen; no other answer sends it again.
        if pause.kind == .inDoubt, answer != .resend {
            record(.stepResumed, step, moment, &decisions)
            let error = StepError(.inDoubt, pause.message)
            let began = beginning(of: step, moment)
            steps[step].attemptStarted = began
            return search(for: step, error, since: steps[step].keyFirstSent, moment, &decisions)
        }
        if answer == .rejected {
            fail(step, StepError(.permission, "it was rejected"), moment, &decisions)
            return unhold(step)
        }
        record(.stepResumed, step, moment, &decisions)
        if answer == .resend {
            steps[step].generation += 1
            steps[step].keyFirstSent = nil
            decisions.durability = .durable
            record(.generationRaised, step, moment, &decisions)
        }
        steps[step].resumption = Resumption(continuation: pause.continuation, answer: answer)
        startOver(step)
        unhold(step)
    }

    private mutating func startOver(_ step: Int) {
        steps[step].doubtSince = nil
        steps[step].failures = 0
        steps[step].firstAttempt = nil
        enqueue(step)
    }

    // MARK: Turns

    /// A write that had to wait for its turn has its intent journalled anew: the request's deadline and the search for it
    /// count from when it can have been sent.
    mutating func turnTaken(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        if let began = steps[step].attemptStarted, moment.monotonic - began.monotonic > .seconds(1) {
            steps[step].attemptStarted = moment
            decisions.durability = .durable
            record(.attemptStarted, step, moment, &decisions)
        }
        decisions.actions.append(.send(step))
    }

    /// The run stops before the write has gone. Its intent is journalled already: without a word a later process would look
    /// for it, or ask.
    mutating func notSent(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        endWithTask()
        decisions.durability = .durable
        let error = StepError(.network, "it was stopped before anything was sent")
        record(
            .attemptFailed, step, moment, &decisions, data: ["error": error.journalValue, "not-sent": true])
    }

    // MARK: Doubt

    private mutating func resolveDoubt(
        _ step: Int, _ error: StepError, isAfterDeath: Bool = false, _ moment: Moment,
        _ decisions: inout SchedulerDecisions
    ) {
        switch nodes[step].doubtRule {
        case .look: search(for: step, error, moment, &decisions)
        case .redoInputs: redoInputs(of: step, error, isAfterDeath: isAfterDeath, moment, &decisions)
        case .ask: ask(step, error, [], moment, &decisions)
        }
    }

    /// Looks at once: what is found needs no more time. Only looks after the request's deadline can prove it absent.
    ///
    /// - Parameter first: when the first of several attempts began; nil for the last one.
    private mutating func search(
        for step: Int, _ error: StepError, since first: Timestamp? = nil, _ moment: Moment,
        _ decisions: inout SchedulerDecisions
    ) {
        let began = steps[step].attemptStarted ?? moment
        let intent = min(first ?? steps[step].doubtSince ?? began.wall, began.wall)
        steps[step].doubtSince = intent
        // An instant of an earlier process that is still to come by this machine's clock says nothing of when that was.
        guard began.monotonic < moment.monotonic || intent - moment.wall <= Scheduler.clockSlack else {
            let reason = "this machine's clock has been set back since"
            return ask(step, undecidable(error, because: reason), [], moment, &decisions)
        }
        let search = StepProgress.Search(
            error: error, intent: intent, began: began.monotonic, deadline: began.monotonic + nodes[step].timeout)
        lookSoon(step, search)
    }

    /// The failure with the reason why nobody can tell. After a pause its words are the question's, which has one already.
    private func undecidable(_ error: StepError, because reason: String) -> StepError {
        let words = "Whether it happened cannot be found out: "
        var error = error
        if let told = error.what.firstRange(of: " " + words) { error.what.removeSubrange(told.lowerBound...) }
        error.why = words + reason + "."
        return error
    }

    private mutating func lookSoon(_ step: Int, _ search: StepProgress.Search) {
        var search = search
        search.isDue = true
        steps[step].phase = .looking(search)
        ready.insert(step)
    }

    mutating func looked(
        _ step: Int, _ sighting: Sighting, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        guard case .looking(var search) = steps[step].phase else { return }
        record(.looked, step, moment, &decisions, data: sighting.journalValue)
        switch sighting {
        case .found(let outputs): succeed(step, outputs, moment, &decisions)
        case .several(let candidates): ask(step, search.error, candidates, moment, &decisions)
        case .unreadable(let reason):
            ask(step, undecidable(search.error, because: reason), [], moment, &decisions)
        case .neverSent:
            var error = search.error
            if error.errorClass == .inDoubt { error.errorClass = .timeout }
            sendAgain(step, error, moment, &decisions)
        case .tooEarly(let left):
            search.failedLooks = 0
            steps[step].phase = .looking(search)
            timers += 1
            decisions.actions.append(.timer(step, max(min(left, Scheduler.longestPause), .milliseconds(1))))
        case .absent:
            let left = search.deadline - moment.monotonic
            search.failedLooks = 0
            if left <= .zero { search.emptyLooks += 1 }
            if search.emptyLooks >= 2 { return sendAgain(step, search.error, moment, &decisions) }
            steps[step].phase = .looking(search)
            timers += 1
            decisions.actions.append(.timer(step, max(left, nodes[step].settle)))
        }
    }

    /// The write is proved absent: it is sent again under the same key, as long as attempts and time are left.
    private mutating func sendAgain(
        _ step: Int, _ error: StepError, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        let policy = nodes[step].retry
        guard steps[step].failures < policy.maxAttempts else { return fail(step, error, moment, &decisions) }
        if let limit = policy.maxElapsed, let first = steps[step].firstAttempt, moment.monotonic - first > limit {
            return fail(step, error, moment, &decisions)
        }
        enqueue(step)
    }

    mutating func lookFailed(
        _ step: Int, _ error: StepError, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        guard case .looking(var search) = steps[step].phase else { return }
        search.failedLooks += 1
        guard error.errorClass.isRetried, search.failedLooks < nodes[step].retry.maxAttempts else {
            var doubt = search.error
            doubt.why = "Whether it happened could not be found out: \(error.what)."
            return ask(step, doubt, [], moment, &decisions)
        }
        steps[step].phase = .looking(search)
        timers += 1
        let delay = nodes[step].retry.backoff(
            after: search.failedLooks, draw: Double.random(in: 0..<1, using: &generator), retryAfter: error.retryAfter)
        decisions.actions.append(.timer(step, min(delay, Scheduler.longestPause)))
    }

    /// Only a person can tell whether the write happened.
    mutating func ask(
        _ step: Int, _ error: StepError, _ candidates: [String], _ moment: Moment,
        _ decisions: inout SchedulerDecisions
    ) {
        let what = error.what.hasSuffix(".") ? error.what : error.what + "."
        var message = [what, error.why].compactMap { $0 }.joined(separator: " ")
        if !candidates.isEmpty { message += " It may be one of these: \(candidates.joined(separator: ", "))." }
        pause(step, PauseRequest(.inDoubt, message: message, answer: .doubt), moment, &decisions)
    }
}

extension Sighting {
    var journalValue: Value {
        switch self {
        case .found(let outputs): ["sighting": "found", "outputs": .object(outputs)]
        case .absent: ["sighting": "absent"]
        case .several(let candidates): ["sighting": "several", "candidates": .array(candidates.map(Value.string))]
        case .unreadable(let reason): ["sighting": "unreadable", "reason": .string(reason)]
        case .neverSent: ["sighting": "never-sent"]
        case .tooEarly(let left): ["sighting": "too-early", "left-ms": .integer(left.wholeMilliseconds)]
        }
    }
}
