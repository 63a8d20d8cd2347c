import Diagnostics
import Expressions
import Files
import StepKit
import TestSupport
import Testing
import Values
import Workflows

@Suite struct HookTests {
    private func load() throws -> LoadedWorkflow {
        let path = FileSystem.join(fixturesFolder(beside: #filePath), "valid/hooks.yaml")
        return try WorkflowLoader(catalog: .test).load(
            bytes: try FileSystem.read(path), file: "hooks.yaml", folder: "/flows")
    }

    @Test func readsHooks() throws {
        let hooks = try load().workflow.hooks
        #expect(hooks.map(\.event) == [.pause, .failure, .success])
        guard case .run(.list(let command, _), .object(let variables, _)?) = hooks[0].action,
            case .post(.template(let url, _), .object(let headers, _)?) = hooks[1].action,
            case .post(.literal(let plain, _), nil) = hooks[2].action
        else {
            Issue.record("other actions: \(hooks)")
            return
        }
        #expect(command.count == 3)
        #expect(variables.map(\.name) == ["KEY", "RUN"])
        #expect(url.mentionsSecret)
        #expect(headers.map(\.name) == ["Authorization"])
        #expect(plain == "https://example.com/told")
    }

    @Test func anInputThatOnlyAHookMentionsIsUsed() throws {
        let warnings = try load().warnings.map(\.what)
        #expect(!warnings.contains("input 'who' is not used"))
    }

    @Test func aStepMaySayItsEffect() throws {
        #expect(try load().workflow.steps.map(\.effect) == [.read, .write, .idempotent])
    }
}
