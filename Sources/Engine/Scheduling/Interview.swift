internal import StepKit

/// The questions to a person who is there while the run goes on: one at a time, in the order in which they came.
struct Interview: Sendable {
    /// What can be answered; empty when nobody is there.
    let forms: Set<PauseRequest.AnswerForm>
    private var waiting: [Int] = []
    /// The paused step that the person is being asked about.
    private(set) var asked: Int?

    init(forms: Set<PauseRequest.AnswerForm>) { self.forms = forms }

    var isIdle: Bool { asked == nil && waiting.isEmpty }

    mutating func add(_ step: Int) { waiting.append(step) }

    /// The step to ask about now; nil while there is an open question.
    mutating func next() -> Int? {
        guard asked == nil, !waiting.isEmpty else { return nil }
        asked = waiting.removeFirst()
        return asked
    }

    mutating func close() { asked = nil }

    /// Nobody is asked any more.
    mutating func end() {
        waiting = []
        asked = nil
    }
}
