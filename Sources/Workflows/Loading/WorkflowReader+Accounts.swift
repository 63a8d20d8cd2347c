internal import Diagnostics
internal import Expressions
internal import StepKit
internal import Values
internal import YAML

/// An account under `accounts`, with or without errors.
struct AccountDraft {
    let name: String
    let range: SourceRange
    /// Nil when it is not known.
    let type: AccountType?
    /// Nil when something is wrong.
    let declaration: AccountDeclaration?
    /// Whether the file that uses this one declares it.
    var isInherited = false
    /// Whether the step that uses this file names it.
    var isNamed = false
}

extension WorkflowReader {
    private static let ownKeys = [KnownKey].account(types: []).names

    mutating func readAccounts(_ node: YAMLNode?) {
        let example = "vk: { type: vk, token: \"${{ secrets.VK_TOKEN }}\" }"
        guard let pairs = members(node, of: "accounts", example: example) else {
            areAccountsKnown = false
            return
        }
        for pair in pairs {
            let isNamed = checkName(pair, what: "an account")
            var draft = AccountDraft(name: pair.name, range: pair.key.useRange, type: nil, declaration: nil)
            if let mapping = mapping(of: pair, owner: "account '\(pair.name)'", example: example) {
                draft = readAccount(pair, mapping, isNamed: isNamed)
            }
            accounts.append(draft)
        }
    }

    private mutating func readAccount(
        _ pair: YAMLMapping.Pair, _ mapping: YAMLMapping, isNamed: Bool
    ) -> AccountDraft {
        let owner = "account '\(pair.name)'"
        let type = readAccountType(pair, mapping, owner)
        let token = readToken(pair, mapping, owner)
        let baseURL = mapping.pair("base-url").map { readBaseURL($0, owner) }
        let settings = type.flatMap { readSettings(pair, mapping, $0, owner) }
        var declaration: AccountDeclaration?
        if isNamed, let type, let token, let settings {
            declaration = AccountDeclaration(
                name: pair.name, type: type, token: token.argument, baseURL: baseURL ?? nil, settings: settings,
                range: pair.key.useRange)
        }
        return AccountDraft(name: pair.name, range: pair.key.useRange, type: type, declaration: declaration)
    }

    private mutating func readAccountType(
        _ pair: YAMLMapping.Pair, _ mapping: YAMLMapping, _ owner: String
    ) -> AccountType? {
        let known = catalog.accountTypeNames
        guard let typePair = mapping.pair("type") else {
            if hasMisspelled("type", in: mapping, known: Self.ownKeys) { return nil }
            problems.error(
                at: pair.key.useRange, "\(owner) has no 'type'", why: "Types are " + known.joined(separator: ", "),
                fix: known.contains(pair.name) ? "Write 'type: \(pair.name)'" : nil)
            return nil
        }
        guard let name = text(typePair, of: owner) else { return nil }
        if let type = catalog.accountType(name) { return type }
        problems.error(
            at: typePair.value.useRange, "unknown type '\(name)' of \(owner)",
            why: "Types are " + known.joined(separator: ", "),
            fix: nearest(name, among: known).map { "Did you mean '\($0)'?" })
        return nil
    }

    // MARK: Token

    private static let tokenRule = "A token does not belong in the file, which is copied, shared and shown"

    /// A token that may be left out: the account is one of `pasteup login` then.
    private struct GivenToken {
        let argument: Argument?
    }

    private mutating func readToken(
        _ pair: YAMLMapping.Pair, _ mapping: YAMLMapping, _ owner: String
    ) -> GivenToken? {
        let name = String(
            decoding: pair.name.utf8.map { byte in
                byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : isLetter(byte) ? byte & ~0x20 : byte
            }, as: UTF8.self)
        let fix =
            "Write 'token: ${{ secrets.\(name)_TOKEN }}', and give the token by 'pasteup login' or the environment"
        guard let tokenPair = mapping.pair("token"), !tokenPair.value.isNull else {
            return hasMisspelled("token", in: mapping, known: Self.ownKeys) ? nil : GivenToken(argument: nil)
        }
        guard let scalar = tokenPair.value.scalar else {
            problems.error(
                at: tokenPair.value.useRange, "'token' of \(owner) is \(tokenPair.value.typeName), not text", fix: fix)
            return nil
        }
        guard scalar.text.contains("${{") else {
            hide(tokenPair)
            problems.error(
                at: tokenPair.value.useRange, "'token' of \(owner) is written out", why: Self.tokenRule, fix: fix,
                code: .secret)
            return nil
        }
        let errorsBefore = problems.errorCount
        let argument = argument(tokenPair.value, type: .string, at: ArgumentSite(.account, owner, path: "token"))
        guard problems.errorCount == errorsBefore, case .template(let template, _)? = argument else {
            return argument.map { GivenToken(argument: $0) }
        }
        if !template.references.contains(where: { $0.root == "secrets" || $0.root == "env" }) {
            problems.error(
                at: tokenPair.value.useRange, "'token' of \(owner) comes from neither 'secrets' nor 'env'",
                why: "Inputs are shown and journalled, and stand in the list of processes", fix: fix)
        }
        return GivenToken(argument: argument)
    }

    /// Keeps every message from showing the lines on which a token may stand.
    private mutating func hide(_ pair: YAMLMapping.Pair) {
        for range in [pair.key.range, pair.key.useRange, pair.value.range, pair.value.useRange] {
            hiddenLines.insert(range.start.line)
        }
    }

    // MARK: Address and settings

    private mutating func readBaseURL(_ pair: YAMLMapping.Pair, _ owner: String) -> Argument? {
        let errorsBefore = problems.errorCount
        let argument = argument(pair.value, type: .string, at: ArgumentSite(.account, owner, path: "base-url"))
        guard problems.errorCount == errorsBefore, case .literal(let value, let range)? = argument else {
            return argument
        }
        guard let text = value.string else { return nil }
        do {
            return .literal(.string(try BaseURL.check(text)), range)
        } catch {
            problems.error(
                at: range, "'base-url' of \(owner) is \(quoted(pair.value)), \(error.problem)", why: error.why,
                fix: error.fix)
            return nil
        }
    }

    private mutating func readSettings(
        _ account: YAMLMapping.Pair, _ mapping: YAMLMapping, _ type: AccountType, _ owner: String
    ) -> ValueObject? {
        let errorsBefore = problems.errorCount
        var settings = ValueObject()
        for pair in mapping.pairs where !Self.ownKeys.contains(pair.name) {
            if let setting = type.settings.first(where: { $0.name == pair.name }) {
                if pair.value.scalar?.text.contains("${{") == true {
                    problems.error(
                        at: pair.value.useRange, "'\(pair.name)' of \(owner) takes no expression",
                        why: "It is settled before anything runs")
                } else if let value = literal(
                    pair.value, type: setting.type, "'\(pair.name)' of \(owner)", why: setting.summary)
                {
                    settings[pair.name] = value
                }
                continue
            }
            let known = Self.ownKeys + type.settings.map(\.name)
            let near = nearest(pair.name, among: known)
            if near == "token", pair.value.scalar?.text.contains("${{") != true { hide(pair) }
            problems.error(
                at: pair.key.useRange, "unknown key '\(pair.name)' in \(owner)",
                fix: near.map { "Did you mean '\($0)'?" } ?? "The keys are " + known.joined(separator: ", "))
        }
        guard problems.errorCount == errorsBefore else { return nil }
        do {
            return try type.settings.fit(settings)
        } catch {
            problems.error(at: account.key.useRange, "'\(error.pathText)' of \(owner) \(error.problem)")
            return nil
        }
    }
}
