internal import Testing

@testable import YAML

@Suite struct ErrorTests {
    /// The whole text, caret included, of every file that cannot be used.
    @Test(arguments: Fixture.all(in: "errors"))
    func explainsTheFault(_ fixture: Fixture) throws {
        let bytes = try #require(fixture.bytes(".yaml"))
        fixture.expect(renderedErrors(bytes, file: fixture.name + ".yaml") ?? "no error\n", ".errors.txt")
    }
}
