// swift-tools-version: 6.1
import PackageDescription

/// Where the tests build (`Tests/run` sets it), warnings are errors, and tests may name what is internal.
let strict = Context.environment["ROOST_STRICT"] == "1"

let swiftSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
    ] + (strict ? [.unsafeFlags(["-warnings-as-errors", "-enable-testing"])] : [])

/// Tests are built once, also in release, and run for minutes at most: what makes them quick or easy to debug takes the compiler longer
/// than all of them. File by file it uses all cores, and compiles only what has changed.
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

/// The services, without pages and commands.
let serviceModules: [Target.Dependency] = [
    "TextFormats", "ArticleText", "RoostSupport", "Accounts", "GitHub", "Market", "Reading", "Chat",
]

let package = Package(
    name: "roost",
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
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg"),
        .systemLibrary(name: "CSPNG", pkgConfig: "spng"),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp"),
        // ICU's headers stay behind C: Foundation brings another ICU, whose types have the same names.
        .target(name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),

        .target(
            name: "HTTPServer", dependencies: ["CMicroHTTPD", "CGnuTLS", "CISAL", "CZlib", crypto],
            swiftSettings: swiftSettings),
        .target(name: "HTTPClient", dependencies: ["CCurl"], swiftSettings: swiftSettings),
        .target(name: "HTMLDocument", dependencies: ["CLibXML2"], swiftSettings: swiftSettings),
        .target(name: "HTMLTemplates", exclude: ["README.md"], swiftSettings: swiftSettings),
        .executableTarget(name: "TemplateCompiler", swiftSettings: swiftSettings),
        .plugin(
            name: "CompileTemplates", capability: .buildTool(), dependencies: ["TemplateCompiler"],
            path: "Sources/CompileTemplates"),
        .target(name: "TextFormats", swiftSettings: swiftSettings),
        .target(
            name: "ArticleText", dependencies: ["TextFormats", "HTMLDocument"], swiftSettings: swiftSettings),
        .target(
            name: "RoostSupport",
            dependencies: [
                "TextFormats", "HTTPClient", "CZlib", "CTurboJPEG", "CSPNG", "CWebP", grdb, crypto, logging,
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
            dependencies: serviceModules + [
                "RoostServices", "HTTPServer", "HTMLTemplates", "CQREncode", logging, crypto,
            ],
            swiftSettings: swiftSettings, plugins: ["CompileTemplates"]),
        .target(
            name: "RoostSimulator", dependencies: ["HTTPServer", "CZlib", crypto],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "roost",
            dependencies: serviceModules + [
                "RoostWeb", "RoostServices", "RoostSimulator", "HTTPClient", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: swiftSettings),

        .target(
            name: "TestSupport",
            dependencies: serviceModules + [
                "RoostServices", grdb,
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Tests/TestSupport", swiftSettings: testSettings),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "CGnuTLS", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: ["HTTPClient", "HTTPServer", "RoostSimulator", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "HTMLDocumentTests", dependencies: ["HTMLDocument", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "HTMLTemplatesTests", dependencies: ["HTMLTemplates"], exclude: ["Templates"],
            swiftSettings: testSettings, plugins: ["CompileTemplates"]),
        // Its sources are linked into the tests' folder: SwiftPM links the plugin's copy of the compiler into the tests, and a
        // second copy of the same module would clash with it.
        .testTarget(name: "TemplateCompilerTests", swiftSettings: testSettings),
        .testTarget(
            name: "RoostServicesTests",
            dependencies: serviceModules + [
                "RoostServices", "RoostSimulator", "HTMLDocument", "HTTPClient", "TestSupport", logging, grdb,
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "RoostWebTests",
            dependencies: serviceModules + [
                "RoostWeb", "RoostServices", "HTTPServer", "HTTPClient", "HTMLDocument", "RoostSimulator",
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
            dependencies: serviceModules + ["roost", "RoostServices", "RoostSimulator", "RoostWeb", logging],
            swiftSettings: testSettings),
    ]
)
