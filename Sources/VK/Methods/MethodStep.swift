internal import StepKit
internal import Values

/// `vk.<section>.<method>`: one call of one method.
struct MethodStep: StepKind {
    let method: VKMethod
    let client: VKClient
    let declaration: StepDeclaration

    init(_ method: VKMethod, client: VKClient) {
        self.method = method
        self.client = client
        declaration = StepDeclaration(
            "vk." + method.name, method.summary, effect: method.effect, takesEffect: !method.isDescribed,
            account: "vk", parameters: method.parameters.filter { $0.name != "guid" },
            outputs: [Output("response", .any, sensitive: Self.isSensitive(method.name), "VK's whole answer.")]
                + Self.uploadOutputs(method.name),
            hasOpenParameters: !method.isDescribed, hasOpenOutputs: true, postedForm: Self.postedForm(of: method))
    }

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems(method.name, in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        var parameters = call.parameters
        if method.takesGuid { parameters["guid"] = .string(call.idempotencyKey) }
        do {
            let response = try await client.call(
                method.name, parameters, effect: call.effect, for: call, resumption: call.resumption)
            try method.checkConfirmation(response, warn: call.warn)
            return .succeeded(method.outputs(response, owner: call["owner_id"]?.integer))
        } catch let error as StepError where error.code == "104" && isRepeatedDeletion(call) {
            // The first attempt did it, and its answer was lost.
            return .succeeded(methodOutputs(1))
        }
    }

    private func isRepeatedDeletion(_ call: StepCall) -> Bool {
        call.attempt > 1 && method.effect == .idempotent
            && method.name.split(separator: ".").last?.hasPrefix("delete") ?? false
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] { [plannedCall(of: method.name, call)] }

    private static func isSensitive(_ method: String) -> Bool { method.hasSuffix("UploadServer") }

    /// An upload address works like a key.
    private static func uploadOutputs(_ method: String) -> [Output] {
        guard isSensitive(method) || method == "video.save" else { return [] }
        return [
            Output("upload_url", .url, sensitive: true, "Where the file goes."),
            Output("fallback_upload_url", .url, sensitive: true, "Where it goes when 'upload_url' fails."),
        ]
    }
}
