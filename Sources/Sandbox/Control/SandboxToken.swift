internal import Values

/// The stand-in's credentials, by the names that `POST /_sandbox/tokens` knows.
public enum SandboxToken: String, Sendable, Hashable, CaseIterable {
    /// The Instagram account's.
    case instagram
    /// The VK user's.
    case vk
    /// The VK community's (226100401).
    case vkCommunity = "vk-community"
    /// The VK app's service token.
    case vkService = "vk-service"

    /// A random one, with the prefix that the real one has.
    func make() -> String {
        switch self {
        case .instagram: "IGAA" + randomKey(170)
        case .vk, .vkCommunity: "vk1.a." + randomKey(198)
        case .vkService: randomHex(70)
        }
    }
}

extension SandboxState.Tokens {
    init(issued: Timestamp) {
        self.init(
            instagram: SandboxToken.instagram.make(), instagramIssued: issued, vkUser: SandboxToken.vk.make(),
            vkCommunity: SandboxToken.vkCommunity.make(), vkService: SandboxToken.vkService.make(),
            signingKey: randomHex(64))
    }

    subscript(token: SandboxToken) -> String {
        get {
            switch token {
            case .instagram: instagram
            case .vk: vkUser
            case .vkCommunity: vkCommunity
            case .vkService: vkService
            }
        }
        set {
            switch token {
            case .instagram: instagram = newValue
            case .vk: vkUser = newValue
            case .vkCommunity: vkCommunity = newValue
            case .vkService: vkService = newValue
            }
        }
    }
}
