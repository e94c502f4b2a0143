import Foundation
import Testing

@testable import Accounts
@testable import HTTPClient
@testable import RoostWeb
@testable import roost

@Suite struct VisitorTests {
    @Test func `another web site cannot make the browser send anything`() async throws {
        try await TestServer.with { testServer in
            let marks = [
                [("Origin", "https://evil.example")], [("Sec-Fetch-Site", "cross-site")],
                [("Sec-Fetch-Site", "same-site")], [("Origin", "null")],
                [("Origin", "http://127.0.0.1:1")],
            ]
            for headers in marks {
                let answer = try await testServer.post("/watchlist", form: "coinId=bitcoin", headers: headers)
                #expect(answer.status == 403, "\(headers)")
            }
            let answer4 = try await testServer.send("GET", "/api/v1/watchlist")
            #expect(answer4.items.isEmpty)
            let own = [("Origin", "http://\(testServer.server.address)"), ("Sec-Fetch-Site", "same-origin")]
            let answer5 = try await testServer.post("/watchlist", form: "coinId=bitcoin", headers: own)
            #expect(answer5.status == 303)
        }
    }

    @Test func `another web site can neither read nor time Roost, but may link to it`() async throws {
        try await TestServer.with { testServer in
            let marks = [
                [
                    ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"),
                    ("Sec-Fetch-Dest", "image"),
                ],
                [("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Dest", "empty")],
                [
                    ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"),
                    ("Sec-Fetch-Dest", "iframe"),
                ],
                [("Sec-Fetch-Site", "cross-site")],
            ]
            for path in ["/changes?topics=prices&wait=0", "/watchlist", "/api/v1/prices?ids=bitcoin"] {
                for headers in marks {
                    let answer = try await testServer.send("GET", path, headers: headers)
                    #expect(answer.status == 403, "\(path) \(headers)")
                }
            }
            let link = [
                ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"),
                ("Sec-Fetch-Dest", "document"),
            ]
            let followed = try await testServer.send("GET", "/watchlist", headers: link)
            #expect(followed.status == 200)
            for site in ["same-origin", "none"] {
                let own = try await testServer.send("GET", "/watchlist", headers: [("Sec-Fetch-Site", site)])
                #expect(own.status == 200)
            }
        }
    }

    @Test(arguments: ["evil.example", "roost.evil.example:8080", "127.0.0.1.evil.example", "0x7f.1"])
    func `a request for an unknown domain is not answered`(host: String) async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/watchlist", headers: [("Host", host)])
            #expect(answer.status == 421)
            #expect(!answer.text.contains("data-key"))
        }
    }

    @Test func `a token can read, and writes only with the write scope`() async throws {
        try await TestServer.with { testServer in
            let reader = try await testServer.services.token(for: testServer.owner.username, scope: .read)
            let writer = try await testServer.services.token(for: testServer.owner.username, scope: .write)
            let body = #"{"coinId": "bitcoin"}"#
            let read = [("Authorization", "Bearer \(reader)")]
            let write = [("Authorization", "bearer \(writer)")]
            let answer6 = try await testServer.send("GET", "/api/v1/watchlist", headers: read)
            #expect(answer6.status == 200)
            let answer7 = try await testServer.json("POST", "/api/v1/watchlist", body, headers: read)
            #expect(answer7.status == 403)
            let answer8 = try await testServer.json("POST", "/api/v1/watchlist", body, headers: write)
            #expect(answer8.status == 201)
            let id = try #require(try await testServer.services.identity.tokens.tokens().last?.id)
            try await testServer.services.identity.tokens.revoke(id, of: nil)
            let answer9 = try await testServer.send("GET", "/api/v1/watchlist", headers: write)
            #expect(answer9.status == 401)
        }
    }

    @Test func `every answer carries the security headers`() async throws {
        try await TestServer.with { testServer in
            for path in ["/", "/watchlist", "/nowhere", "/api/v1/watchlist", "/healthz", "/display/nonsense"]
            {
                let answer = try await testServer.send("GET", path)
                let policy = answer.headers["Content-Security-Policy"] ?? ""
                #expect(policy.contains("default-src 'none'"), "\(path)")
                #expect(!policy.contains("unsafe"))
                #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
                #expect(answer.headers["X-Frame-Options"] == "DENY")
                #expect(answer.headers["Referrer-Policy"] == "no-referrer")
            }
        }
    }
}
