internal import Diagnostics
internal import StepKit
internal import Values
internal import YAML

extension WorkflowReader {
    mutating func readDefaults(_ node: YAMLNode?) {
        guard let pairs = members(node, of: "defaults", example: "timeout: 60s"), let mapping = node?.mapping else {
            return
        }
        checkKeys(of: mapping, known: .defaults, in: "'defaults'")
        for pair in pairs {
            switch pair.name {
            case "timeout": defaultTimeout = duration(pair, of: "'defaults'") ?? defaultTimeout
            case "retry": defaultRetry = retry(pair, over: defaultRetry, of: "'defaults'")
            default: break
            }
        }
    }

    /// The policy with what a `retry` says instead.
    mutating func retry(_ pair: YAMLMapping.Pair, over base: RetryPolicy, of owner: String) -> RetryPolicy {
        var policy = base
        guard let mapping = pair.value.mapping else {
            problems.error(
                at: pair.value.isNull ? pair.key.useRange : pair.value.useRange,
                "'retry' of \(owner) is \(quoted(pair.value)), not a mapping",
                fix: pair.value.integer.map { "Write 'retry: { max-attempts: \($0) }'" }
                    ?? "Write 'retry: { max-attempts: 5, initial: 1s }'")
            return policy
        }
        let owner = owner.hasPrefix("'") ? "'retry'" : "'retry' of \(owner)"
        checkKeys(of: mapping, known: .retry, in: owner)
        for member in mapping.pairs {
            switch member.name {
            case "max-attempts":
                if let count = integer(member, of: owner, in: Limits.attempts) { policy.maxAttempts = Int(count) }
            case "initial": policy.initial = duration(member, of: owner) ?? policy.initial
            case "max": policy.max = duration(member, of: owner) ?? policy.max
            case "max-elapsed": policy.maxElapsed = duration(member, of: owner) ?? policy.maxElapsed
            case "factor": policy.factor = factor(member, of: owner) ?? policy.factor
            case "jitter":
                let jitter = word(member, of: owner, among: RetryPolicy.Jitter.allCases.map(\.rawValue))
                policy.jitter = jitter.flatMap(RetryPolicy.Jitter.init) ?? policy.jitter
            case "on": policy.on = errorClasses(member, of: owner)
            default: break
            }
        }
        return policy
    }

    private mutating func factor(_ pair: YAMLMapping.Pair, of owner: String) -> Double? {
        guard let factor = pair.value.double else {
            problems.error(
                at: pair.value.useRange, "'factor' of \(owner) is \(quoted(pair.value)), not a number")
            return nil
        }
        guard Limits.factor.contains(factor) else {
            problems.error(
                at: pair.value.useRange, "'factor' of \(owner) is \(quoted(pair.value))",
                why: "It lies between \(Int(Limits.factor.lowerBound)) and \(Int(Limits.factor.upperBound))")
            return nil
        }
        return factor
    }

    private mutating func errorClasses(_ pair: YAMLMapping.Pair, of owner: String) -> Set<ErrorClass>? {
        guard let elements = pair.value.sequence ?? (pair.value.string == nil ? nil : [pair.value]), !elements.isEmpty
        else {
            problems.error(
                at: pair.value.useRange, "'on' of \(owner) is \(quoted(pair.value)), not a list of error classes",
                fix: "Write 'on: [network, timeout]'")
            return nil
        }
        let retried = ErrorClass.allCases.filter(\.isRetried).map(\.rawValue)
        var classes: Set<ErrorClass> = []
        for element in elements {
            let word = element.scalar?.text ?? ""
            if let errorClass = ErrorClass(rawValue: word) {
                if errorClass.isRetried {
                    classes.insert(errorClass)
                } else {
                    problems.error(
                        at: element.useRange, "errors of class '\(word)' are not retried", why: errorClass.fate,
                        fix: "Leave it out")
                }
            } else {
                problems.error(
                    at: element.useRange, "unknown error class \(quoted(element)) in 'on' of \(owner)",
                    why: "Retried are " + retried.joined(separator: ", "),
                    fix: nearest(word, among: retried).map { "Did you mean '\($0)'?" })
            }
        }
        return classes
    }
}

extension ErrorClass {
    /// What becomes of a failure that is not retried, as a sentence.
    fileprivate var fate: String? {
        switch self {
        case .network, .timeout, .rateLimit, .server: nil
        case .auth: "A dead token pauses the step by itself until it is replaced"
        case .captcha: "A captcha pauses the step by itself until a person answers it"
        case .validation: "The step pauses by itself until a person has confirmed who they are"
        case .permission: "What the account may not do it may not do the next time either"
        case .quota: "The step waits by itself until the service's limit is over"
        case .invalid: "The same request fails again"
        case .stale: "The steps that made its inputs run again by themselves, once"
        case .inDoubt: "A write that may have happened is never repeated blindly; it is looked for first"
        }
    }
}
