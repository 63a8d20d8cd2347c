internal import ServiceKit
internal import StepKit
internal import Values

/// An upload and what it is saved as: upload server, upload, save, each kept, so that none is done twice.
///
/// | part | is kept | holds |
/// |---|---|---|
/// | `<name>/upload` | when the file is on VK's server | what the server answered |
/// | `<name>/saved` | when VK has made something of it | VK's answer to the saving method |
///
/// An upload that VK no longer knows when it is to be saved is made again, on a new address, once in an attempt; an address
/// is never used a second time.
struct SavedUpload: Sendable {
    let client: VKClient
    /// The step's own call.
    let call: StepCall
    let name: String
    let serverMethod: String
    let serverParameters: ValueObject
    let files: [UploadFile]
    let saveMethod: String
    /// `write` where a thing that was saved twice would be seen: then its sending is kept as `<name>/saving` first.
    let saveEffect: Effect
    /// The saving method's parameters, by what the upload was answered with.
    let saveParameters: @Sendable (ValueObject) -> ValueObject

    /// Whether VK's answer to the saving method holds what was to be made; another one is not kept.
    let isMade: @Sendable (Value) -> Bool

    /// What VK has made of it.
    func run() async throws -> Value {
        if let kept = call.parts[name + "/saved"] { return kept }
        var hasRedone = false
        while true {
            let upload = try await upload()
            do {
                let saved = try await save(upload)
                try await call.parts.keep(saved, as: name + "/saved")
                return saved
            } catch let error as StepError where error.errorClass == .stale {
                try await call.parts.keep(.null, as: name + "/upload")
                guard !hasRedone else { throw lasting(error) }
                hasRedone = true
            }
        }
    }

    private func upload() async throws -> ValueObject {
        if let kept = call.parts[name + "/upload"]?.object { return kept }
        let server = try await part("server") { call in
            try await client.call(
                serverMethod, serverParameters, effect: .read, for: call, resumption: call.resumption)
        }
        let addresses = ["upload_url", "fallback_upload_url"].compactMap { server[$0]?.string }
        guard let address = addresses.first, address.hasPrefix("https://") || address.hasPrefix("http://") else {
            throw StepError(.server, "VK answered \(serverMethod) without an 'upload_url'")
        }
        var answer = try await send(to: address, fallback: addresses.dropFirst().first)
        answer["response"] = answer["response"].flatMap { $0 == .object(answer.without("response")) ? nil : $0 }
        try await call.parts.keep(.object(answer), as: name + "/upload")
        return answer
    }

    private func send(to address: String, fallback: String?) async throws -> ValueObject {
        let uploader = Uploader(http: client.http)
        let timeout = call.timeout + UploadFile.extraTime(forBytes: files.reduce(0) { $0 + $1.bytes })
        do {
            return try await uploader.upload(files, to: address, timeout: timeout, attempt: 1)
        } catch let error as StepError {
            // Whatever the address died of: the next attempt asks for another.
            var error = error
            if error.errorClass == .stale { error.errorClass = .server }
            guard let fallback, error.errorClass.isRetried else { throw error }
            return try await uploader.upload(files, to: fallback, timeout: timeout, attempt: 1)
        }
    }

    private func save(_ upload: ValueObject) async throws -> Value {
        if saveEffect == .write {
            try await call.parts.keep(["at": .integer(client.now().milliseconds)], as: name + "/saving")
        }
        return try await part("saved") { call in
            let saved = try await client.call(
                saveMethod, saveParameters(upload), effect: saveEffect, for: call, resumption: call.resumption)
            guard isMade(saved) else {
                let what = "VK answered \(saveMethod) without what it was to make"
                throw saveEffect == .write ? StepError.inDoubt(what) : StepError(.server, what)
            }
            return saved
        }
    }

    private func part(_ step: String, _ body: (StepCall) async throws -> Value) async throws -> Value {
        do {
            return try await body(call.part("\(name)/\(step)", [:]))
        } catch let error as StepError {
            throw error.ofPart("\(name)/\(step)")
        }
    }

    /// The second refusal of a fresh upload. What VK's servers get wrong passes; what is wrong with the call does not.
    private func lasting(_ error: StepError) -> StepError {
        var error = error
        error.errorClass = ["22", "105", "100"].contains(error.code) ? .server : .invalid
        return error
    }
}

extension ValueObject {
    func without(_ name: String) -> ValueObject {
        var object = self
        object[name] = nil
        return object
    }
}
