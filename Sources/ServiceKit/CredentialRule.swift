public import HTTP

extension URLParts {
    /// Whether credentials may travel there: over `https`, or within this machine.
    public var maySendCredentials: Bool { scheme == "https" || isLoopback }
}
