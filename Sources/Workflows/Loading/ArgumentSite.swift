internal import Expressions
internal import StepKit

/// Where a value with expressions stands, and so what its expressions may mention.
struct ArgumentSite {
    enum Kind {
        /// Settled before the run begins: `overlap-key`.
        case beforeRun
        /// A field of an account.
        case account
        case parameter, once, condition
        /// What `for-each` goes over.
        case list
        /// A result of the workflow.
        case output
        /// A part of a hook.
        case hook
    }

    let kind: Kind
    /// "step 'post'", "account 'vk'".
    let owner: String
    /// Where inside the owner: "texts[0].at"; empty for the owner itself.
    var path: String
    /// The position of the step that it belongs to.
    var step: Int?
    var acceptsSecrets: Bool
    /// Whether a path that stands here names a file which the step makes.
    var namesNewFile = false
    /// A sentence on what belongs there.
    var summary: String?

    init(_ kind: Kind, _ owner: String, path: String = "", step: Int? = nil) {
        self.kind = kind
        self.owner = owner
        self.path = path
        self.step = step
        acceptsSecrets = kind == .account
    }

    /// As messages name it: "'texts[0].at' of step 'card'".
    var label: String { path.isEmpty ? owner : "'\(path)' of \(owner)" }

    func member(_ name: String) -> ArgumentSite {
        var site = self
        site.path += path.isEmpty ? name : "." + name
        site.summary = nil
        return site
    }

    func element(_ index: Int) -> ArgumentSite {
        var site = self
        site.path += "[\(index)]"
        return site
    }

    func parameter(_ parameter: Parameter) -> ArgumentSite {
        var site = member(parameter.name)
        site.acceptsSecrets = acceptsSecrets || parameter.acceptsSecrets
        site.namesNewFile = parameter.namesNewFile
        site.summary = parameter.summary.isEmpty ? nil : parameter.summary
        return site
    }

    /// Why the context cannot be mentioned here; nil when it can.
    func refusal(ofContext root: String) -> String? {
        switch (kind, root) {
        case (.account, "steps"), (.account, "run"): "Accounts are opened before the run begins"
        case (.hook, "steps"): "What became of the steps is told to the hook as JSON"
        case (.beforeRun, "steps"), (.beforeRun, "run"): "It is settled before the run begins"
        case (.list, "item"), (.list, "index"): "The items are what comes of it"
        default: nil
        }
    }

    /// Why no secret may stand here.
    var secretRule: String {
        switch kind {
        case .condition: "Whether a step runs is shown and journalled"
        case .once: "Keys are kept for good and shown"
        case .output: "Outputs are printed"
        case .list: "The items are kept in the journal"
        case .beforeRun: "The key is kept and shown"
        case .hook: "A program's arguments stand in the list of processes"
        case .parameter, .account: "What a step is given is shown in plans and kept in the journal"
        }
    }
}
