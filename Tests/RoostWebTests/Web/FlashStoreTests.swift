import Testing

@testable import HTTPClient
@testable import roost

/// An action's notice is shown on the next page.
@Suite struct FlashStoreTests {
    private static func remove(_ coin: String, _ testServer: TestServer) async throws -> String {
        try await testServer.watch(coin)
        let removed = try await testServer.post("/watchlist/\(coin)/remove")
        return try #require(removed.headers["Location"])
    }

    private static func showsNotice(_ page: ClientResponse) -> Bool { page.text.contains("class=\"notice") }

    @Test func `a notice is shown once, with its undo`() async throws {
        try await TestServer.with { testServer in
            let address = try await Self.remove("dogecoin", testServer)
            let first = try await testServer.send("GET", address)
            #expect(first.text.contains("was removed from your watchlist.</p>"))
            #expect(first.text.contains("action=\"/watchlist/dogecoin/undo\""))
            let again = try await testServer.send("GET", address)
            #expect(again.status == 200 && !Self.showsNotice(again))
        }
    }

    @Test func `a notice is shown only to the user who acted`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let address = try await Self.remove("dogecoin", testServer)
            let gracePage = try await testServer.send("GET", address, as: grace)
            #expect(gracePage.status == 200 && !Self.showsNotice(gracePage))
            #expect(
                try await Self.showsNotice(testServer.send("GET", address)),
                "another user's request does not use it up")
        }
    }

    @Test func `a HEAD request leaves the notice for the page`() async throws {
        try await TestServer.with { testServer in
            let address = try await Self.remove("dogecoin", testServer)
            let head = try await testServer.send("HEAD", address)
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(try await Self.showsNotice(testServer.send("GET", address)))
        }
    }

    @Test func `unread notices make room for newer ones`() async throws {
        try await TestServer.with { testServer in
            var addresses: [String] = []
            for _ in 0...10 { addresses.append(try await Self.remove("dogecoin", testServer)) }
            #expect(Set(addresses).count == 11)
            #expect(try await !Self.showsNotice(testServer.send("GET", addresses[0])))
            for address in addresses[1...] {
                #expect(try await Self.showsNotice(testServer.send("GET", address)), "\(address)")
            }
        }
    }

    @Test(arguments: [
        "/watchlist?removed=dogecoin", "/watchlist?wait=1", "/settings?saved=1", "/members?done=role",
        "/pulls?did=restored&key=github.com/a/b/1", "/settings/github?disconnected=1",
        "/repositories?since=0&wait=1",
        "/bookmarks?flash=You+have+won", "/bookmarks?flash=", "/bookmarks?flash",
    ])
    func `a forged link shows no notice`(address: String) async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", address)
            #expect(page.status == 200 && !Self.showsNotice(page) && !page.text.contains("You have won"))
        }
    }
}
