import Diagnostics
import Expressions
import Files
import StepKit
import TestSupport
import Testing
import Values
import Workflows

@Suite struct ValidFileTests {
    static let folder = FileSystem.join(fixturesFolder(beside: #filePath), "valid")

    private func load(_ name: String) throws -> LoadedWorkflow {
        try WorkflowLoader(catalog: .test).load(
            bytes: try FileSystem.read("\(Self.folder)/\(name).yaml"), file: "\(name).yaml", folder: "/flows")
    }

    private func step(_ id: String, of workflow: Workflow) throws -> Step {
        try #require(workflow.steps.first { $0.id == id })
    }

    private func ids(_ positions: [Int], of workflow: Workflow) -> [String] { positions.map { workflow.steps[$0].id } }

    // MARK: The design's example

    @Test func readsTheMainExample() throws {
        let loaded = try load("instagram-to-vk")
        let workflow = loaded.workflow
        #expect(loaded.warnings.isEmpty)
        #expect(workflow.name == "instagram-to-vk")
        #expect(workflow.schedule == "15 * * * *")
        #expect(workflow.overlap == .skip)
        #expect(workflow.concurrency == 4)
        #expect(workflow.inputs.map(\.name) == ["wall", "link"])
        #expect(workflow.inputs.map(\.type) == [.integer, .string])
        #expect(workflow.inputs.map(\.defaultValue) == [.null, ""])
        #expect(workflow.accounts.map(\.name) == ["insta", "vk"])
        #expect(workflow.accounts[1].settings == ["rate": 3, "settle": "5s"])
        #expect(workflow.steps.map(\.id) == ["latest", "card", "server", "upload", "saved", "post"])
        #expect(workflow.steps.map(\.account) == ["insta", nil, "vk", "vk", "vk", "vk"])
        #expect(workflow.steps.map(\.effect) == [.read, .pure, .read, .idempotent, .write, .write])
        #expect(workflow.outputs.map(\.name) == ["url"])
    }

    @Test func findsWhatTheStepsOfTheMainExampleWaitFor() throws {
        let graph = try load("instagram-to-vk").workflow.graph
        #expect(graph.dependencies == [[], [0], [], [1, 2], [3], [0, 4]])
        #expect(graph.dependents == [[1, 5], [3], [3], [4], [5], []])
        #expect(graph.sources == [[], [0], [], [1, 2], [3], [0, 4]])
        #expect(graph.onceSources == [[], [], [], [], [], [0]])
        #expect(graph.order == [0, 1, 2, 3, 4, 5])
    }

    // MARK: Every key

    @Test func readsTheKeysOfTheWorkflow() throws {
        let workflow = try load("everything").workflow
        #expect(workflow.name == "everything_2-x")
        #expect(workflow.description == "Every key.")
        #expect(workflow.schedule == "@daily")
        #expect(workflow.overlap == .wait)
        #expect(workflow.overlapKey?.references.map(\.description) == ["inputs.wall", "env.USER"])
        #expect(workflow.concurrency == 2)
        #expect(workflow.timezone == "America/Argentina/Buenos_Aires")
        #expect(workflow.recoverWithin == .seconds(7200))
        #expect(workflow.file == "everything.yaml")
        #expect(workflow.folder == "/flows")
    }

    @Test func inputMayBeItsTypeAlone() throws {
        let inputs = try load("foreign-braces").workflow.inputs
        #expect(inputs.map(\.name) == ["wall", "rows", "day"])
        #expect(inputs.map(\.type) == [.integer, .table([]), .date])
        #expect(inputs.allSatisfy { !$0.isRequired && $0.defaultValue == .null })
    }

    @Test func readsInputs() throws {
        let inputs = try load("everything").workflow.inputs
        #expect(
            inputs.map(\.type) == [
                .string, .integer, .number, .boolean, .file, .list, .choice(["photo", "video", "2"]),
            ])
        #expect(inputs.map(\.isRequired) == [true, false, false, false, false, false, false])
        #expect(
            inputs.map(\.defaultValue) == [.null, .null, 0.5, true, "pictures/one.jpg", ["a", 17], "2"])
        #expect(inputs[0].description == "What the post says")
        #expect(inputs[1].range.start == SourceLocation(file: "everything.yaml", line: 12, column: 3))
    }

    @Test func readsAccounts() throws {
        let accounts = try load("everything").workflow.accounts
        #expect(accounts.map(\.type.name) == ["vk", "vk"])
        #expect(accounts[0].token?.references.map(\.description) == ["secrets.VK_TOKEN"])
        guard case .literal("http://127.0.0.1:8080/vk", _)? = accounts[0].baseURL else {
            Issue.record("the slash at the end is taken away")
            return
        }
        #expect(accounts[1].baseURL?.references.map(\.description) == ["env.VK_URL"])
        #expect(accounts[0].settings == ["rate": 5, "settle": "5s"])
    }

    @Test func readsTheKeysOfAStep() throws {
        let workflow = try load("everything").workflow
        let write = try step("write", of: workflow)
        #expect(write.title == "Tell the world")
        #expect(write.needs == ["check"])
        #expect(write.condition?.source == "always() && steps.Check.outcome != 'failed'")
        #expect(write.once?.isGlobal == true)
        #expect(write.once?.key.references.map(\.description) == ["steps.read.outputs.id"])
        #expect(write.timeout == .seconds(120))
        #expect(write.continueOnError)
        #expect(
            write.retry
                == RetryPolicy(
                    maxAttempts: 3, initial: .milliseconds(500), factor: 1.5, max: .seconds(60), jitter: .none,
                    maxElapsed: .seconds(3600), on: [.network, .rateLimit]))
        #expect(write.range.start == SourceLocation(file: "everything.yaml", line: 29, column: 3))
    }

    @Test func usesDefaultsWhereAStepIsSilent() throws {
        let read = try step("read", of: load("everything").workflow)
        #expect(read.title == "read")
        #expect(read.timeout == .seconds(10))
        #expect(
            read.retry
                == RetryPolicy(maxAttempts: 3, initial: .milliseconds(500), factor: 2, max: .seconds(60), jitter: .none)
        )
        #expect(read.once == nil && read.condition == nil && !read.continueOnError)
    }

    @Test func ordersStepsByWhatTheyWaitFor() throws {
        let workflow = try load("everything").workflow
        #expect(ids(workflow.graph.order, of: workflow) == ["read", "check", "write", "post", "post2", "free"])
        #expect(ids(workflow.graph.dependencies[0], of: workflow) == ["read", "check"])
        #expect(ids(workflow.graph.sources[0], of: workflow) == ["read"])
        #expect(ids(workflow.graph.onceSources[0], of: workflow) == ["read"])
    }

    @Test func fitsLiteralArguments() throws {
        let arguments = try step("read", of: load("everything").workflow).arguments
        #expect(arguments.map(\.name) == ["text", "count", "loud", "texts", "headers", "tags"])
        let literals = arguments.map { if case .literal(let value, _) = $0.value { value } else { Value.null } }
        #expect(literals[0...2] == ["017", 12, true])
        #expect(literals[4] == ["X-One": 1, "X-Two": ["deep": [true, nil]]])
        guard case .list(let texts, _) = arguments[3].value, case .literal(let first, _) = texts[0],
            case .object(let second, _) = texts[1], case .template(let size, _) = second[1].value
        else {
            Issue.record("texts are a list of a literal and an object with expressions")
            return
        }
        #expect(first == ["text": "1.10", "at": "top"])
        #expect(second.map(\.name) == ["text", "size"])
        #expect(size.isWhole)
    }

    // MARK: Warnings

    @Test(arguments: ["warnings", "unreachable", "foreign-braces"]) func warnsWithoutRefusing(name: String) throws {
        let loaded = try load(name)
        let text = DiagnosticRenderer(sources: [loaded.source]).render(loaded.warnings)
        #expect(Snapshot.problem(text, at: "\(Self.folder)/\(name).warnings.txt") == nil)
        #expect(!loaded.workflow.steps.isEmpty)
    }

    @Test func loadsManySteps() throws {
        var text = "name: many\nsteps:\n  s0: { uses: test.read }\n"
        for step in 1..<5000 {
            text += "  s\(step): { uses: test.write, with: { message: \"${{ steps.S\(step / 2).outcome }}\" } }\n"
        }
        let workflow = try WorkflowLoader(catalog: .test).load(bytes: Array(text.utf8), file: "many", folder: "/")
            .workflow
        #expect(workflow.steps.count == 5000)
        #expect(workflow.graph.dependencies[4999] == [2499])
    }
}
