internal import StepKit

/// What a code of Instagram's means, and what comes of it.
struct InstagramErrorRule: Sendable {
    let errorClass: ErrorClass
    /// What it means, as a clause.
    let meaning: String
    /// How to mend it, as a sentence.
    let fix: String?
    /// Not to be tried again before this, where Instagram itself does not say.
    let wait: Duration?
    /// Whether a write that was answered so may have been carried out all the same.
    let leavesDoubt: Bool

    init(
        _ errorClass: ErrorClass, _ meaning: String, fix: String? = nil, wait: Duration? = nil,
        leavesDoubt: Bool = false
    ) {
        self.errorClass = errorClass
        self.meaning = meaning
        self.fix = fix
        self.wait = wait
        self.leavesDoubt = leavesDoubt
    }

    /// Nil for a code that the tables do not know.
    static func rule(for code: Int64?, subcode: Int64?) -> InstagramErrorRule? {
        guard let code else { return nil }
        if let subcode, let rule = bySubcode[Key(code, subcode)] { return rule }
        if let rule = byCode[code] { return rule }
        return (200...299).contains(code) ? missingPermission : nil
    }

    struct Key: Hashable {
        let code: Int64
        let subcode: Int64

        init(_ code: Int64, _ subcode: Int64) {
            self.code = code
            self.subcode = subcode
        }
    }
}
