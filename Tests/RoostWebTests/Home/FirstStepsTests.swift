import Foundation
import Testing

@testable import Reading
@testable import RoostSimulator
@testable import RoostSupport

@Suite struct FirstStepsTests {
    /// The steps on this guest's home page and whether they are done. Empty if the steps are not shown.
    private func steps(_ testServer: TestServer, as guest: Guest? = nil) async throws -> [String: Bool] {
        let home = try await testServer.send("GET", "/", as: guest).text
        #expect(home.contains("class=\"panel steps\"") == home.contains("<h2>First steps</h2>"))
        let parts = home.components(separatedBy: "<ol role=\"list\">")
        guard parts.count == 2 else { return [:] }
        let rows = parts[1].components(separatedBy: "</ol>")[0].matches(
            of: /<li data-key="[^"]*"( class="done")?><span><a class="name" href="[^"]*">([^<]*)</)
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0.output.2), $0.output.1 != nil) })
    }

    private static func open(_ names: String...) -> [String: Bool] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, false) })
    }

    @Test func `a new owner has four steps, and unused tiles are marked`() async throws {
        try await TestServer.with { testServer in
            #expect(
                try await steps(testServer)
                    == Self.open("Connect GitHub", "Add coins", "Save a page", "Invite someone"))
            let home = try await testServer.send("GET", "/").text
            #expect(home.components(separatedBy: "class=\"empty unused\"").count == 7)
            #expect(!home.contains("class=\"empty\""))
        }
    }

    @Test func `a member has no step for inviting people`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            #expect(
                try await steps(testServer, as: grace)
                    == Self.open("Connect GitHub", "Add coins", "Save a page"))
            #expect(try await steps(testServer)["Invite someone"] == true)
        }
    }

    @Test func `an open join link counts as an invitation, a revoked one does not`() async throws {
        try await TestServer.with { testServer in
            let (invitations, origin) = (
                testServer.services.identity.invitations, ClientInfo(address: "127.0.0.1")
            )
            let link = try await invitations.invite(
                note: "", days: 7, uses: 1, by: testServer.owner, from: origin)
            #expect(try await steps(testServer)["Invite someone"] == true)
            try await invitations.revoke(link.id, by: testServer.owner, from: origin)
            #expect(try await steps(testServer)["Invite someone"] == false)
        }
    }

    @Test func `finished steps are ticked, and the steps disappear after the last one`() async throws {
        try await TestServer.with { testServer in
            let (services, user) = (testServer.services, testServer.owner.userId)
            try await services.market.watchlist.add("bitcoin", to: user)
            #expect(try await steps(testServer)["Add coins"] == true)
            _ = try await services.reading.articles.save(ArticleDraft(url: "https://one.example/a"), by: user)
            #expect(try await steps(testServer)["Save a page"] == true)
            #expect(try await steps(testServer)["Connect GitHub"] == false)
            _ = try await services.gitHub.accounts.connect(
                token: GitHubTokens.classic(of: "ada"), host: nil, for: user)
            // Inviting someone is optional.
            #expect(try await steps(testServer).isEmpty)
            let part = try await testServer.send("GET", "/first-steps")
            #expect(part.status == 200)
            #expect(!part.text.contains("<li"))
        }
    }

    @Test func `hidden steps stay hidden in this browser`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/first-steps/hide")
            #expect(answer.headers["Location"] == "/")
            let cookie = try #require(answer.headers["Set-Cookie"]?.split(separator: ";").first)
            for path in ["/", "/first-steps"] {
                let hidden = try await testServer.send("GET", path, headers: [("Cookie", String(cookie))])
                #expect(!hidden.text.contains("First steps"), "\(path)")
            }
            #expect(try await steps(testServer).count == 4)
        }
    }

    @Test func `tiles that need the user's attention come first`() async throws {
        try await TestServer.with { testServer in
            let home = try await testServer.send("GET", "/").text
            let tiles = home.matches(of: /class="panel tile"[^>]*aria-label="([^"]*)"/).map {
                String($0.output.1)
            }
            #expect(
                tiles == [
                    "Your turn", "Unread conversations", "Next to read", "Watchlist", "Bookmarks that moved",
                    "Displays in trouble",
                ])
        }
    }
}
