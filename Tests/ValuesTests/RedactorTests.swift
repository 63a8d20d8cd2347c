import Testing
import Values

@Suite struct RedactorTests {
    @Test(arguments: [
        ("tok/en+1=é", "x tok/en+1=é y", "x (secret) y"),
        ("tok/en+1=é", "a=tok%2Fen%2B1%3D%C3%A9&b", "a=(secret)&b"),
        ("tok/en+1=é", "a=tok%2fen%2b1%3d%c3%a9&b", "a=(secret)&b"),
        ("a/b+c d", "/a%2Fb+c+d", "/(secret)"), ("50%+x", "50%25%2bx 50%+x", "(secret) (secret)"),
        ("pass word", "q=pass+word", "q=(secret)"), ("pass word", "q=pass%20word", "q=(secret)"),
        ("a\"b\\c\n", #"{"t":"a\"b\\c\n"}"#, #"{"t":"(secret)"}"#),
        ("ab/cd/é", #"{"t":"ab\/cd\/\u00e9"}"#, #"{"t":"(secret)"}"#),
        ("ab/cd/é", #"{"t":"ab\/cd\/\u00E9"}"#, #"{"t":"(secret)"}"#),
        ("ab<cd>😊", #"{"t":"ab\u003ccd\u003e\ud83d\ude0a"}"#, #"{"t":"(secret)"}"#),
        ("secret", "secretsecret secret", "(secret)(secret) (secret)"), ("abc", "abc", "abc"),
        ("none", "nothing here: é😊", "nothing here: é😊"),
    ])
    func findsASecretInEveryForm(secret: String, text: String, expected: String) {
        #expect(Redactor([Secret(secret)]).redact(text) == expected)
    }

    @Test func theLongerSecretIsTakenWhole() {
        let redactor = Redactor([Secret("abcd"), Secret("abcdefgh"), Secret("")])
        #expect(redactor.redact("abcdefgh abcd abcdefg") == "(secret) (secret) (secret)efg")
    }

    @Test func valuesAreRedactedInTextsAndKeys() {
        let redactor = Redactor([Secret("tok-123")])
        let value: Value = ["a": ["tok-123", 1], "tok-123": ["x": "-tok-123-"]]
        #expect(redactor.redact(value) == ["a": ["(secret)", 1], "(secret)": ["x": "-(secret)-"]])
    }

    @Test func withoutSecretsTextsPassAsTheyAre() {
        #expect(Redactor().redact("abc") == "abc")
        #expect(Redactor([Secret("a")]).redact("a b") == "a b")
    }

    @Test func aSecretNeverShowsItself() {
        let secret = Secret("tok-123")
        var dumped = ""
        dump([secret], to: &dumped)
        #expect("\(secret) \(String(reflecting: secret)) \([secret])" == "(secret) (secret) [(secret)]")
        #expect(!dumped.contains("tok"))
        #expect(secret.reveal() == "tok-123")
    }

    @Test(arguments: [
        ("aZ09-._~", "aZ09-._~", "aZ09-._~"), ("a b", "a%20b", "a+b"),
        ("é/?&=+%", "%C3%A9%2F%3F%26%3D%2B%25", "%C3%A9%2F%3F%26%3D%2B%25"),
    ])
    func percentEncodingKeepsTheUnreservedOnly(text: String, plain: String, form: String) {
        #expect(percentEncoded(text) == plain)
        #expect(percentEncoded(text, spaceAsPlus: true) == form)
    }
}
