// swift-tools-version: 6.2
import PackageDescription

/// Programs of libFuzzer. `run.sh` beside this file builds and runs them: they need the sanitizers' flags.
func fuzzer(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["CFuzzer", .product(name: "FuzzedParts", package: "pasteup")])
}

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "pasteup", path: "../..")],
    targets: [
        .target(name: "CFuzzer"),
        fuzzer("FuzzWorkflow"),
        fuzzer("FuzzExpression"),
    ],
    swiftLanguageModes: [.v6])
