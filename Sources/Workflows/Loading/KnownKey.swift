/// A key that a mapping may have.
struct KnownKey {
    enum Support {
        case built
        /// Part of the format, and refused until it works.
        case refused
    }

    let name: String
    /// What it is for, as the sentence that an author who misspelled it needs.
    let purpose: String?
    let support: Support

    init(_ name: String, _ purpose: String? = nil, _ support: Support = .built) {
        self.name = name
        self.purpose = purpose
        self.support = support
    }
}

extension [KnownKey] {
    static let workflow: [KnownKey] = [
        .init("name"), .init("description"),
        .init("schedule", "The times that 'pasteup schedule' installs stand under 'schedule'"),
        .init("overlap", "What happens while another run is going stands under 'overlap'"),
        .init("overlap-key"), .init("concurrency", "How many steps run at once stands under 'concurrency'"),
        .init("timezone"), .init("recover-within"), .init("hooks", "What is told how a run ended stands under 'hooks'"),
        .init("inputs", "What a workflow asks for stands under 'inputs'"),
        .init("accounts", "The accounts that steps use stand under 'accounts'"),
        .init("defaults", "Timeout and retry of all steps stand under 'defaults'"),
        .init("steps", "What a workflow does stands under 'steps'"),
        .init("outputs", "The results of a workflow stand under 'outputs'"),
    ]

    static let step: [KnownKey] = [
        .init("uses", "A step names what it does under 'uses'"),
        .init("with", "A step's parameters stand under 'with'"),
        .init("account", "A step names its account under 'account'"),
        .init("needs", "A step lists what it waits for under 'needs'"),
        .init("if", "The condition of a step stands under 'if'"),
        .init("for-each", "The list that a step goes over stands under 'for-each'"),
        .init("max-parallel", "How many items are under way at once stands under 'max-parallel'"),
        .init("fail-fast", "Whether the first failure keeps the other items back stands under 'fail-fast'"),
        .init("retry", "How a step is tried again stands under 'retry'"),
        .init("timeout", "The time for one attempt stands under 'timeout'"),
        .init("continue-on-error", "Whether a failure may be passed over stands under 'continue-on-error'"),
        .init("once", "What makes a post happen one time only stands under 'once'"),
        .init("effect", "What a step does to the world stands under 'effect'"),
        .init("name", "What people read stands under 'name'"), .init("description"),
    ]

    static let input: [KnownKey] = [
        .init("type"), .init("required"), .init("default"), .init("description"), .init("options"),
        .init("pattern", nil, .refused),
    ]

    static let retry: [KnownKey] = [
        .init("max-attempts", "The attempts in all stand under 'max-attempts'"), .init("initial"), .init("factor"),
        .init("max"), .init("jitter"), .init("max-elapsed"), .init("on"),
    ]

    static let defaults: [KnownKey] = [.init("timeout"), .init("retry")]

    static let hooks: [KnownKey] = [
        .init("on-pause", "What is told when a person must answer stands under 'on-pause'"),
        .init("on-failure", "What is told when a run has failed stands under 'on-failure'"),
        .init("on-success", "What is told when a run has succeeded stands under 'on-success'"),
    ]

    static let hook: [KnownKey] = [
        .init("run", "The program of a hook and its arguments stand under 'run'"), .init("env"),
        .init("url", "The address that a hook posts to stands under 'url'"), .init("headers"),
    ]

    static let once: [KnownKey] = [.init("key"), .init("scope")]

    static let forEach: [KnownKey] = [
        .init("of", "The step whose items are gone over stands under 'of'"),
        .init("matrix", "The lists whose product is gone over stand under 'matrix'"),
        .init("exclude"), .init("include"),
    ]

    var names: [String] { map(\.name) }
}
