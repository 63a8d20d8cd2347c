import HTTP
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        ("https://api.vk.com/method/wall.post?access_token=x", "https://api.vk.com/method/wall.post?…"),
        ("https://user:pw@Host.Example:8443/a/b#frag", "https://host.example:8443/a/b"),
        ("https://h:443", "https://h/"), ("http://[::1]:8080/?", "http://[::1]:8080/"),
        ("http://h/a b", "http://h/a%20b"),
        ("not an address ?token=x", "an address that cannot be read"), ("", "an address that cannot be read"),
    ]) func redactedAddressShowsNoSecret(_ address: String, expected: String) {
        #expect(redactedAddress(address) == expected)
    }

    @Test func partsAreReadByLibcurlsRules() throws {
        let parts = try #require(URLParts("HTTPS://u:p@API.Example:8443/a/../b?x=1&y=%D1%8F+z&x=2#f"))
        #expect(parts.scheme == "https")
        #expect(parts.host == "api.example")
        #expect(parts.port == 8443)
        #expect(parts.path == "/b")
        #expect(parts.query == "x=1&y=%D1%8F+z&x=2")
        #expect(parts.authority == "api.example:8443")
        #expect(parts.queryItem("x") == "1")
        #expect(parts.queryItem("y") == "я z")
        #expect(parts.queryItem("z") == nil)
        #expect(URLParts("http://h")?.port == 80)
        #expect(URLParts("https://h/x")?.port == 443)
        #expect(URLParts("https://h:443/x")?.authority == "h")
        #expect(URLParts("/relative") == nil)
    }

    @Test(arguments: [
        ("http://localhost:1/", true), ("http://127.0.0.1/", true), ("http://127.9.9.9/", true),
        ("http://[::1]/", true),
        ("http://a.localhost/", true), ("http://127.1/", true), ("http://127.0.0.1.example/", false),
        ("http://localhost.example/", false), ("http://10.0.0.1/", false), ("http://128.0.0.1/", false),
    ]) func loopbackIsKnown(_ address: String, expected: Bool) throws {
        #expect(try #require(URLParts(address)).isLoopback == expected)
    }

    @Test(arguments: [
        ("https://a/", "https://A:443/x?y", true), ("https://a/", "http://a/", false),
        ("https://a/", "https://a:444/", false), ("https://a/", "https://b/", false),
    ]) func originIsSchemeHostAndPort(_ one: String, two: String, expected: Bool) throws {
        #expect(try #require(URLParts(one)).isSameOrigin(as: try #require(URLParts(two))) == expected)
    }

    @Test(arguments: [
        ("https://api.vk.com", "method/wall.post", [("v", "5.199")], "https://api.vk.com/method/wall.post?v=5.199"),
        ("https://api.vk.com/", "/method/wall.post", [], "https://api.vk.com/method/wall.post"),
        ("http://127.0.0.1:8080/vk/", "method/", [], "http://127.0.0.1:8080/vk/method/"),
        ("https://h/a%20b", "c d/é%", [], "https://h/a%20b/c%20d/%C3%A9%25"),
        ("https://h/p?x=1", "", [("y", "a&b c"), ("я", "")], "https://h/p?x=1&y=a%26b%20c&%D1%8F="),
        ("https://h", "", [], "https://h/"),
    ]) func addressIsPutTogether(_ base: String, path: String, query: [(String, String)], expected: String) throws {
        #expect(try makeURL(base, path: path, query: query.map { (name: $0.0, value: $0.1) }) == expected)
    }

    @Test func baseMustBeAbsolute() {
        #expect(throws: HTTPError.self) { try makeURL("api.vk.com", path: "x") }
    }

    @Test(arguments: [
        ("a=1&b=two+words&c=", "a=1|b=two words|c="), ("", ""), ("a", "a="), ("&&a=b=c&", "a=b=c"),
        ("x=%D1%8F%20%2B", "x=я +"), ("x=100%&y=%zz%4", "x=100%|y=%zz%4"), ("x=%ff", "x=\u{FFFD}"),
    ]) func formIsDecoded(_ text: String, expected: String) {
        #expect(formDecoded(text).map { "\($0.name)=\($0.value)" }.joined(separator: "|") == expected)
    }

    @Test func encodedFormIsDecodedToTheSame() {
        let fields = [(name: "a b", value: "c&d=e+f%\n"), (name: "ключ", value: "📷")]
        let decoded = formDecoded(formEncoded(fields))
        #expect(decoded.map(\.name) == fields.map(\.name))
        #expect(decoded.map(\.value) == fields.map(\.value))
    }
}
