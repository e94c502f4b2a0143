import Foundation
import Testing

@testable import GitHubWeb
@testable import HTTPClient
@testable import RoostSimulator

/// The answer that a page's script gets for a click on a row.
@Suite struct ChangedPartsTests {
    private static let header = ("X-Roost-Parts", "1")
    private static let limit = 8_192

    /// Posts an action and returns the changed parts, without a page around them.
    private static func act(_ path: String, _ form: String = "", _ testServer: TestServer) async throws
        -> String
    {
        let answer = try await testServer.post(path, form: form, headers: [header])
        #expect(answer.status == 200)
        #expect(answer.headers["X-Roost-Parts"] == "1")
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.body.count < limit)
        #expect(!answer.text.contains("<html"))
        #expect(answer.text.contains("id=\"notice\""))
        return answer.text
    }

    private static func keys(_ parts: String) -> [String] {
        parts.matches(of: /data-key="([^"]+)"/).map { String($0.output.1) }
    }

    @Test func `adding or removing a bookmark in the explorer returns its row, the notice and the count`()
        async throws
    {
        try await BookmarkStock.with { testServer in
            let page = try await testServer.services.gitHub.repositories.page(
                since: 0, for: testServer.owner.userId)
            let item = try #require(page.items.first)
            let back = "back=/repositories"
            let added = try await Self.act("/bookmarks", "fullName=\(item.fullName)&\(back)", testServer)
            #expect(Self.keys(added) == [item.key])
            #expect(added.contains("aria-pressed=\"true\""))
            #expect(added.contains("\(item.fullName) is bookmarked."))
            #expect(added.contains(">Bookmarks <span class=\"total\">4</span></a>"))
            let removed = try await Self.act("/bookmarks/\(item.fullName)/remove", back, testServer)
            #expect(Self.keys(removed) == [item.key])
            #expect(removed.contains("aria-pressed=\"false\""))
            #expect(removed.contains(">Bookmarks <span class=\"total\">3</span></a>"))
        }
    }

    @Test func `saving tags returns the bookmark's row as the list has it`() async throws {
        try await BookmarkStock.with { testServer in
            let id = try #require(try await BookmarkStock.ids(testServer, "ada/engine").first)
            let form = "tags=later&note=One&back=/bookmarks"
            let edited = try await Self.act("/bookmarks/ada/engine/edit", form, testServer)
            #expect(Self.keys(edited) == ["b\(id)"])
            #expect(edited.contains("later"))
            // GitHub's details may arrive between the two requests.
            try await eventually("the list has the same row as the answer") {
                let edited = try await Self.act("/bookmarks/ada/engine/edit", form, testServer)
                let row = try #require(edited.firstMatch(of: /<li class="repo.*<\/li>/.dotMatchesNewlines()))
                return try await testServer.send("GET", "/bookmarks/rows").text.contains(row.output)
            }
        }
    }

    @Test func `a bookmark that leaves the list is returned as a removed row`() async throws {
        try await BookmarkStock.with { testServer in
            let id = try #require(try await BookmarkStock.ids(testServer, "ada/engine").first)
            let form = "tags=done&back=/bookmarks?text=nothing-like-it"
            let filtered = try await Self.act("/bookmarks/ada/engine/edit", form, testServer)
            #expect(filtered.contains("data-key=\"b\(id)\" data-gone"))
            let removed = try await Self.act("/bookmarks/ada/engine/remove", "back=/bookmarks", testServer)
            #expect(removed.contains("data-key=\"b\(id)\" data-gone"))
            #expect(Self.keys(removed).count == 1)
            let undone = try await Self.act(BookmarkStock.undo(in: removed), "", testServer)
            #expect(Self.keys(undone).isEmpty, "only the list knows the row's position")
        }
    }

    @Test func `the first and the last bookmark lead to the whole page, whose layout changes`()
        async throws
    {
        try await BookmarkStock.with(["ada/engine"]) { testServer in
            let answer = try await testServer.post(
                "/bookmarks/ada/engine/remove", form: "back=/bookmarks", headers: [Self.header])
            #expect(answer.status == 303)
        }
    }

    @Test func `hiding a pull request returns its key, and restoring it returns only the notice`()
        async throws
    {
        try await TestServer.with { testServer in
            let token = GitHubTokens.classic(of: "ada")
            _ = try await testServer.services.gitHub.accounts.connect(
                token: token, host: nil, for: testServer.owner.userId)
            let pulls = testServer.services.gitHub.pulls
            try await eventually("the inbox is loaded") {
                pulls.watch(testServer.owner.userId)
                return try await pulls.waiting(for: testServer.owner.userId) > 0
            }
            let items = try await pulls.inbox(of: testServer.owner.userId).sections.flatMap(\.items)
            let key = try #require(items.first?.key)
            for (act, form) in [("snooze", "until=change"), ("mute", ""), ("done", "")] {
                let away = try await Self.act("/pulls/\(key.path)/\(act)", form, testServer)
                #expect(Self.keys(away) == [key.description])
                #expect(away.contains(" data-gone"))
                #expect(away.contains("/pulls/\(key.path)/restore"))
                let back = try await Self.act("/pulls/\(key.path)/restore", "", testServer)
                #expect(Self.keys(back).isEmpty)
                #expect(back.contains(" is back in your inbox."))
            }
        }
    }

    @Test func `removing a coin returns its key, and a change of order fetches the list`()
        async throws
    {
        try await TestServer.with { testServer in
            try await testServer.watch("dogecoin", "bitcoin")
            let removed = try await Self.act("/watchlist/dogecoin/remove", "", testServer)
            #expect(Self.keys(removed) == ["dogecoin"])
            #expect(removed.contains("Dogecoin was removed from your watchlist."))
            for (path, form) in [
                ("/watchlist/dogecoin/undo", ""), ("/watchlist/bitcoin/move", "direction=down"),
                ("/watchlist/sort", "sort=name"),
            ] {
                let parts = try await Self.act(path, form, testServer)
                #expect(Self.keys(parts).isEmpty, "\(path)")
            }
        }
    }
}
