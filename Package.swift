// swift-tools-version: 6.1
import PackageDescription

/// Set by `Tests/run`: warnings are errors, and tests can use `@testable` in release builds.
let strict = Context.environment["ROOST_STRICT"] == "1"

let swiftSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
    ] + (strict ? [.unsafeFlags(["-warnings-as-errors", "-enable-testing"])] : [])

/// Tests are built once, also in release, and run for minutes at most, so optimizing them or emitting debug
/// information costs more than it saves. Compiling file by file uses all cores and only recompiles what
/// changed.
let testSettings =
    swiftSettings + [
        .unsafeFlags(
            [
                "-Onone", "-gnone", "-no-whole-module-optimization", "-enable-batch-mode", "-incremental",
            ],
            .when(configuration: .release))
    ]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

let serviceModules: [Target.Dependency] = [
    "TextFormats", "ArticleText", "RoostSupport", "Accounts", "GitHub", "Market", "Reading", "Chat",
]

/// The pages and the API, without the home page.
let webModules: [Target.Dependency] = [
    "RoostWeb", "AccountsWeb", "GitHubWeb", "MarketWeb", "ReadingWeb", "ChatWeb",
]

/// Their fixtures run all services, on a database with the complete schema.
let serviceTests: [Target] = [
    "ArticleTextTests", "RoostSupportTests", "AccountsTests", "GitHubTests", "MarketTests", "ReadingTests",
    "ChatTests",
    "RoostServicesTests",
].map { name in
    .testTarget(
        name: name,
        dependencies: serviceModules + [
            "RoostServices", "RoostSimulator", "HTMLDocument", "HTTPClient", "TestSupport", logging, grdb,
        ],
        swiftSettings: testSettings)
}

let package = Package(
    name: "roost",
    // `roost`, and what other packages can use; the article "Libraries" describes it. TextFormats is public only where the
    // other libraries need its types.
    products: [
        .executable(name: "roost", targets: ["roost"]),
        .library(name: "HTTPServer", targets: ["HTTPServer", "TextFormats"]),
        .library(name: "HTTPClient", targets: ["HTTPClient", "TextFormats"]),
        .library(name: "HTMLDocument", targets: ["HTMLDocument"]),
        .library(name: "HTMLTemplates", targets: ["HTMLTemplates"]),
        .plugin(name: "CompileTemplates", targets: ["CompileTemplates"]),
        .library(name: "ArticleText", targets: ["ArticleText"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd"),
        .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CISAL", pkgConfig: "libisal"),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode"),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0"),
        .systemLibrary(name: "CLibZip", pkgConfig: "libzip"),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg"),
        .systemLibrary(name: "CSPNG", pkgConfig: "spng"),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp"),
        // ICU's headers are only included in C, because Foundation's own copy of ICU has types of the same
        // names.
        .target(name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),

        .target(
            name: "HTTPServer",
            dependencies: ["TextFormats", "CMicroHTTPD", "CGnuTLS", "CISAL", "CZlib"],
            exclude: ["README.md"], swiftSettings: swiftSettings),
        .target(
            name: "HTTPClient", dependencies: ["TextFormats", "CCurl"], exclude: ["README.md"],
            swiftSettings: swiftSettings),
        .target(
            name: "HTMLDocument", dependencies: ["TextFormats", "CLibXML2"], exclude: ["README.md"],
            swiftSettings: swiftSettings),
        .target(name: "HTMLTemplates", exclude: ["README.md"], swiftSettings: swiftSettings),
        .executableTarget(name: "TemplateCompiler", swiftSettings: swiftSettings),
        .plugin(
            name: "CompileTemplates", capability: .buildTool(), dependencies: ["TemplateCompiler"],
            path: "Sources/CompileTemplates"),
        .target(name: "TextFormats", swiftSettings: swiftSettings),
        .target(name: "SourceCode", dependencies: ["TextFormats"], swiftSettings: swiftSettings),
        .target(
            name: "ArticleText", dependencies: ["TextFormats", "HTMLDocument"], exclude: ["README.md"],
            swiftSettings: swiftSettings),
        .target(
            name: "RoostSupport",
            dependencies: [
                "TextFormats", "HTTPClient", "HTMLDocument", "CLibZip", "CTurboJPEG", "CSPNG", "CWebP", grdb,
                crypto, logging,
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "Accounts",
            dependencies: [
                "RoostSupport", "TextFormats", "CICU", grdb, crypto, logging,
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "GitHub",
            dependencies: [
                "Accounts", "RoostSupport", "ArticleText", "TextFormats", "HTMLDocument", "HTTPClient", grdb,
                crypto, logging,
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "Market",
            dependencies: ["Accounts", "RoostSupport", "TextFormats", "HTTPClient", grdb, logging],
            swiftSettings: swiftSettings),
        .target(
            name: "Reading",
            dependencies: [
                "Accounts", "RoostSupport", "ArticleText", "TextFormats", "HTMLDocument", "HTTPClient", grdb,
                logging,
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "Chat", dependencies: ["Accounts", "RoostSupport", "TextFormats", grdb, logging],
            swiftSettings: swiftSettings),
        .target(
            name: "RoostServices",
            dependencies: serviceModules + ["HTTPClient", grdb, logging], swiftSettings: swiftSettings),
        .target(
            name: "RoostWeb",
            dependencies: [
                "Accounts", "RoostSupport", "ArticleText", "TextFormats", "HTTPServer", "HTMLTemplates",
                "CQREncode", logging, crypto,
            ],
            swiftSettings: swiftSettings, plugins: ["CompileTemplates"]),
        .target(
            name: "AccountsWeb",
            dependencies: [
                "RoostWeb", "Accounts", "RoostSupport", "TextFormats", "HTTPServer", "HTMLTemplates",
            ],
            swiftSettings: swiftSettings, plugins: ["CompileTemplates"]),
        .target(
            name: "GitHubWeb",
            dependencies: [
                "GitHub", "ArticleText", "SourceCode", "RoostWeb", "Accounts", "RoostSupport", "TextFormats",
                "HTTPServer", "HTMLTemplates",
            ],
            swiftSettings: swiftSettings, plugins: ["CompileTemplates"]),
        .target(
            name: "MarketWeb",
            dependencies: [
                "Market", "RoostWeb", "Accounts", "RoostSupport", "TextFormats", "HTTPServer",
                "HTMLTemplates",
            ],
            swiftSettings: swiftSettings, plugins: ["CompileTemplates"]),
        .target(
            name: "ReadingWeb",
            dependencies: [
                "Reading", "ArticleText", "RoostWeb", "Accounts", "RoostSupport", "TextFormats", "HTTPServer",
                "HTMLTemplates",
            ],
            swiftSettings: swiftSettings, plugins: ["CompileTemplates"]),
        .target(
            name: "ChatWeb",
            dependencies: [
                "Chat", "ArticleText", "RoostWeb", "Accounts", "RoostSupport", "TextFormats", "HTTPServer",
                "HTMLTemplates",
            ],
            swiftSettings: swiftSettings, plugins: ["CompileTemplates"]),
        .target(
            name: "RoostSimulator", dependencies: ["HTTPServer", "TextFormats", "CZlib", crypto],
            resources: [.embedInCode("Articles")], swiftSettings: swiftSettings),
        .executableTarget(
            name: "roost",
            dependencies: serviceModules + webModules + [
                "RoostServices", "RoostSimulator", "HTTPServer", "HTMLTemplates", "HTTPClient",
                "HTMLDocument", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: swiftSettings, plugins: ["CompileTemplates"]),

        .target(
            name: "TestSupport",
            dependencies: serviceModules + [
                "RoostServices", "RoostSimulator", "HTTPClient", logging, grdb,
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Tests/TestSupport", swiftSettings: testSettings),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "TextFormats", "CGnuTLS", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: ["HTTPClient", "HTTPServer", "RoostSimulator", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "HTMLDocumentTests", dependencies: ["HTMLDocument", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "SourceCodeTests", dependencies: ["SourceCode", "TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "HTMLTemplatesTests", dependencies: ["HTMLTemplates"], exclude: ["Templates"],
            swiftSettings: testSettings, plugins: ["CompileTemplates"]),
        // Compiles symbolic links to the compiler's sources: SwiftPM links the plugin's copy of the compiler
        // into the tests, and a second copy of the same module would clash with it.
        .testTarget(name: "TemplateCompilerTests", swiftSettings: testSettings),
        .testTarget(
            name: "RoostWebTests",
            dependencies: serviceModules + webModules + [
                "roost", "RoostServices", "HTTPServer", "HTTPClient", "HTMLDocument", "RoostSimulator",
                "TestSupport", logging, grdb,
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "RoostSimulatorTests",
            dependencies: serviceModules + [
                "RoostSimulator", "RoostServices", "HTTPClient", "CZlib", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "roostTests",
            dependencies: serviceModules + webModules + [
                "roost", "RoostServices", "RoostSimulator", logging,
            ],
            swiftSettings: testSettings),
    ] + serviceTests
)
