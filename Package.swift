// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A C library of Debian's, found through pkg-config.
func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// - Parameter fixtures: whether the folder has `Fixtures`, which tests read from the source tree.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], fixtures: Bool = false) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
        exclude: fixtures ? ["Fixtures"] : [], swiftSettings: strict)
}

let package = Package(
    name: "pasteup",
    products: [
        .executable(name: "pasteup", targets: ["pasteup"]),
        // For the package in Tests/Fuzz.
        .library(name: "FuzzedParts", targets: ["Diagnostics", "Expressions", "StepKit", "Values", "Workflows"]),
        // For Tests/Fuzz and Tests/Benchmarks.
        .library(name: "StoryCard", targets: ["StoryCard"]),
    ],
    targets: [
        library("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CPangoCairo", pkgConfig: "pangocairo", apt: "libpango1.0-dev"),
        library("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg62-turbo-dev"),
        library("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
        library("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
        library("CWebPDemux", pkgConfig: "libwebpdemux", apt: "libwebp-dev"),
        library("CLCMS2", pkgConfig: "lcms2", apt: "liblcms2-dev"),
        library("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        library("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
        library("CJansson", pkgConfig: "jansson", apt: "libjansson-dev"),

        .target(name: "CImageCodecs", dependencies: ["CJPEG", "CPNG"]),
        .target(name: "CCaptchaPage", exclude: ["page.html"]),
        .target(name: "CCardPresets", exclude: ["Presets"]),

        .target(name: "CStandardStreams"),
        .target(name: "CSpawn"),
        .systemLibrary(name: "CTimer"),

        module("Threading", ["CTimer"]),
        module("Processes", ["CSpawn", "Files", "Threading"]),
        module("Hashing", ["CCrypto"]),
        module("Files"),
        module("Diagnostics"),
        module("GraphDrawing", ["Diagnostics"]),
        module("Values", ["CJansson"]),
        module("YAML", ["CYAML", "Diagnostics", "Values"]),
        module("Tables", ["YAML", "Values", "Diagnostics", "Files"]),
        module("TimeZones", ["Files", "Threading", "Diagnostics"]),
        module("Patterns"),
        module("Expressions", ["Values", "Diagnostics", "TimeZones", "Patterns"]),
        module("CSSColors", ["Diagnostics"]),
        module("StepKit", ["CSSColors", "Values", "Diagnostics", "Threading"]),
        module(
            "Workflows",
            [
                "CSSColors", "YAML", "Expressions", "StepKit", "Values", "Diagnostics", "Files", "Tables", "TimeZones",
                "Patterns",
            ]),
        module("Journal", ["Values"]),
        module("SQLiteJournal", ["Journal", "Values", "Threading", "Files", "CSQLite"]),
        module(
            "Engine",
            [
                "Workflows", "Expressions", "StepKit", "Journal", "Values", "Diagnostics", "Hashing", "Threading",
                "Files",
            ]),
        module("HTTP", ["CCurl", "Values", "Threading", "Files"]),
        module(
            "StoryCard",
            [
                "CPangoCairo", "CImageCodecs", "CQREncode", "CSSColors", "CWebP", "CWebPDemux", "CLCMS2", "Hashing",
                "Files",
            ]),
        module(
            "BuiltinSteps",
            [
                "CCardPresets", "CSSColors", "Diagnostics", "Hashing", "StepKit", "ServiceKit", "HTTP", "Processes",
                "Values", "StoryCard", "Files", "Threading", "YAML",
            ]),
        module("ServiceKit", ["StepKit", "Values", "HTTP", "Files", "Threading", "Hashing"]),
        module("Instagram", ["ServiceKit", "StepKit", "Values", "HTTP", "Files", "Threading"]),
        module("VK", ["ServiceKit", "StepKit", "Diagnostics", "Values", "HTTP", "Files", "Hashing", "Threading"]),
        module("Accounts", ["StepKit", "Values", "YAML", "Diagnostics", "Files", "Hashing", "Threading"]),
        module("HTTPServer", ["CMicroHTTPD", "Threading"]),
        module("CaptchaPage", ["CCaptchaPage", "HTTPServer", "HTTP", "Threading", "Values"]),
        module("Sandbox", ["HTTPServer", "Values", "Hashing", "Threading", "Files", "StoryCard", "CPangoCairo"]),
        module(
            "PasteupCLI",
            [
                "Accounts", "BuiltinSteps", "CStandardStreams", "CaptchaPage", "Diagnostics", "Engine", "Expressions",
                "Files", "GraphDrawing", "HTTP",
                "HTTPServer", "Hashing", "Instagram", "Journal", "Processes", "SQLiteJournal", "Sandbox", "ServiceKit",
                "StepKit", "StoryCard", "Tables", "Threading", "TimeZones", "VK", "Values", "Workflows", "YAML",
            ]),
        .executableTarget(
            name: "pasteup", dependencies: ["PasteupCLI"], swiftSettings: strict,
            // Start-up is mostly the loader's work: packed relocations (glibc 2.36) take a quarter off it.
            linkerSettings: [
                .unsafeFlags(
                    ["-use-ld=lld", "-Xlinker", "-s", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
                    .when(configuration: .release))
            ]),

        .executableTarget(
            name: "pasteup-faulty",
            dependencies: ["PasteupCLI", "Engine", "HTTP", "SQLiteJournal", "Threading", "Values"],
            path: "Tests/FaultyPasteup", swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["Values", "Files", "Threading"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "ServiceTestSupport",
            dependencies: ["HTTP", "StepKit", "Values", "Files", "Threading", "PasteupCLI", "Engine"],
            path: "Tests/ServiceTestSupport", swiftSettings: strict),
        tests("Threading"),
        tests("Files", ["Threading"]),
        tests("Processes", ["Files", "Threading"]),
        tests("Diagnostics"),
        tests("GraphDrawing"),
        tests("Values"),
        tests("YAML", ["Diagnostics"], fixtures: true),
        tests("Tables", ["Values", "Diagnostics", "Files"]),
        tests("TimeZones", ["Files"]),
        tests("Patterns", ["Files"], fixtures: true),
        tests("Expressions", ["Values", "Diagnostics"], fixtures: true),
        tests("CSSColors", ["Files"], fixtures: true),
        tests("StepKit", ["Values"]),
        tests(
            "Workflows", ["Diagnostics", "YAML", "Expressions", "StepKit", "Values", "Files", "Tables"], fixtures: true),
        tests("Journal", ["SQLiteJournal", "Values", "Files"]),
        tests("SQLiteJournal", ["Journal", "Values", "Files", "Threading"]),
        tests(
            "Engine", ["Workflows", "StepKit", "Journal", "Values", "Diagnostics", "Threading"]),
        tests("HTTP", ["Values", "Files", "Threading", "Hashing"]),
        tests("StoryCard", ["CSSColors", "Files", "Threading"], fixtures: true),
        tests(
            "BuiltinSteps",
            [
                "CSSColors", "Hashing", "ServiceTestSupport", "StepKit", "HTTP", "Values", "StoryCard", "Files",
                "Threading",
            ]),
        tests("ServiceKit", ["ServiceTestSupport", "StepKit", "Values", "HTTP", "Files"]),
        tests(
            "Instagram", ["ServiceKit", "ServiceTestSupport", "StepKit", "Values", "HTTP", "Files", "Threading"],
            fixtures: true),
        tests(
            "VK", ["ServiceKit", "ServiceTestSupport", "StepKit", "Values", "HTTP", "Files", "Threading"],
            fixtures: true),
        tests("Accounts", ["StepKit", "Values", "Files"]),
        tests("HTTPServer", ["HTTP", "Threading"]),
        tests("CaptchaPage", ["HTTP", "Sandbox", "Threading", "Values", "Files"]),
        tests("Sandbox", ["HTTP", "Values", "Files", "StoryCard", "Hashing", "Threading"]),
        tests(
            "PasteupCLI",
            [
                "Values", "Files", "HTTP", "Journal", "SQLiteJournal", "Engine", "Workflows", "Diagnostics", "StepKit",
                "Accounts", "CSSColors", "Expressions", "StoryCard",
            ], fixtures: true),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestSupport", "Values", "Files", "Threading", "Hashing", "Sandbox", "StoryCard", "pasteup",
                "pasteup-faulty", "Journal", "SQLiteJournal",
            ],
            exclude: ["Contract", "Fixtures"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
