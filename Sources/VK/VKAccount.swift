public import StepKit
internal import Values

/// The account type `vk`.
public enum VKAccount {
    public static let type = AccountType(
        "vk", service: "VK", baseURL: "https://api.vk.com",
        settings: [
            Parameter(
                "rate", .number,
                "Calls a second that VK allows the token; unless said 3, as for a user's, and 20 for a community's."),
            Parameter(
                "settle", .duration, default: "5s",
                "The time between two looks at a wall that prove a post absent."),
            Parameter("api-version", .string, default: .string(apiVersion), "The version of VK's API."),
        ])

    /// The current version of the API in VK's own documentation and schema.
    static let apiVersion = "5.199"
}

extension Account {
    /// Nil when the account does not say it.
    var callsPerSecond: Double? { settings["rate"]?.double.flatMap { $0 > 0 ? $0 : nil } }

    /// The time between two looks at a wall.
    var settle: Duration { settings["settle"]?.string.flatMap { Duration(text: $0) } ?? .seconds(5) }

    var apiVersion: String { settings["api-version"]?.string ?? VKAccount.apiVersion }

    /// Where a method lives.
    func address(of method: String) -> String { methodAddress(method, baseURL: baseURL) }
}

func methodAddress(_ method: String, baseURL: String) -> String { "\(baseURL)/method/\(method)" }
