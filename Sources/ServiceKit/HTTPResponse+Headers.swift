public import HTTP
public import Values

extension Timestamp {
    /// Reads the form of a date that HTTP's headers are written in (RFC 9110 §5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
    /// Nil for anything else; the two obsolete forms are not read.
    public init?(httpDate text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2, parts[3].utf8.count == 4,
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = (month < 9 ? "0" : "") + String(month + 1)
        self.init(iso8601: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}

extension HTTPResponse {
    /// How long to wait before the next request, by `Retry-After`: seconds, or a date (RFC 9110 §10.2.3), which is held
    /// against the server's own `Date`. At most a day; nil when the header is missing or says something else.
    public var retryAfter: Duration? {
        guard let text = header("Retry-After") else { return nil }
        let wait: Duration
        if let seconds = Int64(text), seconds >= 0 {
            wait = .seconds(min(seconds, 86_400))
        } else if let end = Timestamp(httpDate: text), let date {
            wait = max(.zero, end - date)
        } else {
            return nil
        }
        return min(wait, .seconds(86_400))
    }

    /// When the server says that it answered.
    public var date: Timestamp? { header("Date").flatMap { Timestamp(httpDate: $0) } }
}

/// What an answer was that ought to have been JSON: "broken JSON", "text/html in place of JSON", "no JSON".
public func nameOfNoJSON(_ response: HTTPResponse) -> String {
    guard
        let type = serviceWords(
            response.header("Content-Type")?.split(separator: ";").first.map(String.init), hiding: [])
    else { return "no JSON" }
    return type.lowercased().hasSuffix("json") ? "broken JSON" : "\(type) in place of JSON"
}
