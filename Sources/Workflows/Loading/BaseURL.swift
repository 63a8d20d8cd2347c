/// The rule for `base-url` (design, section 8): https unless loopback, since a token goes with every call.
package enum BaseURL {
    package struct Fault: Error {
        /// Goes on "'base-url' of account 'vk' is …, ".
        package let problem: String
        package let why: String?
        package let fix: String?
    }

    /// The address without slashes at its end.
    package static func check(_ text: String) throws(Fault) -> String {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix("://") else {
            throw Fault(
                problem: "not an address", why: nil, fix: "Write it as https://api.example.com")
        }
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }) else {
            throw Fault(
                problem: "which holds characters that an address has not", why: nil,
                fix: "Write it as https://api.example.com")
        }
        guard !text.contains("?"), !text.contains("#") else {
            throw Fault(
                problem: "which has a query or a fragment", why: "Paths of methods are put behind it",
                fix: "Leave out what follows '?' or '#'")
        }
        let authority = text.dropFirst(scheme.count + 3).prefix { $0 != "/" }
        guard !authority.contains("@") else {
            throw Fault(
                problem: "which has a user's name in it", why: "Only the token speaks for the account",
                fix: "Leave out what stands before '@'")
        }
        guard let host = host(of: authority) else {
            throw Fault(problem: "not an address", why: nil, fix: "Write it as https://api.example.com")
        }
        guard scheme == "https" || isLoopback(host) else {
            throw Fault(
                problem: "not https", why: "The token would travel in the clear; http is for this machine only",
                fix: "Write https://\(authority)")
        }
        var end = text.endIndex
        while text[..<end].last == "/" { end = text.index(before: end) }
        return String(text[..<end])
    }

    /// The host; nil when the authority is none.
    private static func host(of authority: Substring) -> Substring? {
        let host: Substring
        var port: Substring = ""
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<close]
            let rest = authority[authority.index(after: close)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.dropFirst()
            if rest == ":" { return nil }
        } else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, let first = parts.first else { return nil }
            host = first
            if parts.count == 2 {
                port = parts[1]
                if port.isEmpty { return nil }
            }
        }
        if !port.isEmpty { guard let number = UInt16(port), number > 0 else { return nil } }
        return host.isEmpty ? nil : host
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.utf8.allSatisfy(isDigit) && $0.utf8.count <= 3 && UInt8($0) != nil }
    }
}
