import Foundation
import Testing

@testable import HTTPClient
@testable import RoostSimulator
@testable import roost

/// The static files that the service worker stores, and the bookmarklet.
@Suite struct OfflineFilesTests {
    private struct Offline: Decodable {
        let owner: String
        let assets: [String]
    }

    /// Scripts that only other pages load, or that need Roost's answer to be of any use.
    private static let others: Set = [
        "js/tints.js", "js/detail-pane.js", "js/reading-save.js", "js/pull-down.js", "js/search.js",
    ]

    @Test func `the service worker stores every file that a stored page may load`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/reading/offline")
            let offline = try JSONDecoder().decode(Offline.self, from: Data(answer.text.utf8))
            // "/static/VERSION/js/site.js"
            let stored = Set(
                offline.assets.map { $0.split(separator: "/").dropFirst(2).joined(separator: "/") })
            // Pages name the scripts of their keys in their markup.
            let entries = [
                "site", "reading", "reading-article", "reading-gist", "keyboard", "reading-keys",
                "article-keys",
            ]
            let needed = try Self.scripts(from: entries)
                .union(Self.icons(in: ["roost", "reading", "reader"]))
            #expect(needed.count > 25)
            #expect(needed.subtracting(Self.others).subtracting(stored).sorted() == [])
            #expect(!offline.owner.isEmpty)
        }
    }

    /// Returns these scripts and all scripts that they import, statically or dynamically.
    private static func scripts(from entries: [String]) throws -> Set<String> {
        let files = try SiteFiles.texts(in: "Public/js", ending: ".js")
        var found = Set(entries)
        var open = entries
        while let name = open.popLast() {
            let text = try #require(files.first { $0.path == "\(name).js" }, "\(name)").text
            for match in text.matches(of: /"\.\/([\w-]+)\.js"/) where found.insert(String(match.1)).inserted {
                open.append(String(match.1))
            }
        }
        return Set(found.map { "js/\($0).js" })
    }

    private static func icons(in sheets: [String]) throws -> Set<String> {
        let texts = try SiteFiles.texts(in: "Public/css", ending: ".css").filter { file in
            sheets.contains { file.path == "\($0).css" }
        }
        #expect(texts.count == sheets.count)
        return Set(
            texts.flatMap { file in
                file.text.matches(of: /url\("\.\.\/(icons\/[\w-]+\.svg)"\)/).map { String($0.1) }
            })
    }

    @Test func `the bookmarklet is one line with this Roost's address in it`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/reading/tools").text
            let start = try #require(page.firstRange(of: "href=\"javascript:")).upperBound
            let code = String(page[start...].prefix { $0 != "\"" })
            #expect(code.count > 300 && code.count < 2_500)
            #expect(!code.contains("\n") && !code.contains("//  ") && !code.contains("ROOST"))
            #expect(code.contains("http://\(testServer.server.address)"))
            // A "#" would begin a fragment, and a "%" would be decoded.
            #expect(!code.replacing(/&#?\w+;/, with: "").contains { "#%".contains($0) })
        }
    }

    @Test func `an offline page contains no secret address`() async throws {
        try await TestServer.with { testServer in
            for path in ["/reading", "/gists"] {
                let page = try await testServer.send(
                    "GET", path, headers: [("X-Roost-Offline", "1"), ("Accept", "text/html")])
                #expect(page.status == 200)
                #expect(!page.text.contains("/shared-gists/") && !page.text.contains(".atom"), "\(path)")
            }
        }
    }
}
