internal import Values

/// The address at which VK's check of a person ends (error 17): `https://oauth.vk.com/blank.html#success=1&access_token=…`, or
/// `#fail=1`.
enum ValidationAddress {
    enum Ending: Equatable {
        case passed(Secret)
        case failed
        /// Not such an address.
        case unknown
    }

    static func ending(of text: String) -> Ending {
        let text = text.filter { !$0.isWhitespace }
        guard let hash = text.firstIndex(of: "#") else { return .unknown }
        var members: [Substring: Substring] = [:]
        for item in text[text.index(after: hash)...].split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            members[parts[0]] = parts.count == 2 ? parts[1] : ""
        }
        if members["success"] == "1", let token = members["access_token"], isToken(token) {
            return .passed(Secret(String(token)))
        }
        return members["fail"] != nil ? .failed : .unknown
    }

    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "%") }
    }
}
