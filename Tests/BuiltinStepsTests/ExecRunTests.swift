import BuiltinSteps
import Files
import Glibc
import ServiceTestSupport
import StepKit
import Testing
import Values

@Suite struct ExecRunTests {
    private let calls: TestCalls
    private let kind = ExecRun(environment: [
        "PATH": "/usr/bin:/bin", "HOME": "/home/x", "LANG": "C", "TZ": "UTC", "VK_TOKEN": "inherited",
        "SHELL": "/bin/sh",
    ])

    init() throws { calls = try TestCalls() }

    private func run(
        _ parameters: ValueObject, effect: Effect = .read, hiding secrets: [Secret] = []
    ) async throws -> ValueObject {
        let call = try calls.call(kind, parameters, account: nil, effect: effect, hiding: secrets)
        guard case .succeeded(let outputs) = try await kind.run(call) else { return [:] }
        return outputs
    }

    private func failure(_ parameters: ValueObject, effect: Effect = .read) async throws -> StepError {
        try #require(try await stepError { try await run(parameters, effect: effect) })
    }

    private func sh(_ script: String) -> Value { ["sh", "-c", .string(script)] }

    @Test func bringsWhatTheProgramPrinted() async throws {
        let outputs = try await run(["command": sh("echo out; echo err >&2")])
        #expect(outputs == ["stdout": "out\n", "stderr": "err\n", "exit-code": 0])
    }

    @Test func aPrintedObjectBecomesOutputs() async throws {
        let outputs = try await run(["command": ["echo", #"{"id": 7, "tags": ["a"], "stdout": "mine"}"#]])
        #expect(outputs["id"] == 7)
        #expect(outputs["tags"] == ["a"])
        #expect(outputs["json"] == ["id": 7, "tags": ["a"], "stdout": "mine"])
        #expect(outputs["stdout"] == .string(#"{"id": 7, "tags": ["a"], "stdout": "mine"}"# + "\n"))
    }

    @Test(arguments: [("auto", "[1, 2]"), ("auto", "{ no json"), ("text", #"{"id": 7}"#)])
    func otherTextStaysText(output: String, text: String) async throws {
        let outputs = try await run(["command": ["printf", "%s", .string(text)], "output": .string(output)])
        #expect(outputs == ["stdout": .string(text), "stderr": "", "exit-code": 0])
    }

    @Test func readsAnyJSONWhereItIsAskedFor() async throws {
        let outputs = try await run(["command": ["echo", "[1, 2]"], "output": "json"])
        #expect(outputs["json"] == [1, 2])
    }

    @Test func readsLines() async throws {
        let outputs = try await run(["command": ["printf", "a\\r\\n\\nb"], "output": "lines"])
        #expect(outputs["lines"] == ["a", "", "b"])
        let none = try await run(["command": ["true"], "output": "lines"])
        #expect(none["lines"] == [])
    }

    @Test func givesStandardInputAsTextOrJSON() async throws {
        #expect(try await run(["command": ["cat"], "stdin": "as it is"])["stdout"] == "as it is")
        #expect(try await run(["command": ["cat"], "stdin": ["a": [1, .null]]])["json"] == ["a": [1, .null]])
        #expect(try await run(["command": ["cat"]])["stdout"] == "")
    }

    @Test func givesFourVariablesAndTheDeclaredOnes() async throws {
        let outputs = try await run(["command": ["env"], "env": ["N": 3, "GONE": .null], "output": "lines"])
        let lines = (outputs["lines"]?.array ?? []).compactMap(\.string)
        #expect(Set(lines) == ["PATH=/usr/bin:/bin", "HOME=/home/x", "LANG=C", "TZ=UTC", "N=3"])
    }

    @Test func runsInTheWorkflowsFolderOrTheGivenOne() async throws {
        let own = try #require(FileSystem.realPath(calls.folder))
        #expect(try await run(["command": ["pwd", "-P"]])["stdout"] == .string(own + "\n"))
        #expect(try await run(["command": ["pwd", "-P"], "folder": "/"])["stdout"] == "/\n")
    }

    @Test func takesARelativeProgramFromTheWorkflowsFolder() async throws {
        chmod(try calls.file("tool", Array("#!/bin/sh\necho \"$0\"\n".utf8)), 0o700)
        let outputs = try await run(["command": ["./tool"], "folder": "/"])
        #expect(outputs["stdout"] == .string(calls.folder + "/./tool\n"))
    }

    // MARK: Ends

    @Test(arguments: [
        (1, ErrorClass.invalid), (2, .invalid), (75, .server), (127, .invalid),
    ])
    func exitCodesDecideTheClass(code: Int, errorClass: ErrorClass) async throws {
        let error = try await failure(["command": sh("echo a; echo 'no luck ' >&2; exit \(code)")], effect: .write)
        #expect(error.errorClass == errorClass)
        #expect(error.what == "'sh' ended with exit code \(code)")
        #expect(error.why == "It said: no luck ")
        #expect(error.code == "exit \(code)")
    }

    @Test func theStepSaysWhichCodesMeanWhat() async throws {
        let parameters: ValueObject = [
            "command": sh("exit 3"), "success-codes": [0, 3], "retry-codes": [4],
        ]
        #expect(try await run(parameters)["exit-code"] == 3)
        var other = parameters
        other["command"] = sh("exit 4")
        #expect(try await failure(other).errorClass == .server)
        other["command"] = sh("exit 75")
        #expect(try await failure(other).errorClass == .invalid)
    }

    @Test func aKilledProgramIsInDoubt() async throws {
        let error = try await failure(["command": sh("kill -KILL $$")], effect: .write)
        #expect(error.errorClass == .inDoubt)
        #expect(error.what == "'sh' was killed by signal 9")
    }

    @Test func aWriteWhoseOutputCannotBeReadIsInDoubt() async throws {
        let parameters: ValueObject = ["command": ["echo", "done"], "output": "json"]
        #expect(try await failure(parameters, effect: .write).errorClass == .inDoubt)
        #expect(try await failure(parameters, effect: .read).errorClass == .invalid)
    }

    @Test func whatCannotBeStartedIsInvalid() async throws {
        let error = try await failure(["command": ["no-such-program"]], effect: .write)
        #expect(error.errorClass == .invalid)
        #expect(error.what == "there is no program 'no-such-program' in PATH")
        #expect(try await failure(["command": []]).what == "'command' names no program")
    }

    @Test func aSecretAcrossTheCapIsTakenOutWhole() async throws {
        let secret = "token-0123456789"
        let script = "head -c 1048570 /dev/zero | tr '\\0' x; printf '%s' \(secret)-and-more"
        let outputs = try await run(["command": sh(script)], hiding: [Secret(secret)])
        #expect(outputs["stdout"]?.string?.utf8.count == 1_048_576)
        #expect(outputs["stdout"]?.string?.hasSuffix("xx(secre") == true)
        #expect(calls.warnings == ["its standard output is longer than 1 MiB: the first MiB is kept"])
    }

    @Test func whatAPersonSaysWasPrintedBecomesTheOutputs() throws {
        let call = try calls.call(kind, ["command": ["post"]], account: nil)
        #expect(kind.outputs(forPosted: "42", of: call) == ["stdout": "42", "stderr": "", "exit-code": 0])
    }
}
