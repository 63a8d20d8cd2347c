internal import HTTP
internal import ServiceKit
public import StepKit
internal import Values

extension VKSignIn {
    /// The bits of a user token's mask and a community token's alike (VK, "Access permissions").
    private static let bits: [(name: String, bit: Int64)] = [
        ("friends", 2), ("photos", 4), ("audio", 8), ("video", 16), ("stories", 64), ("pages", 128),
        ("status", 1024), ("notes", 2048), ("messages", 4096), ("wall", 8192), ("ads", 32768), ("offline", 65536),
        ("docs", 131_072), ("groups", 262_144), ("notifications", 524_288), ("stats", 1_048_576),
        ("email", 4_194_304), ("market", 134_217_728),
    ]

    /// Says whose token it is, and what it may do.
    ///
    /// A user's is asked by `users.get` and `account.getAppPermissions`, a community's by `groups.getById` and
    /// `groups.getTokenPermissions`. VK ID's tokens have no mask; their rights came with them.
    ///
    /// - Throws: `StepError` when VK does not accept the token, or names nobody though it is no service token; `CancellationError`.
    public func identify(_ record: TokenRecord) async throws -> TokenRecord {
        var record = record
        let user: Value?
        do {
            user = try await ask("users.get", record)
        } catch let error as StepError where error.code == "100" || error.code == "113" {
            // A service token is nobody's.
            return record
        } catch let error as StepError where error.code == "27" {
            user = nil
        }
        if let person = user?[0], let id = (person["id"]?.looseInteger).map(String.init) ?? record.userID {
            record.userID = id
            record.userName =
                [person["first_name"]?.string, person["last_name"]?.string].compactMap { $0 }.joined(separator: " ")
            if record.source != .vkID, let mask = try? await ask("account.getAppPermissions", record) {
                record.rights = mask.looseInteger.map(rights)
            }
            return record
        }
        let groups: Value
        do {
            groups = try await ask("groups.getById", record)
        } catch let error as StepError where error.code == "100" || error.code == "28" {
            // So is one that has no community of its own either.
            return record
        }
        guard let group = groups["groups"]?[0] ?? groups[0], let id = group["id"]?.looseInteger else {
            throw StepError(
                .server, "VK does not say whose token this is",
                why: "Its users.get named no person, its groups.getById no community.",
                fix: "Try again in a while. If it stays so, make a new token.")
        }
        record.userID = "-\(id)"
        record.userName = group["name"]?.string
        if let answer = try? await ask("groups.getTokenPermissions", record) {
            record.rights =
                answer["permissions"]?.array?.compactMap { $0["name"]?.string }
                ?? (answer["mask"]?.looseInteger).map(rights)
        }
        return record
    }

    private func rights(_ mask: Int64) -> [String] { Self.bits.filter { mask & $0.bit != 0 }.map(\.name) }

    private func ask(_ method: String, _ record: TokenRecord) async throws -> Value {
        let request = HTTPRequest(
            .post, "\(addresses.api)/method/\(method)",
            headers: [(name: "Authorization", value: "Bearer " + record.token.reveal())],
            body: .form([("v", VKAccount.apiVersion)]), label: "VK's \(method)")
        let answer: Value
        do { answer = try await signInAnswer(to: request, by: http, hiding: [record.token]) } catch let error
            as StepError
        {
            throw judged(error)
        }
        guard let response = answer["response"] else {
            throw StepError(.server, "VK's \(method) was answered without 'response'")
        }
        return response
    }

    /// A refusal that says nothing of the token: it passes, or a person must do something at VK's site first.
    private func judged(_ error: StepError) -> StepError {
        guard error.errorClass == .permission,
            let rule = (error.code?.split(separator: "/").first).flatMap({ Int64($0) }).flatMap(VKErrorRule.rule)
        else { return error }
        var error = error
        switch rule.reaction {
        case .again, .unsure, .waits: error.errorClass = .server
        case .captcha, .validation, .confirmation, .person, .consent:
            error.fix =
                "Nothing was kept. Use VK in a browser with this account, and follow what it asks for; then try again."
        default:
            if error.why?.lowercased().contains("ip address") ?? false {
                error.fix = "Nothing was kept. " + VKErrorRule.ownAddress
            }
        }
        return error
    }
}
