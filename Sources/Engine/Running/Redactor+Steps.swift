internal import StepKit
internal import Values

/// What a step brings goes into the journal and before people: no secret's text stays in it.
extension Redactor {
    func redact(_ outputs: ValueObject) -> ValueObject { redact(.object(outputs)).object ?? [:] }

    func redact(_ error: StepError) -> StepError {
        var error = error
        error.what = redact(error.what)
        error.why = error.why.map { redact($0) }
        error.fix = error.fix.map { redact($0) }
        error.code = error.code.map { redact($0) }
        error.pause = error.pause.map { redact($0) }
        return error
    }

    func redact(_ pause: PauseRequest) -> PauseRequest {
        var pause = pause
        pause.message = redact(pause.message)
        pause.show = pause.show.map { redact($0) }
        pause.continuation = redact(pause.continuation)
        return pause
    }
}
