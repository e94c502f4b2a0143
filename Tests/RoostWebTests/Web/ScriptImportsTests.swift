import Foundation
import Testing

@testable import HTTPClient

/// A page preloads its scripts' modules, so that the browser need not read one to find the next.
@Suite struct ScriptImportsTests {
    /// All direct and indirect imports of a script, read from the source files.
    private static func modules(of scripts: [String]) throws -> Set<String> {
        let files = try SiteFiles.texts(in: "Public/js", ending: ".js")
        var found = Set(scripts)
        var open = scripts
        while let script = open.popLast() {
            let text = try #require(files.first { $0.path == "\(script).js" }).text
            let imported = text.matches(of: /(?m)^import\s[^;]*?from\s+"\.\/([\w-]+)\.js"/).map {
                String($0.output.1)
            }
            open += imported.filter { found.insert($0).inserted }
        }
        return found.subtracting(scripts)
    }

    private static func check(_ page: String, _ path: String) throws {
        let scripts = page.matches(of: /<script type="module" src="[^"]*\/js\/([\w-]+)\.js">/).map {
            String($0.output.1)
        }
        let links = page.matches(of: /<link rel="modulepreload" href="([^"]*)\/js\/([\w-]+)\.js">/)
        let names = links.map { String($0.output.2) }
        #expect(!scripts.isEmpty, "\(path)")
        #expect(try Set(names) == modules(of: scripts), "\(path)")
        #expect(Set(names).count == names.count, "\(path)")
        #expect(links.allSatisfy { $0.output.1.hasPrefix("/static/") }, "\(path)")
    }

    @Test func `each page preloads exactly the modules that its scripts import`() async throws {
        try await TestServer.with { testServer in
            for path in [
                "/", "/watchlist", "/alerts", "/pulls", "/repositories?since=0", "/bookmarks", "/reading",
                "/gists", "/chat", "/coins/bitcoin", "/displays", "/settings", "/settings/github", "/members",
                "/no-such-page",
            ] {
                try Self.check(
                    try await testServer.send("GET", path, headers: [("Accept", "text/html")]).text, path)
            }
            try Self.check(try await testServer.send("GET", "/login", as: .anonymous).text, "/login")
            let wall = try await testServer.services.market.displays.add("Wall", for: testServer.owner.userId)
            try Self.check(try await testServer.send("GET", "/displays/\(wall.display.id)").text, "a display")
        }
    }
}
