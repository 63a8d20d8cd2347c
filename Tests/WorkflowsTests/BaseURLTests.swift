import StepKit
import Testing
import Values
import Workflows

@Suite struct BaseURLTests {
    @Test(arguments: [
        ("https://api.vk.com", "https://api.vk.com"), ("https://api.vk.com/v1//", "https://api.vk.com/v1"),
        ("HTTPS://api.vk.com:8443", "HTTPS://api.vk.com:8443"), ("http://localhost:1", "http://localhost:1"),
        ("http://127.255.0.9/x", "http://127.255.0.9/x"), ("http://[::1]:65535/", "http://[::1]:65535"),
        ("https://[2001:db8::1]", "https://[2001:db8::1]"),
    ])
    func takesHTTPSAndLoopback(written: String, kept: String) throws {
        let workflow = try load(written)
        guard case .literal(let value, _)? = workflow.accounts[0].baseURL else {
            Issue.record("there is no address")
            return
        }
        #expect(value == .string(kept))
    }

    @Test(arguments: [
        "http://128.0.0.1", "http://127.0.0.256", "http://127.1", "http://localhost.example.com", "http://[::1",
        "https://:80",
        "https://a:0", "https://a:", "https://a:b", "https://a b", "https://пример.рф", "https:/a", "//a",
        "http://127.0.0.1@example.com", "https://a\\\\@127.0.0.1",
    ])
    func refusesOthers(written: String) {
        #expect(throws: (any Error).self) { try load(written) }
    }

    private func load(_ address: String) throws -> Workflow {
        let text = """
            name: test
            accounts: { vk: { type: vk, token: "${{ secrets.T }}", base-url: "\(address)" } }
            steps: { post: { uses: vk.wall.post } }
            """
        return try WorkflowLoader(catalog: .test).load(bytes: Array(text.utf8), file: "a.yaml", folder: "/").workflow
    }
}
