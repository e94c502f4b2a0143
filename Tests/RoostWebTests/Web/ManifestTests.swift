import Foundation
import Testing

@testable import roost

/// `/manifest.webmanifest`, which makes Roost installable.
@Suite struct ManifestTests {
    @Test func `the app begins at the home page and opens every page`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/manifest.webmanifest", as: .anonymous)
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"] == "application/manifest+json")
            #expect(answer.headers["Cache-Control"] == "no-cache")
            for name in ["id", "start_url", "scope"] { #expect(answer.object[name] as? String == "/") }
        }
    }

    @Test func `the app receives what other apps share as a page to save`() async throws {
        try await TestServer.with { testServer in
            let manifest = try await testServer.send("GET", "/manifest.webmanifest", as: .anonymous).object
            let target = try #require(manifest["share_target"] as? [String: Any])
            #expect(target["action"] as? String == "/reading/share")
            #expect(target["method"] as? String == "GET")
            #expect(
                target["params"] as? [String: String] == ["title": "title", "text": "text", "url": "url"])
        }
    }

    @Test func `every icon has the size and type that the manifest states`() async throws {
        try await TestServer.with { testServer in
            let manifest = try await testServer.send("GET", "/manifest.webmanifest", as: .anonymous).object
            let shortcuts = try #require(manifest["shortcuts"] as? [[String: Any]])
            let own = try #require(manifest["icons"] as? [[String: String]])
            let icons = own + shortcuts.flatMap { $0["icons"] as? [[String: String]] ?? [] }
            for icon in icons {
                let path = try #require(icon["src"])
                let file = try await testServer.send("GET", path, as: .anonymous)
                #expect(file.status == 200, "\(path)")
                #expect(file.headers["Content-Type"] == icon["type"], "\(path)")
                guard icon["type"] == "image/png" else { continue }
                // The width and height of a PNG are big-endian numbers at bytes 16 and 20.
                let size = file.body[16..<24].map(Int.init)
                let side = size[2] * 256 + size[3]
                #expect(icon["sizes"] == "\(side)x\(side)" && side == size[6] * 256 + size[7], "\(path)")
            }
            let maskable = own.filter { $0["purpose"] == "maskable" }.compactMap { $0["sizes"] }
            #expect(maskable == ["192x192", "512x512"])
        }
    }

    @Test func `shortcuts lead to the pages where something may wait`() async throws {
        try await TestServer.with { testServer in
            let manifest = try await testServer.send("GET", "/manifest.webmanifest", as: .anonymous).object
            let shortcuts = try #require(manifest["shortcuts"] as? [[String: Any]])
            #expect(
                shortcuts.map { $0["url"] as? String } == ["/pulls", "/watchlist", "/reading", "/chat"])
            for shortcut in shortcuts {
                #expect((shortcut["icons"] as? [Any])?.count == 1)
                let url = try #require(shortcut["url"] as? String)
                #expect(try await testServer.send("GET", url).status == 200, "\(url)")
            }
        }
    }
}
