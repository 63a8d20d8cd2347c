// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "cards",
    dependencies: [.package(name: "pasteup", path: "../../..")],
    targets: [
        .executableTarget(
            name: "CardRounds", dependencies: [.product(name: "StoryCard", package: "pasteup")])
    ],
    swiftLanguageModes: [.v6]
)
