import Files
import StepKit
import TestSupport
import Testing
import Values
import Workflows

@Suite struct ForEachTests {
    private func plan() throws -> LoadedWorkflow {
        try WorkflowLoader(catalog: .test).load(
            bytes: try FileSystem.read("\(ValidFileTests.folder)/for-each.yaml"), file: "for-each.yaml",
            folder: "/flows")
    }

    @Test func readsWhatStepsGoOver() throws {
        let loaded = try plan()
        #expect(loaded.warnings.isEmpty)
        let steps = loaded.workflow.steps
        #expect(steps.map { $0.forEach != nil } == [false, true, true, true, true, false])
        #expect(steps[1].forEach?.maxParallel == 2)
        #expect(steps[1].forEach?.input == "rows")
        #expect(steps[2].forEach?.failFast == true)
        #expect(steps[3].forEach?.input == nil)
        guard case .of("card")? = steps[2].forEach?.source, case .matrix? = steps[4].forEach?.source else {
            Issue.record("the sources are others")
            return
        }
    }

    @Test func stepsOverOneListAreABatch() throws {
        let graph = try plan().workflow.graph
        #expect(graph.roots == [nil, 1, 1, 3, 4, nil])
        #expect(graph.areRows(1, 2) && !graph.areRows(1, 3) && !graph.areRows(0, 5))
        #expect(graph.dependencies == [[], [], [1], [0], [0], [1, 2]])
        #expect(graph.listSources == [[], [], [1], [0], [0], []])
    }

    @Test(
        arguments: [
            ("post", "post", nil), ("post[3]", "post", 3), ("outer/post[12]", "outer/post", 12),
            ("post[]", "post[]", nil),
            ("post[-1]", "post[-1]", nil), ("post[x]", "post[x]", nil),
        ] as [(String, String, Int?)])
    func addressNamesAStepOrAnItem(text: String, step: String, index: Int?) {
        #expect(StepAddress(text) == StepAddress(step: step, index: index))
        #expect(StepAddress(text).description == text)
    }
}
