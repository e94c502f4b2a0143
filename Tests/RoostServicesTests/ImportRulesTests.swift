import Foundation
import Testing

/// The design's arrows between targets, and nothing else: what every source file imports.
@Suite struct ImportRulesTests {
    /// What one target's files may import: anywhere in it, or only in files whose path in the target fits.
    private struct Rule {
        let anywhere: Set<String>
        var only: [String: [String]] = [:]

        func allows(_ module: String, in path: String) -> Bool {
            anywhere.contains(module) || (only[module] ?? []).contains { Self.fits(path, $0) }
        }

        /// `*` stands for any characters, "/" among them.
        private static func fits(_ path: String, _ pattern: String) -> Bool {
            let parts = pattern.components(separatedBy: "*").map(NSRegularExpression.escapedPattern)
            return path.range(of: "^\(parts.joined(separator: ".*"))$", options: .regularExpression) != nil
        }
    }

    private static let rules = [
        "roost": Rule(anywhere: [
            "RoostWeb", "RoostServices", "RoostSimulator", "HTTPClient", "ArgumentParser", "Configuration",
            "Logging", "SystemPackage", "Dispatch", "Foundation", "Glibc", "Synchronization",
        ]),
        "RoostWeb": Rule(
            anywhere: [
                "RoostServices", "HTTPServer", "HTMLTemplates", "Logging", "Crypto", "Foundation",
                "Synchronization",
            ],
            only: ["CQREncode": ["Web/QRCode.swift"]]),
        "RoostServices": Rule(
            anywhere: ["Logging", "Crypto", "CryptoExtras", "Foundation", "Glibc", "Synchronization"],
            only: [
                "HTTPClient": [
                    "CoinGecko/*API*.swift", "GitHub/*API*.swift",
                    "GitHub/GitHubFailure*.swift", "Pictures/*API*.swift", "Reading/*API*.swift",
                    "Services.swift",
                    "Upstream/APIError+Transport.swift",
                ],
                "GRDB": [
                    "*Store.swift", "*Store+*.swift", "*Record.swift", "*Transaction.swift",
                    "Bookmarks/BookmarkQuery.swift", "Reading/ArticleListQuery.swift",
                    "Reading/ArticleMerge.swift", "Reading/ArticleVersion.swift",
                    "Watchlist/WatchlistError+Storage.swift",
                    "Database/*", "*/Migration+*.swift", "Accounts/IdentityCache.swift",
                ],
                "CZlib": ["Support/Zip*.swift"],
                "CICU": ["Accounts/NameLookalikes.swift"],
                "CTurboJPEG": ["Images/JPEGPixels.swift"],
                "CSPNG": ["Images/PNGPixels.swift"],
                "CWebP": ["Images/WebPPixels.swift"],
                "HTMLDocument": [
                    "Extraction/*.swift", "Markup/*.swift", "Reading/EPUB*.swift",
                    "Reading/ImportedText.swift", "Repositories/ReadmeLinkResolver.swift",
                ],
                "Dispatch": [
                    "Support/SerialThread.swift", "Pictures/PictureFolder.swift",
                    "Database/StorageProbe.swift",
                    "Support/TaskThreads.swift",
                ],
            ]),
        "RoostSimulator": Rule(
            anywhere: ["HTTPServer", "Foundation", "Glibc", "Synchronization"],
            only: ["Crypto": ["GitHub/SignIn/WebFlow.swift"], "CZlib": ["PNGWriter.swift"]]),
        "HTTPServer": Rule(anywhere: [
            "CMicroHTTPD", "CGnuTLS", "CISAL", "CZlib", "Crypto", "FoundationEssentials", "Glibc",
            "Synchronization",
        ]),
        "HTTPClient": Rule(anywhere: ["CCurl", "Glibc", "Synchronization"]),
        "HTMLDocument": Rule(anywhere: ["CLibXML2", "Glibc"]),
        "HTMLTemplates": Rule(anywhere: []),
        "TemplateCompiler": Rule(anywhere: ["Foundation"]),
        "CompileTemplates": Rule(anywhere: ["Foundation", "PackagePlugin"]),
    ]

    private struct Source {
        let target: String
        /// Inside the target.
        let path: String
        let lines: [String]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    private static func swiftFiles(under folder: URL) throws -> [(path: String, lines: [String])] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.map
        {
            let text = try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            return ($0, text.components(separatedBy: "\n"))
        }
    }

    private static func sources() throws -> [Source] {
        try swiftFiles(under: root.appending(path: "Sources")).map { path, lines in
            let target = path.prefix { $0 != "/" }
            return Source(
                target: String(target), path: String(path.dropFirst(target.count + 1)), lines: lines)
        }
    }

    /// The module of an import's line, submodules and access level aside.
    private static func module(in line: String) -> String? {
        guard line.contains("import") else { return nil }
        let pattern =
            #/^\s*(@\w+(\(\w+\))?\s+)*(\w+\s+)?import\s+((struct|class|enum|protocol)\s+)?(?<name>\w+)/#
        return line.firstMatch(of: pattern).map { String($0.output.name) }
    }

    @Test func `every target has its rule and every rule its target`() throws {
        let targets = Set(try Self.sources().map(\.target))
        #expect(targets == Set(Self.rules.keys))
    }

    @Test func `no file imports what the design does not draw an arrow to`() throws {
        for source in try Self.sources() {
            for line in source.lines {
                guard let module = Self.module(in: line) else { continue }
                let isAllowed = Self.rules[source.target]?.allows(module, in: source.path) == true
                #expect(isAllowed, "\(source.target)/\(source.path) imports \(module)")
            }
        }
    }

    @Test(arguments: [
        ("import GRDB", "GRDB"), ("package import Foundation", "Foundation"),
        ("  internal import Logging", "Logging"), ("@preconcurrency import GRDB", "GRDB"),
        ("@_spi(x) package import CCurl", "CCurl"), ("import struct Foundation.URL", "Foundation"),
        ("import Foundation.NSURL", "Foundation"),
    ])
    func `an import is recognised in every form`(line: String, module: String) {
        #expect(Self.module(in: line) == module)
    }

    @Test(arguments: ["// import GRDB", "let import_ = 1", "important()", "/// why we import GRDB", ""])
    func `what is no import is not taken for one`(line: String) {
        #expect(Self.module(in: line) == nil)
    }

    @Test(arguments: [
        ("RoostServices", "GRDB", "Watchlist/WatchlistService.swift"),
        ("RoostServices", "HTTPServer", "Services.swift"),
        ("RoostServices", "HTTPClient", "Watchlist/WatchlistAPI.swift"),
        ("RoostServices", "HTTPClient", "GitHub/GitHubSession.swift"),
        ("RoostServices", "GRDB", "GitHub/GitHubAccountConnector.swift"),
        ("RoostWeb", "GRDB", "Web/WebContext.swift"),
        ("RoostWeb", "CQREncode", "Home/HomeView.swift"),
        ("RoostWeb", "RoostSimulator", "Web/WebContext.swift"),
        ("HTMLTemplates", "RoostServices", "HTMLBuffer.swift"),
        ("HTTPServer", "RoostServices", "Server.swift"),
        ("RoostSimulator", "RoostServices", "Simulator.swift"),
        ("HTTPClient", "HTTPServer", "HTTPClient.swift"),
    ])
    func `the rules refuse what the design forbids`(target: String, module: String, path: String) {
        #expect(Self.rules[target]?.allows(module, in: path) == false)
    }

    @Test func `nothing is public and nothing is imported for tests only`() throws {
        let isPublic =
            #/^\s*(@\w+(\([^)]*\))?\s+)*((final|static|override|indirect)\s+)*(public|open)(\(set\))?\s/#
        for source in try Self.sources() {
            // The compiler specializes generic code for another module only where it is public.
            let mayBePublic = source.target == "HTMLTemplates"
            for (number, line) in source.lines.enumerated() {
                let place: Comment = "\(source.target)/\(source.path):\(number + 1)"
                #expect(mayBePublic || line.firstMatch(of: isPublic) == nil, place)
                #expect(!line.contains("@" + "testable"), place)
            }
        }
        for (path, lines) in try Self.swiftFiles(under: Self.root.appending(path: "Tests")) {
            let isClean = !lines.contains { $0.contains("@" + "testable import") }
            #expect(isClean, "\(path)")
        }
    }

    @Test func `what the compiler cannot check is proved in a comment beside it`() throws {
        let unproved = ["try" + "!", "@unchecked " + "Sendable", "nonisolated" + "(unsafe)"]
        for source in try Self.sources() {
            for (number, line) in source.lines.enumerated() {
                let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
                guard unproved.contains(where: code.contains) else { continue }
                let above = number > 0 ? source.lines[number - 1] : ""
                let isProved = line.contains("//") || above.contains("//")
                #expect(isProved, "\(source.target)/\(source.path):\(number + 1)")
            }
        }
    }
}
