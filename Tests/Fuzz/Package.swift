// swift-tools-version: 6.2
import PackageDescription

/// Programs of libFuzzer. `run.sh` beside this file builds and runs them: they need the sanitizers' flags.
func fuzzer(_ name: String, _ product: String) -> Target {
    .executableTarget(name: name, dependencies: ["CFuzzer", .product(name: product, package: "pasteup")])
}

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "pasteup", path: "../..")],
    targets: [
        .target(name: "CFuzzer"),
        fuzzer("FuzzWorkflow", "FuzzedParts"),
        fuzzer("FuzzExpression", "FuzzedParts"),
        fuzzer("FuzzDecoders", "StoryCard"),
    ],
    swiftLanguageModes: [.v6])
