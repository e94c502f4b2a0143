import Foundation
import Testing

@testable import Accounts
@testable import HTTPClient
@testable import RoostWeb

@Suite struct VisitorTests {
    @Test(arguments: [
        "/", "/watchlist", "/watchlist/rows", "/watchlist/tile",
        "/watchlist/coins", "/displays", "/displays/tile", "/metrics",
        "/api/v1/watchlist", "/api/v1/coins?q=b", "/api/v1/prices?ids=bitcoin", "/changes?topics=prices",
    ])
    func `nobody reads what is for users`(path: String) async throws {
        try await TestServer.with { testServer in
            let answer1 = try await testServer.send("GET", path, as: .nobody)
            #expect(answer1.status == 401)
            let token = ("Authorization", "Bearer roost_nonsense")
            let answer2 = try await testServer.send("GET", path, headers: [token])
            #expect(answer2.status == 401)
        }
    }

    @Test func `nobody changes anything`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            for path in ["/watchlist", "/watchlist/sort", "/watchlist/bitcoin/remove", "/displays", "/theme"]
            {
                let answer = try await testServer.post(path, form: "coinId=ethereum", as: .nobody)
                #expect(answer.status == 401, "\(path)")
            }
            let removed = try await testServer.send(
                "DELETE", "/api/v1/watchlist/bitcoin", as: .nobody)
            #expect(removed.status == 401)
            let answer3 = try await testServer.send("GET", "/api/v1/watchlist")
            #expect(answer3.items.count == 1)
        }
    }

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

    @Test func `another web site neither reads nor times what is here, but may link to it`() async throws {
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
    func `a name in somebody else's DNS is not answered`(host: String) async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/watchlist", headers: [("Host", host)])
            #expect(answer.status == 421)
            #expect(!answer.text.contains("data-key"))
        }
    }

    @Test(arguments: [
        ("localhost:8080", true, true), ("127.0.0.1", true, true), ("[::1]:8080", true, true),
        ("192.168.1.20:8080", false, true), ("roost.local", false, true), ("[fe80::1]", false, true),
        ("evil.example", false, false), ("", false, false), ("127.0.0.1.evil.example", false, false),
        ("localhost.", true, true), ("notlocalhost", false, false),
        ("[::1]evil.example", false, false), ("[::1]:80evil", false, false),
        ("127.0.0.1:8080x", false, false),
        ("localhost:999999", false, false),
    ])
    func `hosts are judged by their name`(header: String, isLoopback: Bool, isOurs: Bool) {
        #expect(Host(header).isLoopback == isLoopback)
        #expect(Host(header).isOurs == isOurs)
    }

    @Test func `a token reads, and writes only with that scope`() async throws {
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
            let id = try #require(try await testServer.services.tokens.tokens().last?.id)
            try await testServer.services.tokens.revoke(id, of: nil)
            let answer9 = try await testServer.send("GET", "/api/v1/watchlist", headers: write)
            #expect(answer9.status == 401)
        }
    }

    @Test func `users do not see each other's lists`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            _ = try await testServer.services.accounts.add(
                Profile(username: "Grace"), role: .member, password: nil)
            let token = try await testServer.services.token(for: "Grace", scope: .write)
            let headers = [("Authorization", "Bearer \(token)")]
            let answer10 = try await testServer.send("GET", "/api/v1/watchlist", headers: headers)
            #expect(answer10.items.isEmpty)
            let removed = try await testServer.send("DELETE", "/api/v1/watchlist/bitcoin", headers: headers)
            #expect(removed.status == 404)
            let foreign = "/changes?topics=watchlist/\(testServer.owner.userId)"
            let answer11 = try await testServer.send("GET", foreign, headers: headers)
            #expect(answer11.status == 403)
        }
    }

    @Test func `a stranger's picture is refused before its bytes are taken`() async throws {
        try await TestServer.with { testServer in
            let head =
                "POST /settings/avatar HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1199999"
            // Nothing of the body is ever sent: an answer can only come from before it.
            let answer = try await PlainSocket.ask(testServer.server.address, head)
            #expect(answer.hasPrefix("HTTP/1.1 401"))
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

    @Test func `no page holds inline script or style`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            for path in ["/", "/watchlist", "/watchlist?q=eth", "/displays", "/nowhere"] {
                let text = try await testServer.send("GET", path).text
                #expect(!text.contains("<style"), "\(path)")
                #expect(!text.contains(" style="), "\(path)")
                #expect(!text.contains(" onclick="), "\(path)")
                #expect(
                    text.components(separatedBy: "<script").count - 1 == text.components(
                        separatedBy: "></script>"
                    ).count - 1)
            }
        }
    }
}
