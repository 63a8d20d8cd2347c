// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the program nor its tests are built with a fuzzer's instruments.
let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "pasteup", path: "../..")],
    targets: [
        .executableTarget(
            name: "FuzzDecoders", dependencies: [.product(name: "StoryCard", package: "pasteup")],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    ],
    swiftLanguageModes: [.v6]
)
