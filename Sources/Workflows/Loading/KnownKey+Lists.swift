internal import StepKit
internal import Values

/// The keys of a workflow file.
extension [KnownKey] {
    static let workflow: [KnownKey] = [
        .init(
            "name", .text(pattern: "^[A-Za-z0-9_-]{1,64}$"),
            "1 to 64 letters, digits, `-` and `_`; part of every `once` key", required: true,
            examples: ["photo-to-wall"]),
        .init("description", .text, "for people"),
        .init(
            "inputs", .members(.either([.word(InputType.plainNames), .input])), "what a run is asked for",
            purpose: "What a workflow asks for stands under 'inputs'",
            examples: ["{ wall: { type: integer, description: VK owner id } }"]),
        .init(
            "accounts", .members(.account), "the accounts that steps use",
            purpose: "The accounts that steps use stand under 'accounts'",
            examples: ["{ vk: { type: vk, token: \"${{ secrets.VK_TOKEN }}\" } }"]),
        .init(
            "defaults", .mapping(.defaults), "`timeout` and `retry` of every step",
            purpose: "Timeout and retry of all steps stand under 'defaults'"),
        .init(
            "steps", .members(.step), "step ids, unique without regard to case, and what each does",
            purpose: "What a workflow does stands under 'steps'", required: true),
        .init(
            "outputs", .members(.value(.any)), "names and expressions, printed as `name: value` at the end",
            purpose: "The results of a workflow stand under 'outputs'",
            examples: ["{ url: \"${{ steps.post.outputs.url }}\" }"]),
        .init(
            "concurrency", .integer(Limits.concurrency),
            "steps at once, \(Limits.concurrency.lowerBound) to \(Limits.concurrency.upperBound)",
            purpose: "How many steps run at once stands under 'concurrency'", default: 4),
        .init(
            "schedule", .text(pattern: "^\\s*(@\\S+|(\\S+\\s+){4}\\S+)\\s*$"),
            "five fields of cron; checked, without effect yet",
            purpose: "The times at which it is to be run stand under 'schedule'",
            examples: ["\"15 * * * *\"", "\"@daily\""]),
        .init(
            "overlap", .word(Workflow.Overlap.allCases.map(\.rawValue)),
            "what a run does while another one of the same lock is going: end with 0, wait for it, or end with 5",
            purpose: "What happens while another run is going stands under 'overlap'", default: "skip"),
        .init(
            "overlap-key", .value(.string), "what the lock is made of", otherwise: "the file and its inputs",
            examples: ["\"${{ inputs.wall }}\""]),
        .init(
            "timezone", .text(pattern: "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$"),
            "the zone of dates that name none", otherwise: "the machine's",
            examples: ["Europe/Moscow"]),
        .init(
            "recover-within", .duration,
            "how long ago a run may have died to be taken up by the next one; an older one waits for a word",
            default: "24h"),
        .init(
            "hooks", .mapping(.hooks), "what is told when a run pauses, fails or succeeds",
            purpose: "What is told how a run ended stands under 'hooks'"),
    ]

    static let step: [KnownKey] = [
        .init(
            "uses", .text, "the step kind, or the path of a workflow file",
            purpose: "A step names what it does under 'uses'", required: true),
        .init(
            "with", .parameters, "its parameters; values may hold expressions",
            purpose: "A step's parameters stand under 'with'"),
        .init(
            "account", .text, "the account it uses", purpose: "A step names its account under 'account'",
            when: "where several fit", otherwise: "the one that fits"),
        .init(
            "needs", .steps, "further steps to wait for", purpose: "A step lists what it waits for under 'needs'",
            examples: ["[saved]"]),
        .init(
            "if", .condition, "whether it runs", purpose: "The condition of a step stands under 'if'",
            otherwise: "`success()`", examples: ["inputs.wall < 0", "always()"]),
        .init(
            "for-each", .either([.value(.list(.any)), .condition, .mapping(.forEach)]),
            "the list that it runs for, once for each item",
            purpose: "The list that a step goes over stands under 'for-each'",
            examples: ["\"${{ inputs.rows }}\"", "[morning, evening]", "{ of: card }"]),
        .init(
            "max-parallel", .integer(1...1000), "items under way at once",
            purpose: "How many items are under way at once stands under 'max-parallel'",
            otherwise: "as many as `concurrency` allows"),
        .init(
            "fail-fast", .flag, "whether the first failed item skips those that have not begun",
            purpose: "Whether the first failure keeps the other items back stands under 'fail-fast'", default: false),
        .init(
            "retry", .mapping(.retry), "how a failed attempt is made again",
            purpose: "How a step is tried again stands under 'retry'", otherwise: "`defaults`"),
        .init(
            "timeout", .duration, "for one attempt; uploads get 1 s more for each 100 KB",
            purpose: "The time for one attempt stands under 'timeout'", default: "60s"),
        .init(
            "continue-on-error", .flag,
            "whether steps that depend on it go on, and the run succeeds, when it fails",
            purpose: "Whether a failure may be passed over stands under 'continue-on-error'", default: false),
        .init(
            "once", .either([.value(.string), .mapping(.once)]),
            "what makes a post happen one time only, over all runs",
            purpose: "What makes a post happen one time only stands under 'once'",
            examples: ["\"${{ steps.latest.outputs.id }}\""]),
        .init(
            "effect", .word(Effect.allCases.map(\.rawValue)),
            "what it does to the world; for `exec.run` and `http.request` only",
            purpose: "What a step does to the world stands under 'effect'", otherwise: "the kind's"),
        .init("name", .text, "for people", purpose: "What people read stands under 'name'", otherwise: "the id"),
        .init("description", .text, "for people"),
    ]

    /// The keys of a step that one that uses a file does not have: they belong to the file's own steps.
    static let ofCallsOnly = ["retry", "timeout", "once", "effect"]

    static let forEach: [KnownKey] = [
        .init(
            "of", .text, "the step whose list it goes over with it, item by item",
            purpose: "The step whose items are gone over stands under 'of'", examples: ["card"]),
        .init(
            "matrix", .value(.map), "lists by name: it goes over their product, the last list fastest",
            purpose: "The lists whose product is gone over stand under 'matrix'",
            examples: ["{ wall: [-1, -2], text: [Hello, Bye] }"]),
        .init("exclude", .value(.list(.map)), "items of the product that are left out: those with all these members"),
        .init(
            "include", .value(.list(.map)),
            "members that are added to the items they fit, or items of their own where they fit none"),
    ]

    static let input: [KnownKey] = [
        .init("type", .word(InputType.names), "what values must be", default: "string"),
        .init("required", .flag, "whether a run without it is refused", default: false),
        .init("default", .anything, "its value when it is left out, of that type", default: .null),
        .init("options", .texts, "what may be chosen", when: "for `choice`", examples: ["[photo, video]"]),
        .init(
            "pattern", .text,
            "of a `string`: a regular expression that must occur in it; `^` and `$` are its ends"),
        .init("min", .value(.any), "of an `integer`, a `number` or a `date`: the least"),
        .init("max", .value(.any), "the greatest"),
        .init(
            "columns", .members(.either([.word(InputType.plainNames.filter { $0 != "table" }), .input])),
            "of a `table`: its columns by name, each a type or what an input has",
            purpose: "The columns of a table and their types stand under 'columns'"),
        .init("description", .text, "shown when it is missing or wrong"),
    ]

    static let retry: [KnownKey] = [
        .init(
            "max-attempts", .integer(Limits.attempts),
            "attempts in all, \(Limits.attempts.lowerBound) to \(Limits.attempts.upperBound)",
            purpose: "The attempts in all stand under 'max-attempts'", default: 5),
        .init("initial", .duration, "the bound on the first pause", default: "1s"),
        .init(
            "factor", .number(Limits.factor),
            "what each further bound is multiplied by, \(Int(Limits.factor.lowerBound)) to \(Int(Limits.factor.upperBound))",
            default: 2),
        .init("max", .duration, "the largest bound", default: "2m"),
        .init(
            "jitter", .word(RetryPolicy.Jitter.allCases.map(\.rawValue)),
            "whether a pause is drawn from zero to its bound", default: "full"),
        .init("max-elapsed", .duration, "no attempt starts later than this after the first", otherwise: "none"),
        .init(
            "on", .words(ErrorClass.allCases.filter(\.isRetried).map(\.rawValue)),
            "which of "
                + ErrorClass.allCases.filter(\.isRetried).map { "`\($0.rawValue)`" }.joined(separator: ", ")
                + " are retried", otherwise: "all four"),
    ]

    static let defaults: [KnownKey] = [
        .init("timeout", .duration, "for one attempt of each step", default: "60s"),
        .init("retry", .mapping(.retry), "how failed attempts of each step are made again"),
    ]

    static let hooks: [KnownKey] = [
        .init(
            "on-pause", .mapping(.hook), "told when a person must answer something",
            purpose: "What is told when a person must answer stands under 'on-pause'"),
        .init(
            "on-failure", .mapping(.hook), "told when the run has failed",
            purpose: "What is told when a run has failed stands under 'on-failure'",
            examples: ["{ run: [./tell-me] }"]),
        .init(
            "on-success", .mapping(.hook), "told when the run has succeeded",
            purpose: "What is told when a run has succeeded stands under 'on-success'"),
    ]

    static let hook: [KnownKey] = [
        .init(
            "run", .value(.list(.string)), "the program and its arguments; it runs in the workflow file's folder",
            purpose: "The program of a hook and its arguments stand under 'run'", when: "this or `url`",
            examples: ["[./tell-me]"]),
        .init(
            "env", .value(.map),
            "variables for it besides `PATH`, `HOME`, `LANG` and `TZ`; secrets may stand here"),
        .init(
            "url", .value(.url), "the address; secrets may stand in it",
            purpose: "The address that a hook posts to stands under 'url'", when: "this or `run`",
            examples: ["https://example.com/told"]),
        .init("headers", .value(.map), "headers of that request; secrets may stand here"),
    ]

    static let once: [KnownKey] = [
        .init("key", .value(.string), "the key; no part of it may be empty", required: true),
        .init("scope", .word(["workflow", "global"]), "among what it must be unique", default: "workflow"),
    ]

    /// Those of every account; its type adds its settings.
    static func account(types: [String]) -> [KnownKey] {
        [
            .init("type", .word(types), "the service", required: true),
            .init(
                "token", .value(.string), "an expression with `secrets` or `env`; a token in the file is refused",
                otherwise: "the account of `pasteup login`", examples: ["${{ secrets.VK_TOKEN }}"]),
            .init("base-url", .value(.url), "another address; https, or this machine", otherwise: "the service's"),
        ]
    }
}

/// Ranges of numbers in a workflow file.
enum Limits {
    static let concurrency: ClosedRange<Int64> = 1...1000
    static let attempts: ClosedRange<Int64> = 1...100
    static let factor: ClosedRange<Double> = 1...10
}
