import Foundation
import Testing

@testable import Accounts
@testable import HTTPClient
@testable import Reading
@testable import roost

@Suite struct WebContextTests {
    @Test func `an unknown address is reported as a page and as JSON`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/nowhere")
            #expect(page.status == 404)
            #expect(page.text.contains("There is no page at this address."))
            let json = try await testServer.send("GET", "/api/v1/nowhere")
            #expect(json.status == 404)
            #expect(json.error("code") == "notFound")
        }
    }

    @Test func `error pages keep the navigation's counts`() async throws {
        try await TestServer.with { testServer in
            let count = #"data-live="/reading/count" data-topics="reading">1</span>"#
            _ = try await testServer.services.reading.articles.save(
                ArticleDraft(url: "https://one.example/a"), by: testServer.owner.userId)
            for path in ["/nowhere", "/reading/999", "/chat/none"] {
                let page = try await testServer.send("GET", path)
                #expect(page.status == 404, "\(path)")
                #expect(page.text.contains(count), "\(path)")
            }
            let refused = try await testServer.post("/watchlist/none/remove")
            #expect(refused.status == 404)
            #expect(refused.text.contains(count))
            let guest = try await testServer.send("GET", "/nowhere", as: .anonymous)
            #expect(guest.status == 404)
            #expect(!guest.text.contains("<nav"))
        }
    }

    @Test func `a wrong method answers with the allowed ones`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("DELETE", "/watchlist")
            #expect(answer.status == 405)
            let allow = answer.headers["Allow"] ?? ""
            #expect(allow.contains("GET") && allow.contains("POST"))
        }
    }

    @Test func `static files are immutable and addressed by their content`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/watchlist").text
            let start = try #require(page.range(of: "/static/"))
            let end = try #require(page[start.lowerBound...].firstIndex(of: "\""))
            let file = try await testServer.send("GET", String(page[start.lowerBound..<end]))
            #expect(file.status == 200)
            #expect(file.headers["Cache-Control"]?.contains("immutable") == true)
        }
    }

    @Test func `the theme is stored in a cookie, and the form returns to Roost's own pages only`()
        async throws
    {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/theme", form: "theme=dark&back=/watchlist")
            #expect(answer.headers["Location"] == "/watchlist")
            let cookie = try #require(answer.headers["Set-Cookie"]?.split(separator: ";").first)
            #expect(cookie == "roost_theme=dark")
            let light = try await testServer.send("GET", "/watchlist").text
            let dark = try await testServer.send("GET", "/watchlist", headers: [("Cookie", String(cookie))])
                .text
            #expect(light != dark)
            for foreign in ["//evil.example", "https://evil.example", "/%5Cevil.example"] {
                let led = try await testServer.post("/theme", form: "theme=dark&back=\(foreign)")
                #expect(led.headers["Location"] == "/", "\(foreign)")
            }
            let answer1 = try await testServer.post("/theme", form: "theme=pink")
            #expect(answer1.status == 422)
        }
    }

    @Test func `health tells visitors only that Roost is running`() async throws {
        try await TestServer.with { testServer in
            let guest = try await testServer.send("GET", "/healthz", as: .anonymous)
            #expect(guest.status == 200)
            #expect(guest.text == #"{"status":"ok"}"#)
            let owner = try await testServer.send("GET", "/healthz")
            let sources = owner.object["sources"] as? [String: Any]
            #expect(sources?["coingecko"] != nil)
            let metrics = try await testServer.send("GET", "/metrics").text
            #expect(metrics.contains(#"roost_requests_total{method="GET",route="/healthz",status="200"}"#))
        }
    }

    @Test func `the access log contains no secret and no query`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId)
            _ = try await testServer.send("GET", "/display/\(created.token)")
            _ = try await testServer.send("GET", "/watchlist?q=private-wish")
            let codes = ["K7QM-2XRD-9FTB-W3HC", "A7QM-2XRD-9FTB-W3HC"]
            for path in [
                "/join/\(codes[0])", "/join/%CC%81\(codes[0])", "/JOIN/\(codes[0])", "/reset/\(codes[1])",
                "/setup?code=\(codes[1])",
            ] {
                _ = try await testServer.send("GET", path, as: .anonymous)
            }
            try await eventually("all requests are logged") { testServer.accessLines.all.count >= 7 }
            let log = testServer.accessLines.all.joined(separator: "\n")
            #expect(log.contains("\"GET /display/{token}\" 200"))
            #expect(log.contains("\"GET /watchlist\" 200"))
            #expect(!log.contains(created.token))
            #expect(log.contains("\"GET /join/{code}\" 404") && log.contains("\"GET /reset/{code}\" 404"))
            #expect(!log.contains("private-wish") && !codes.contains { log.contains($0) })
        }
    }

    @Test func `the access log contains no secret even if the path is percent-encoded`() async throws {
        try await TestServer.with { testServer in
            let token = try await testServer.services.market.displays.add(
                "Wall", for: testServer.owner.userId
            ).token
            for line in [
                "GET /%64isplay/\(token) HTTP/1.1", "POST /%64isplay/\(token) HTTP/1.1",
                "GET http://a/displa%79/\(token)/screen HTTP/1.1", "GET /\u{1b}[2J\u{9b}1m\" HTTP/1.1",
            ] { _ = try await PlainSocket.ask(testServer.server.address, line) }
            try await eventually("all requests are logged") { testServer.accessLines.all.count >= 4 }
            let log = testServer.accessLines.all.joined(separator: "\n")
            #expect(!log.contains(token))
            #expect(log.contains("\"GET /_[2J_1m_\" 404"))
        }
    }

    @Test func `ETags differ between users even without changes`() async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.services.identity.accounts.add(
                Profile(username: "Grace"), role: .member, password: nil)
            let token = try await testServer.services.token(for: "Grace", scope: .read)
            for path in ["/displays/tile", "/watchlist/tile", "/watchlist/rows"] {
                let own = try await testServer.send("GET", path)
                let tag = ("If-None-Match", try #require(own.headers["ETag"]))
                let other = try await testServer.send(
                    "GET", path, headers: [tag, ("Authorization", "Bearer \(token)")])
                #expect(other.status == 200, "\(path)")
            }
        }
    }
}
