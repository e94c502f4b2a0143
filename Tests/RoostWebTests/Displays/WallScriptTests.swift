import Foundation
import Testing

@testable import HTTPClient

/// Screens may have old browsers: their script is one classic file, and a page without it reloads itself.
@Suite struct WallScriptTests {
    private static func check(_ page: String, script name: String, in testServer: TestServer) async throws {
        let tags = page.matches(of: /<script\b[^>]*>/).map { String($0.0) }
        try #require(tags.count == 1)
        let tag = try #require(tags[0].wholeMatch(of: /<script src="(\/static\/[^"]*\/js\/([\w-]+)\.js)">/))
        #expect(tag.2 == name)
        #expect(!page.contains("modulepreload"))
        // The script opens a comment that hides the refresh, so it must come first, without a comment's end in between.
        let end = /<script [^>]*><\/script>\s*<meta http-equiv="refresh" [^>]*>\s*<!-- -->/
        #expect(page.firstMatch(of: end) != nil)
        let script = try await testServer.send("GET", String(tag.1), as: .anonymous)
        #expect(script.status == 200 && script.headers["Content-Type"]?.contains("javascript") == true)
        #expect(script.text.hasPrefix("(() => {") && script.text.contains("\"use strict\""))
        #expect(script.text.contains("class LongPoll") && script.text.contains("document.write(\"<!--\")"))
        for line in script.text.split(separator: "\n") {
            #expect(line.firstMatch(of: /\b(import|export) [\w{*]/) == nil, "\(line)")
        }
    }

    @Test func `a wall and a paired screen load one classic script each`() async throws {
        try await TestServer.with { testServer in
            let wall = try await testServer.services.market.displays.add("Wall", for: testServer.owner.userId)
            let page = try await testServer.send("GET", "/display/\(wall.token)", as: .anonymous).text
            try await Self.check(page, script: "display", in: testServer)
            let pairing = try await testServer.send("GET", "/display", as: .anonymous).text
            try await Self.check(pairing, script: "display-pair", in: testServer)
        }
    }

    @Test(arguments: [(5, 5), (60, 60), (3_600, 60)])
    func `a wall says that it is not live until its script runs, and when it reloads`(
        secondsPerPage: Int, secondsUntilReload: Int
    ) async throws {
        try await TestServer.with { testServer in
            for coin in ["bitcoin", "ethereum"] { try await testServer.watch(coin) }
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            let path = "/displays/\(created.display.id)"
            let form = "name=Wall&perPage=1&secondsPerPage=\(secondsPerPage)"
            #expect(try await testServer.post(path, form: form).status == 303)
            let address = "/display/\(created.token)"
            for (query, next) in [("", 2), ("?page=2", 1)] {
                let page = try await testServer.send("GET", address + query, as: .anonymous).text
                let refresh = "content=\"\(secondsUntilReload); url=\(address)?page=\(next)\""
                #expect(page.contains("<meta http-equiv=\"refresh\" " + refresh))
                #expect(page.firstMatch(of: /<html [^>]*class="wall still/) != nil)
                #expect(page.contains("This screen reloads every \(secondsUntilReload) seconds."))
            }
            let preview = try await testServer.send("GET", path + "/preview").text
            #expect(preview.contains("id=\"screen\""))
            #expect(
                !preview.contains("refresh") && !preview.contains("still") && !preview.contains("reloads"))
        }
    }
}
