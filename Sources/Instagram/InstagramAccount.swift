public import StepKit
internal import Values

/// The account type `instagram`: a professional account, by Instagram Login.
public enum InstagramAccount {
    public static let type = AccountType(
        "instagram", service: "Instagram", baseURL: "https://graph.instagram.com",
        settings: [
            Parameter(
                "api-version", .string,
                "The version of the API, as v26.0; left out, Instagram takes the oldest that still lives."),
            Parameter(
                "settle", .duration, default: "5s",
                "The time between two looks at a container that prove it unpublished."),
        ])
}

/// Where a node lives: below the version, where one is set.
func nodeAddress(_ node: String, baseURL: String, settings: ValueObject) -> String {
    guard let version = settings["api-version"]?.string, !version.isEmpty else { return "\(baseURL)/\(node)" }
    return "\(baseURL)/\(version.hasPrefix("v") ? version : "v" + version)/\(node)"
}

/// Whether the text names a version of the API: "v26.0", "26.0".
func isVersion(_ text: some StringProtocol) -> Bool {
    let parts = (text.hasPrefix("v") ? text.dropFirst() : text[...]).split(
        separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2
        && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
}
