internal import Diagnostics
internal import StepKit
internal import YAML

extension WorkflowReader {
    private static let hookExample = "on-failure: { run: [./tell-me] }"

    mutating func readHooks(_ node: YAMLNode?) -> [Hook] {
        guard let pairs = members(node, of: "hooks", example: Self.hookExample), let mapping = node?.mapping else {
            return []
        }
        checkKeys(of: mapping, known: .hooks, in: "'hooks'")
        return pairs.compactMap { pair in
            guard let event = Hook.Event(rawValue: pair.name) else { return nil }
            return readHook(event, pair)
        }
    }

    private mutating func readHook(_ event: Hook.Event, _ pair: YAMLMapping.Pair) -> Hook? {
        let owner = "hook '\(pair.name)'"
        guard let body = mapping(of: pair, owner: owner, example: "\(pair.name): { run: [./tell-me] }") else {
            return nil
        }
        checkKeys(of: body, known: .hook, in: owner)
        switch (body.pair("run"), body.pair("url")) {
        case (nil, nil):
            problems.error(
                at: pair.key.useRange, "\(owner) has neither 'run' nor 'url'",
                why: "A hook is a program or an address that gets the event as JSON",
                fix: "Write '\(pair.name): { run: [./tell-me] }'")
            return nil
        case (.some, let url?):
            problems.error(
                at: url.key.useRange, "\(owner) has both 'run' and 'url'", why: "A hook is one of the two",
                fix: "Remove one of them")
            return nil
        case (let run?, nil):
            refuseStray("headers", in: body, "They belong to a hook with 'url'", owner)
            return readProgram(event, pair, body, run, owner)
        case (nil, let url?):
            refuseStray("env", in: body, "Variables belong to a hook with 'run'", owner)
            return readAddress(event, pair, body, url, owner)
        }
    }

    private mutating func refuseStray(_ name: String, in body: YAMLMapping, _ why: String, _ owner: String) {
        guard let stray = body.pair(name) else { return }
        problems.error(at: stray.key.useRange, "'\(name)' has no use in \(owner)", why: why, fix: "Remove it")
    }

    private mutating func readProgram(
        _ event: Hook.Event, _ pair: YAMLMapping.Pair, _ body: YAMLMapping, _ run: YAMLMapping.Pair, _ owner: String
    ) -> Hook? {
        var site = ArgumentSite(.hook, owner, path: "run")
        site.summary = "The program and its arguments are a list, since no shell is used; for one write [sh, -c, '…']"
        let command = argument(run.value, type: .list(.string), at: site)
        if run.value.sequence?.isEmpty == true || run.value.isNull {
            problems.error(
                at: run.key.useRange, "'run' of \(owner) is empty", fix: "Write '\(pair.name): { run: [./tell-me] }'")
            return nil
        }
        let environment = body.pair("env").flatMap { argument($0.value, type: .map, at: open(owner, "env")) }
        return command.map { Hook(event, .run(command: $0, environment: environment), range: pair.key.useRange) }
    }

    private mutating func readAddress(
        _ event: Hook.Event, _ pair: YAMLMapping.Pair, _ body: YAMLMapping, _ url: YAMLMapping.Pair, _ owner: String
    ) -> Hook? {
        guard !url.value.isNull else {
            problems.error(
                at: url.key.useRange, "'url' of \(owner) is missing", fix: "Write 'url: https://example.com/told'")
            return nil
        }
        let address = argument(url.value, type: .url, at: open(owner, "url"))
        let headers = body.pair("headers").flatMap { argument($0.value, type: .map, at: open(owner, "headers")) }
        return address.map { Hook(event, .post(url: $0, headers: headers), range: pair.key.useRange) }
    }

    /// A place that secrets may stand at.
    private func open(_ owner: String, _ path: String) -> ArgumentSite {
        var site = ArgumentSite(.hook, owner, path: path)
        site.acceptsSecrets = true
        return site
    }
}
