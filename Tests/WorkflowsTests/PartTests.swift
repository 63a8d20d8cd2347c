import Diagnostics
import StepKit
import TestSupport
import Testing
import Values

@testable import Workflows

/// Files that use one another, from memory.
private struct Files {
    let files: [String: String]

    var loader: WorkflowLoader {
        let files = files
        return WorkflowLoader(catalog: .test) { name, path throws(DiagnosticsError) in
            guard let text = files[path] else {
                throw DiagnosticsError([Diagnostic(at: nil, "there is no file '\(name)'")])
            }
            return WorkflowFile(
                name: name, folder: String(path[..<path.lastIndex(of: "/")!]), bytes: Array(text.utf8))
        }
    }

    func load(_ text: String) throws -> LoadedWorkflow {
        try loader.load(bytes: Array(text.utf8), file: "main.yaml", folder: "/flows")
    }

    /// The errors and warnings as they are shown.
    func problems(_ text: String) -> String {
        let sources =
            [SourceText(file: "main.yaml", bytes: Array(text.utf8))]
            + files.map { SourceText(file: String($0.key.dropFirst("/flows/".count)), bytes: Array($0.value.utf8)) }
        let renderer = DiagnosticRenderer(sources: sources)
        do {
            return try load(text).warnings.map(renderer.render).joined()
        } catch let error as DiagnosticsError {
            return renderer.render(error)
        } catch {
            return "\(error)"
        }
    }
}

private let photoPart = """
    name: wall-photo
    inputs:
      photo: { type: file, required: true }
      text: { type: string, default: "" }
      wall: { type: integer }
    accounts:
      vk: { type: vk, token: "${{ secrets.VK_TOKEN }}" }
    steps:
      server:
        uses: vk.photos.getWallUploadServer
      upload:
        uses: vk.upload
        with: { url: "${{ steps.server.outputs.upload_url }}", photo: "${{ inputs.photo }}" }
      saved:
        uses: vk.photos.saveWallPhoto
        with: { photo: "${{ steps.upload.outputs.photo }}" }
      post:
        uses: vk.wall.post
        once: ${{ inputs.text }}
        with: { owner_id: "${{ inputs.wall }}", message: "${{ inputs.text }}", attachments: ["${{ steps.saved.outputs.attachment }}"] }
    outputs:
      url: ${{ steps.post.outputs.url }}
    """

private let main = """
    name: main
    accounts:
      insta: { type: instagram, token: "${{ secrets.INSTAGRAM_TOKEN }}" }
      vk: { type: vk, token: "${{ secrets.VK_TOKEN }}" }
    steps:
      latest:
        uses: instagram.latest
      share:
        uses: ./parts/photo.yaml
        with: { photo: "${{ steps.latest.outputs.file }}", text: "New: ${{ steps.latest.outputs.caption }}" }
      tell:
        uses: vk.wall.post
        with: { message: "${{ steps.share.outputs.url }}" }
    """

@Suite struct PartTests {
    private let files = Files(files: ["/flows/parts/photo.yaml": photoPart])

    @Test func laysTheStepsOutUnderTheIdOfTheStepThatUsesTheFile() throws {
        let workflow = try files.load(main).workflow
        #expect(
            workflow.steps.map(\.id)
                == ["latest", "share/server", "share/upload", "share/saved", "share/post", "share", "tell"])
        // By hand: upload needs server and, through the input, latest; post needs saved, and latest for text and key.
        #expect(workflow.graph.dependencies == [[], [], [0, 1], [2], [0, 3], [4], [5]])
        #expect(workflow.graph.onceSources[4] == [0])
        #expect(workflow.accounts.map(\.name) == ["insta", "vk"])
        #expect(workflow.steps.map(\.account) == ["insta", "vk", "vk", "vk", "vk", nil, "vk"])
    }

    @Test func takesPathsInAPartFromThePartsFolder() throws {
        let scope = try #require(try files.load(main).workflow.steps[1].scope)
        #expect(scope.folder == "/flows/parts")
        #expect(scope.file == "parts/photo.yaml")
        #expect(scope.prefix == "share/")
        #expect(scope.inputs.map(\.declaration.name) == ["photo", "text", "wall"])
        #expect(scope.inputs.map { $0.argument != nil } == [true, true, false])
    }

    @Test func aConditionStandsBeforeAllStepsOfThePart() throws {
        let text = main.replacing(
            "    with: { photo", with: "    if: steps.latest.outputs.kind == 'image'\n    with: { photo")
        let workflow = try files.load(text).workflow
        #expect(
            workflow.steps.map(\.id) == [
                "latest", "share.begin", "share/server", "share/upload", "share/saved", "share/post", "share", "tell",
            ])
        #expect(workflow.graph.dependencies == [[], [0], [1], [0, 1, 2], [1, 3], [0, 1, 4], [5], [6]])
        #expect(workflow.graph.onceSources[5] == [0, 1])
    }

    @Test func partsLieInOneAnother() throws {
        let outer = """
            name: outer
            inputs: { file: { type: file } }
            steps:
              inner: { uses: ./photo.yaml, with: { photo: "${{ inputs.file }}" } }
            outputs: { link: "${{ steps.inner.outputs.url }}" }
            """
        let files = Files(files: ["/flows/parts/photo.yaml": photoPart, "/flows/parts/outer.yaml": outer])
        let text = main.replacing("photo.yaml", with: "outer.yaml")
            .replacing(
                "photo: \"${{ steps.latest.outputs.file }}\", text: \"New: ${{ steps.latest.outputs.caption }}\"",
                with: "file: \"${{ steps.latest.outputs.file }}\""
            )
            .replacing("outputs.url", with: "outputs.link")
        let workflow = try files.load(text).workflow
        #expect(
            workflow.steps.map(\.id) == [
                "latest", "share/inner/server", "share/inner/upload", "share/inner/saved", "share/inner/post",
                "share/inner", "share", "tell",
            ])
        #expect(workflow.graph.dependencies == [[], [], [0, 1], [2], [3], [4], [5], [6]])
        #expect(workflow.steps[2].scope?.outer?.prefix == "share/")
    }

    @Test func aPartsOwnAccountIsToldFromOthers() throws {
        let text = main.replacing("  vk: { type: vk, token: \"${{ secrets.VK_TOKEN }}\" }\n", with: "")
            .replacing(
                "  tell:\n    uses: vk.wall.post\n    with: { message: \"${{ steps.share.outputs.url }}\" }", with: "")
        let workflow = try files.load(text).workflow
        #expect(workflow.accounts.map(\.name) == ["insta", "share/vk"])
        #expect(workflow.steps.map(\.account) == ["insta", "share/vk", "share/vk", "share/vk", "share/vk", nil])
    }

    @Test func theAccountThatTheStepNamesStandsForThePartsOwn() throws {
        let text = main.replacing("  vk: {", with: "  shop: {")
            .replacing("uses: ./parts/photo.yaml", with: "uses: ./parts/photo.yaml\n    account: shop")
        let workflow = try files.load(text).workflow
        #expect(workflow.accounts.map(\.name) == ["insta", "shop"])
        #expect(workflow.steps.map(\.account) == ["insta", "shop", "shop", "shop", "shop", nil, "shop"])
    }

    @Test func everyStepOfAPartGoesOverTheItemsOfTheStepThatUsesIt() throws {
        let text = main.replacing(
            "    with: { photo: \"${{ steps.latest.outputs.file }}\", text: \"New: ${{ steps.latest.outputs.caption }}\" }",
            with:
                "    for-each: [1, 2]\n    with: { photo: \"${{ steps.latest.outputs.file }}\", text: \"${{ item }}\" }"
        ).replacing("steps.share.outputs.url }}", with: "join(steps.share.outputs.*.url) }}")
        let workflow = try files.load(text).workflow
        #expect(
            workflow.steps.map(\.id) == [
                "latest", "share.begin", "share/server", "share/upload", "share/saved", "share/post", "share", "tell",
            ])
        #expect(workflow.graph.roots == [nil, 1, 1, 1, 1, 1, 1, nil])
    }

    @Test func itemsOfItemsAreRefused() {
        let part = photoPart.replacing("uses: vk.upload", with: "uses: vk.upload\n    for-each: [1, 2]")
        let files = Files(files: [
            "/flows/parts/photo.yaml": part.replacing(
                "with: { photo: \"${{ steps.upload.outputs.photo }}\" }", with: "with: { photo: x }")
        ])
        let text = main.replacing("uses: ./parts/photo.yaml", with: "uses: ./parts/photo.yaml\n    for-each: [1, 2]")
            .replacing("steps.share.outputs.url }}", with: "join(steps.share.outputs.*.url) }}")
        #expect(
            files.problems(text).hasPrefix(
                "parts/photo.yaml:11:3: error: step 'upload' has 'for-each' in a file that is used with 'for-each'."),
            "\(files.problems(text))")
    }

    // MARK: Mistakes

    @Test func inputsAreCheckedLikeParameters() {
        let text = main.replacing("photo: \"${{ steps.latest.outputs.file }}\", text: ", with: "wall: club12, txt: ")
        #expect(
            files.problems(text) == """
                main.yaml:10:5: error: step 'share' lacks the parameter 'photo' of './parts/photo.yaml'. Add 'photo: …' under 'with'.
                10 |     with: { wall: club12, txt: "New: ${{ steps.latest.outputs.caption }}" }
                   |     ^~~~
                main.yaml:10:19: error: 'wall' of step 'share' is 'club12', not an integer.
                10 |     with: { wall: club12, txt: "New: ${{ steps.latest.outputs.caption }}" }
                   |                   ^~~~~~
                main.yaml:10:27: error: './parts/photo.yaml' has no parameter 'txt'. Did you mean 'text'?
                10 |     with: { wall: club12, txt: "New: ${{ steps.latest.outputs.caption }}" }
                   |                           ^~~

                """)
    }

    @Test func outputsAreKnown() {
        let text = main.replacing("share.outputs.url", with: "share.outputs.link")
        #expect(files.problems(text).contains("main.yaml:13:"), "\(files.problems(text))")
        #expect(files.problems(text).contains("'link'"))
    }

    @Test func aMistakeInAPartIsToldWithBothPlaces() {
        let files = Files(files: ["/flows/parts/photo.yaml": photoPart.replacing("steps.server.", with: "steps.sever.")]
        )
        #expect(
            files.problems(main)
                == """
                parts/photo.yaml:13:29: error: unknown step 'sever'. Did you mean 'server'?
                13 |     with: { url: "${{ steps.sever.outputs.upload_url }}", photo: "${{ inputs.photo }}" }
                   |                             ^~~~~
                main.yaml:9:11: note: step 'share' uses the file here.
                9 |     uses: ./parts/photo.yaml
                  |           ^~~~~~~~~~~~~~~~~~

                """)
    }

    @Test func filesThatUseOneAnotherAreRefused() {
        let one = "name: one\nsteps: { two: { uses: ./two.yaml } }\n"
        let two = "name: two\nsteps: { one: { uses: ./one.yaml } }\n"
        let files = Files(files: ["/flows/parts/one.yaml": one, "/flows/parts/two.yaml": two])
        let shown = files.problems("name: main\nsteps: { one: { uses: ./parts/one.yaml } }\n")
        #expect(
            shown.hasPrefix(
                "parts/two.yaml:2:23: error: files use one another: one.yaml -> two.yaml -> one.yaml."), "\(shown)")
        #expect(shown.contains("parts/one.yaml:2:23: note: step 'two' uses the file here"))
        #expect(shown.contains("main.yaml:2:23: note: step 'one' uses the file here"))
        let own = files.problems("name: main\nsteps: { me: { uses: ./main.yaml } }\n")
        #expect(own.hasPrefix("main.yaml:2:22: error: './main.yaml' uses itself."), "\(own)")
    }

    @Test func aMissingFileIsToldWhereItIsNamed() {
        let shown = files.problems(main.replacing("photo.yaml", with: "foto.yaml"))
        #expect(
            shown.hasPrefix("main.yaml:9:11: error: there is no file 'parts/foto.yaml', which step 'share' uses."),
            "\(shown)")
    }

    @Test func keysOfTheStepsOfAPartAreRefusedOnTheStepThatUsesIt() {
        let shown = files.problems(
            main.replacing("uses: ./parts/photo.yaml", with: "uses: ./parts/photo.yaml\n    once: x"))
        #expect(
            shown.hasPrefix("main.yaml:10:5: error: step 'share' uses a file, and such a step has no 'once'."),
            "\(shown)")
    }

    @Test(arguments: ["effect: write", "timeout: soon", "retry: 3", "once: \"${{ inputs.nothing }}\""])
    func aKeyThatAPartDoesNotHaveIsOneMistake(key: String) {
        let shown = files.problems(
            main.replacing("uses: ./parts/photo.yaml", with: "uses: ./parts/photo.yaml\n    \(key)"))
        let name = String(key.prefix { $0 != ":" })
        #expect(
            shown.hasPrefix("main.yaml:10:5: error: step 'share' uses a file, and such a step has no '\(name)'."),
            "\(shown)")
        #expect(shown.split(separator: "\n").count { $0.contains("error: ") } == 1, "\(shown)")
    }

    @Test func mistakesWhereAFileIsUsedAreToldBesideThoseInTheFile() {
        let broken = photoPart.replacing("uses: vk.upload", with: "uses: vk.uplaod")
        let shown = Files(files: ["/flows/parts/photo.yaml": broken]).problems(
            main.replacing("text: \"New: ", with: "txt: \"New: ")
                .replacing("uses: ./parts/photo.yaml", with: "uses: ./parts/photo.yaml\n    effect: write"))
        #expect(shown.contains("main.yaml:10:5: error: step 'share' uses a file, and such a step has no 'effect'."))
        #expect(shown.contains("'./parts/photo.yaml' has no parameter 'txt'. Did you mean 'text'?"), "\(shown)")
        #expect(shown.contains("parts/photo.yaml:12:11: error: unknown step kind 'vk.uplaod'."), "\(shown)")
        #expect(shown.split(separator: "\n").count { $0.contains("error: ") } == 3, "\(shown)")
    }

    @Test func whatIsNotKnownOfABrokenFileIsNotHeldAgainstTheStepThatUsesIt() {
        let broken = photoPart.replacing("wall: { type: integer }", with: "wall: { type: integr }")
        let shown = Files(files: ["/flows/parts/photo.yaml": broken]).problems(main)
        #expect(shown.split(separator: "\n").count { $0.contains("error: ") } == 1, "\(shown)")
    }

    @Test func mistakesInAFileThatIsUsedTwiceAreToldOnce() {
        let broken = photoPart.replacing("uses: vk.upload", with: "uses: vk.uplaod")
        let shown = Files(files: ["/flows/parts/photo.yaml": broken]).problems(
            main + "\n  again:\n    uses: ./parts/photo.yaml\n    with: { photo: x.jpg }\n")
        #expect(shown.split(separator: "\n").count { $0.contains("error: ") } == 1, "\(shown)")
        #expect(shown.contains("note: step 'share' uses the file here"), "\(shown)")
    }

    @Test func partsThatMultiplyAreStopped() {
        var files: [String: String] = [:]
        for depth in 0..<8 {
            let steps = (0..<10).map { "  s\($0): { uses: ./\(depth + 1).yaml }\n" }.joined()
            files["/flows/\(depth).yaml"] = "name: n\(depth)\nsteps:\n" + steps
        }
        files["/flows/8.yaml"] = "name: end\nsteps: { a: { uses: test.run } }\n"
        let shown = Files(files: files).problems("name: main\nsteps: { a: { uses: ./0.yaml } }\n")
        #expect(shown.contains("the files that steps use have more than 10000 steps together"))
    }

    @Test func partsLieSixteenFilesDeepAndNoMore() {
        var files: [String: String] = [:]
        for depth in 0..<20 {
            files["/flows/\(depth).yaml"] = "name: n\nsteps: { a: { uses: ./\(depth + 1).yaml } }\n"
        }
        let shown = Files(files: files).problems("name: main\nsteps: { a: { uses: ./0.yaml } }\n")
        #expect(shown.hasPrefix("15.yaml:2:21: error: './16.yaml' lies more than 16 files deep."), "\(shown)")
    }
}
