internal import Diagnostics
internal import Expressions
internal import StepKit
internal import Values
internal import YAML

/// What a step is given: parameters, account, `once`.
extension WorkflowReader {
    mutating func readParameters(
        _ position: Int, _ body: YAMLMapping, _ owner: String
    ) -> [(name: String, value: Argument)] {
        let pair = body.pair("with")
        let pairs = members(pair?.value, of: "with", example: "message: Hello") ?? []
        let info = steps[position].info
        let site = ArgumentSite(.parameter, owner, step: position)
        var arguments: [(name: String, value: Argument)] = []
        for pair in pairs {
            let parameter = info?.parameters[pair.name]
            if let info, parameter == nil, !info.declaration.hasOpenParameters {
                reportUnknownParameter(pair, body, info, owner)
                continue
            }
            var inner = parameter.map { site.parameter($0) } ?? site.member(pair.name)
            // Of an unknown kind nobody knows which parameters take secrets.
            if info == nil { inner.acceptsSecrets = true }
            if let argument = argument(pair.value, type: parameter?.type ?? .any, at: inner) {
                arguments.append((pair.name, argument))
            }
        }
        let isReadable = pair?.value.mapping != nil || pair?.value.isNull ?? true
        if let info, isReadable, !hasMisspelled("with", in: body, known: [KnownKey].step.names) {
            reportMissingParameters(pair, body, info, owner)
        }
        return arguments
    }

    private mutating func reportUnknownParameter(
        _ pair: YAMLMapping.Pair, _ body: YAMLMapping, _ info: KindInfo, _ owner: String
    ) {
        let name = info.declaration.name
        let what = "'\(name)' has no parameter '\(pair.name)'"
        if let near = nearest(pair.name, among: info.declaration.parameters.map(\.name)) {
            problems.error(at: pair.key.useRange, what, fix: "Did you mean '\(near)'?", code: .unknownParameter)
        } else if [KnownKey].step.names.contains(pair.name) {
            problems.error(
                at: pair.key.useRange, what, why: "'\(pair.name)' is a key of the step itself",
                fix: "Write it beside 'with', not under it", code: .unknownParameter)
        } else {
            let names = info.declaration.parameters.map(\.name)
            problems.error(
                at: pair.key.useRange, what,
                fix: names.isEmpty
                    ? "It takes none"
                    : names.count <= 12
                        ? "It takes " + names.joined(separator: ", ") : "'pasteup steps \(name)' lists what it takes",
                code: .unknownParameter)
        }
    }

    private mutating func reportMissingParameters(
        _ pair: YAMLMapping.Pair?, _ body: YAMLMapping, _ info: KindInfo, _ owner: String
    ) {
        let given = pair?.value.mapping
        // A parameter under a name that is nearly right has been told of.
        let strays = (given?.keys ?? []).filter { info.parameters[$0] == nil } + body.keys
        for parameter in info.declaration.parameters where parameter.isRequired && parameter.defaultValue == nil {
            guard given?[parameter.name]?.isNull ?? true else { continue }
            if strays.contains(where: { nearest($0, among: [parameter.name]) != nil }) { continue }
            problems.error(
                at: given?.pair(parameter.name)?.key.useRange ?? pair?.key.useRange
                    ?? body.pair("uses")?.value.useRange,
                "\(owner) lacks the parameter '\(parameter.name)' of '\(info.declaration.name)'",
                why: parameter.summary.isEmpty ? nil : parameter.summary,
                fix: pair == nil
                    ? "Add 'with: { \(parameter.name): … }'" : "Add '\(parameter.name): …' under 'with'",
                code: .missingParameter)
        }
    }

    // MARK: Effect

    /// What the step does to the world; nil when its kind is not known.
    mutating func effect(
        of draft: StepDraft, _ body: YAMLMapping, _ arguments: [(name: String, value: Argument)], _ owner: String
    ) -> Effect? {
        guard let info = draft.info else { return nil }
        let known = info.kind.effect(
            of: PlannedCall(
                parameters: arguments.map {
                    PlannedMember($0.name, $0.value.literal.map(PlannedValue.known) ?? .after([]))
                }))
        guard let pair = body.pair("effect") else { return known }
        guard info.declaration.takesEffect else {
            let name = info.declaration.name
            problems.error(
                at: pair.key.useRange, "'effect' of \(owner) cannot be set",
                why: "What '\(name)' does to the world is known: its effect is '\(known.rawValue)'", fix: "Remove it")
            return known
        }
        let word = word(pair, of: owner, among: Effect.allCases.map(\.rawValue))
        return word.flatMap(Effect.init) ?? known
    }

    // MARK: Account

    /// The name of the account that a step uses.
    mutating func account(of draft: StepDraft, _ body: YAMLMapping) -> String? {
        let owner = "step '\(draft.id)'"
        if draft.usesFile {
            partAccount(body, owner)
            return nil
        }
        if let pair = body.pair("account") {
            guard let name = text(pair, of: owner) else { return nil }
            return namedAccount(name, pair, draft, owner)
        }
        guard let info = draft.info, let type = info.declaration.accountType else { return nil }
        if !areAccountsKnown || hasMisspelled("account", in: body, known: [KnownKey].step.names) { return nil }
        let fitting = accounts.filter { $0.type?.name == type }
        if fitting.count == 1 {
            usedAccounts.insert(fitting[0].name)
            return fitting[0].name
        }
        let kind = info.declaration.name
        let uses = body.pair("uses")?.value.useRange ?? draft.range
        if fitting.count > 1 {
            let names = fitting.map(\.name)
            problems.error(
                at: uses, "\(owner) does not say which account it uses",
                why: "'\(kind)' needs one of type '\(type)', and there are \(names.joined(separator: ", "))",
                fix: "Write 'account: \(names[0])'", code: .account)
        } else if !accounts.contains(where: { $0.type == nil }), missedAccountTypes.insert(type).inserted {
            problems.error(
                at: uses, "'\(kind)' needs an account of type '\(type)', and the workflow has none",
                fix:
                    "Add under 'accounts': '\(type): { type: \(type), token: \"${{ secrets.\(type.uppercased())_TOKEN }}\" }'",
                code: .account)
        }
        return nil
    }

    /// The account that stands for the part's own of its type.
    private mutating func partAccount(_ body: YAMLMapping, _ owner: String) {
        guard let pair = body.pair("account"), let name = text(pair, of: owner), areAccountsKnown else { return }
        if accounts.contains(where: { $0.name == name }) {
            usedAccounts.insert(name)
            return
        }
        problems.error(
            at: pair.value.useRange, "unknown account '\(name)' in \(owner)",
            fix: hint(for: name, among: accounts.map(\.name)) ?? "Declare it under 'accounts'")
    }

    private mutating func namedAccount(
        _ given: String, _ pair: YAMLMapping.Pair, _ draft: StepDraft, _ owner: String
    ) -> String? {
        let name = accountAliases[given] ?? given
        let known = accounts.first { $0.name == name }
        if known != nil { usedAccounts.insert(name) }
        let wanted = draft.info?.declaration.accountType
        if let info = draft.info, wanted == nil {
            problems.error(
                at: pair.key.useRange, "'\(info.declaration.name)' in \(owner) uses no account",
                fix: "Remove 'account: \(name)'")
            return nil
        }
        guard let known else {
            if !areAccountsKnown { return nil }
            problems.error(
                at: pair.value.useRange, "unknown account '\(name)' in \(owner)",
                fix: hint(for: name, among: accounts.map(\.name)) ?? "Declare it under 'accounts'", code: .account)
            return nil
        }
        guard let type = known.type?.name, let wanted, let info = draft.info else { return nil }
        guard type == wanted else {
            let fitting = accounts.filter { $0.type?.name == wanted }.map(\.name)
            problems.error(
                at: pair.value.useRange, "account '\(name)' is of type '\(type)'",
                why: "'\(info.declaration.name)' needs one of type '\(wanted)'",
                fix: fitting.first.map { "Write 'account: \($0)'" }, code: .account)
            return nil
        }
        return name
    }

    // MARK: Once

    mutating func readOnce(
        _ pair: YAMLMapping.Pair, _ position: Int, _ effect: Effect?, _ owner: String
    ) -> OnceDeclaration? {
        var key = pair
        var isGlobal = false
        if let mapping = pair.value.mapping {
            checkKeys(of: mapping, known: .once, in: "'once' of \(owner)")
            let scope = mapping.pair("scope").flatMap { word($0, of: "'once'", among: ["workflow", "global"]) }
            isGlobal = scope == "global"
            guard let inner = mapping.pair("key") else {
                if hasMisspelled("key", in: mapping, known: [KnownKey].once.names) { return nil }
                problems.error(
                    at: pair.key.useRange, "'once' of \(owner) has no 'key'",
                    fix: "Write 'once: { key: \"${{ steps.latest.outputs.id }}\", scope: global }'")
                return nil
            }
            key = inner
        }
        guard let scalar = key.value.scalar, !scalar.text.isEmpty, scalar.value != .null else {
            problems.error(
                at: key.value.scalar == nil ? key.value.useRange : key.key.useRange,
                "the 'once' key of \(owner) is \(key.value.scalar == nil ? key.value.typeName : "empty"), not text",
                fix: "Write what makes a post the same: 'once: ${{ steps.latest.outputs.id }}'")
            return nil
        }
        let site = ArgumentSite(.once, owner, path: "once", step: position)
        guard let argument = argument(key.value, type: .string, at: site) else { return nil }
        warnOfOnce(pair, key, argument, effect, position, owner)
        return OnceDeclaration(key: argument, isGlobal: isGlobal, range: pair.key.useRange)
    }

    private mutating func warnOfOnce(
        _ pair: YAMLMapping.Pair, _ key: YAMLMapping.Pair, _ argument: Argument, _ effect: Effect?, _ position: Int,
        _ owner: String
    ) {
        if argument.references.isEmpty {
            problems.warning(
                at: key.value.useRange, "the 'once' key of \(owner) is always the same",
                why: "The step then runs in one run only, ever",
                fix: "Mention what is posted: ${{ steps.<id>.outputs.id }}", code: .once)
        } else if steps[position].hasForEach, !mentionsItem(argument.references, position) {
            problems.warning(
                at: key.value.useRange, "the 'once' key of \(owner) is the same for every item",
                why: "Only one of them would then be carried out", fix: "Mention 'item' or 'index'", code: .once)
        }
        if let effect, effect != .write {
            problems.warning(
                at: pair.key.useRange, "'once' of \(owner) keeps no post from being doubled",
                why: "The step's effect is '\(effect.rawValue)'",
                fix: "Put it on the step that posts", code: .once)
        }
    }

    /// Whether one of the references is to something that differs from item to item.
    private func mentionsItem(_ references: [Reference], _ position: Int) -> Bool {
        references.contains { reference in
            switch reference.root {
            case "item", "index": true
            case "steps":
                reference.path.first.flatMap { stepPositions[$0.lowercased()] }
                    .map { steps[$0].root != nil && steps[$0].root == steps[position].root } ?? true
            default: false
            }
        }
    }
}
