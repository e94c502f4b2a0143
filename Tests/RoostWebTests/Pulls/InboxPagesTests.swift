import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSimulator
@testable import RoostSupport
@testable import TextFormats

/// The inbox of a user who has connected the simulated GitHub.
@Suite struct InboxPagesTests {
    /// Runs a test once Ada has connected GitHub and her inbox is loaded.
    private static func withInbox(
        clock: WallClock = WallClock(), _ test: (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.with(clock: clock) { testServer in
            let token = GitHubTokens.classic(of: "ada")
            _ = try await testServer.services.gitHub.accounts.connect(
                token: token, host: nil, for: testServer.owner.userId)
            try await eventually("the inbox is loaded") { try await !testServer.turn.isEmpty }
            try await test(testServer)
        }
    }

    @Test func `waiting pull requests are on the page, in the count, on the home page and in JSON`()
        async throws
    {
        try await Self.withInbox { testServer in
            let inbox = try await testServer.inbox
            let page = try await testServer.send("GET", "/pulls").text
            #expect(page.contains("<title>(\(inbox.waiting)) Pull requests · Roost</title>"))
            #expect(page.contains("freshness-live") && page.contains("5,000 left, resets"))
            let first = try #require(try await testServer.turn.first)
            #expect(page.contains("data-key=\"\(first.key)\""))
            let count = try await testServer.send("GET", "/pulls/count").text
            #expect(count == "\(inbox.waiting)")
            let home = try await testServer.send("GET", "/").text
            #expect(home.contains("<title>(\(inbox.waiting)) Home · Roost</title>"))
            #expect(home.contains("data-topics=\"waiting\">\(inbox.waiting)</span>"))
            #expect(home.components(separatedBy: "class=\"brief\"").count >= 2)
            let sections =
                try await testServer.send("GET", "/api/v1/pulls").object["sections"] as? [[String: Any]]
            let turn = try #require(sections?.first { $0["id"] as? String == "turn" })
            #expect((turn["items"] as? [Any])?.count == inbox.waiting)
        }
    }

    @Test func `opening the home page counts as viewing the inbox`() async throws {
        let clock = TestClock()
        try await Self.withInbox(clock: clock.wallClock) { testServer in
            // After this long without a view, the inbox is refreshed only every ten minutes.
            clock.advance(PullSchedule.demandLifetime.inSeconds + 30)
            #expect(try await testServer.send("GET", "/").status == 200)
            try await eventually("the inbox is refreshed") {
                try await testServer.inbox.sources.first?.updatedAt == clock.now
            }
        }
    }

    @Test func `each pull request is on the page once, except in custom sections`() async throws {
        try await Self.withInbox { testServer in
            let services = testServer.services
            let own = try await services.gitHub.pulls.addSection(
                name: "All of them", query: "is:open", for: testServer.owner.userId)
            try await eventually("the custom section is loaded") {
                try await testServer.inbox.sections.contains { $0.id == "own-\(own.id)" && !$0.items.isEmpty }
            }
            let page = try await testServer.send("GET", "/pulls").text
            let parts = page.components(separatedBy: "id=\"pulls-own-\(own.id)\"")
            let keys = parts[0].matches(of: /<li class=pull data-key="([^"]+)"/).map { String($0.1) }
            #expect(keys.count > 10 && Set(keys).count == keys.count)
            #expect(parts[0].contains(" more above"))
            try #require(parts.count == 2)
            #expect(parts[1].matches(of: /<li class=pull/).count > 10)
        }
    }

    @Test func `without scripts a page asks how long to snooze, and returns to the same inbox`()
        async throws
    {
        try await Self.withInbox { testServer in
            let key = try #require(try await testServer.turn.first).key.description
            let path = "/pulls/\(key)/snooze"
            let page = try await testServer.send("GET", path + "?back=/pulls?text%3Da%2526b%26flash%3Dold")
                .text
            #expect(page.contains("id=\"act\" method=\"post\" action=\"\(path)\">"))
            #expect(page.contains("name=\"back\" value=\"/pulls?text=a%26b\""))
            #expect(page.contains("<a href=\"/pulls?text=a%26b\">inbox</a>"))
            for until in ["change", "hour", "tomorrow", "week"] {
                #expect(page.contains("name=\"until\" value=\"\(until)\""))
            }
            let snoozed = try await testServer.post(path, form: "until=hour&back=/pulls?text%3Da%2526b")
            let location = try #require(snoozed.headers["Location"])
            #expect(location.hasPrefix("/pulls?text=a%26b&flash="))
            for unknown in ["/pulls/github.com/a/b/1/snooze", "/pulls/\(key)0000/snooze"] {
                #expect(try await testServer.send("GET", unknown).status == 404)
            }
        }
    }

    @Test func `a finished pull request leaves the page, and undo restores it`() async throws {
        try await Self.withInbox { testServer in
            let item = try #require(try await testServer.turn.first)
            let path = item.key.description
            let row = "<li class=pull data-key=\"\(path)\""
            let done = try await testServer.post("/pulls/\(path)/done", form: "back=/pulls?sort%3Dsize")
            let address = try #require(done.headers["Location"])
            #expect(done.status == 303 && address.hasPrefix("/pulls?sort=size&flash="))
            let page = try await testServer.send("GET", address).text
            #expect(!page.contains(row))
            #expect(page.contains(": done, returns when it’s your turn again.</p>"))
            #expect(page.contains("action=\"/pulls/\(path)/restore\""))
            let wrong = try await testServer.send("DELETE", "/api/v1/pulls/\(path)/mute")
            #expect(wrong.status == 404)
            let restored = try await testServer.post("/pulls/\(path)/restore")
            let back = try await testServer.send("GET", try #require(restored.headers["Location"])).text
            #expect(back.contains(row) && back.contains(" is back in your inbox.</p>"))
        }
    }

    @Test func `the API snoozes, mutes, marks as done, and undoes each`() async throws {
        try await Self.withInbox { testServer in
            let path = try #require(try await testServer.turn.first).key.description
            for (action, body) in [
                ("mute", ""), ("done", ""), ("snooze", "{\"until\": \"change\"}"),
                ("snooze", "{\"until\": \"\(ISO8601.milliseconds(Date() + 3_600))\"}"),
            ] {
                let put = try await testServer.json("POST", "/api/v1/pulls/\(path)/\(action)", body)
                #expect(put.status == 204, "\(action)")
                let listed =
                    try await testServer.send("GET", "/api/v1/pulls").object["hidden"] as? [[String: Any]]
                #expect(
                    listed?.map { $0["mark"] as? String } == [action]
                        && listed?.first?["key"] as? String == path)
                let back = try await testServer.send("DELETE", "/api/v1/pulls/\(path)/\(action)")
                #expect(back.status == 204, "\(action)")
                #expect(try await testServer.inbox.hidden.isEmpty, "\(action)")
            }
            let past = try await testServer.json(
                "POST", "/api/v1/pulls/\(path)/snooze", "{\"until\": \"2001-01-01T00:00:00Z\"}")
            #expect(past.status == 422 && past.error("field") == "until")
            let silent = try await testServer.send("POST", "/api/v1/pulls/\(path)/snooze")
            #expect(silent.status == 415)
            let text = try await testServer.send(
                "POST", "/api/v1/pulls/\(path)/snooze", headers: [("Content-Type", "text/plain")], body: "x")
            #expect(text.status == 415)
        }
    }

    @Test func `another member can neither see nor hide any of it`() async throws {
        try await Self.withInbox { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let item = try #require(try await testServer.turn.first)
            for path in ["/pulls", "/pulls/rows", "/pulls/tile", "/", "/api/v1/pulls"] {
                let text = try await testServer.send("GET", path, as: grace).text
                #expect(!text.contains(item.pull.repositoryFullName), "\(path)")
            }
            let done = try await testServer.post("/pulls/\(item.key)/done", as: grace)
            #expect(done.status == 404)
        }
    }

    @Test func `a filter shows only matches, and groups have headers`() async throws {
        try await Self.withInbox { testServer in
            let item = try #require(try await testServer.turn.first)
            let page = try await testServer.send(
                "GET", "/pulls?text=%23\(item.pull.number)&author=\(item.pull.authorLogin)"
            ).text
            let shown = page.matches(of: /data-key="([^"]+)"/).map { String($0.1) }
            #expect(shown.contains(item.key.description) && shown.count < 5)
            #expect(page.contains("<span class=\"total\">1 of \(try await testServer.inbox.waiting)</span>"))
            let grouped = try await testServer.send("GET", "/pulls?group=repository").text
            #expect(
                grouped.contains("<li class=\"group\" data-key=\"group \(item.pull.repositoryFullName)\""))
            let stored = try await testServer.post("/pulls/choices", form: "group=repository&bots=hidden")
            #expect(stored.status == 303)
            let after = try await testServer.send("GET", "/pulls").text
            #expect(after.contains("<li class=\"group\"") && !after.contains("data-key=\"group renovate"))
        }
    }

    @Test func `folded sections are stored, and unknown or removed ones refused`() async throws {
        try await Self.withInbox { testServer in
            let (pulls, owner) = (testServer.services.gitHub.pulls, testServer.owner.userId)
            let own = try await pulls.addSection(name: "Mine", query: "is:open", for: owner)
            for group in ["turn", "own-\(own.id)"] {
                let folded = try await testServer.post(
                    "/pulls/collapse", form: "group=\(group)&collapsed=true")
                #expect(folded.status == 204)
            }
            #expect(try await testServer.send("GET", "/pulls").text.contains("aria-label=\"Your turn\">"))
            try await pulls.removeSection(own.id, of: owner)
            for group in ["", "own", "own-\(own.id)", "group-language-swift"] {
                let refused = try await testServer.post(
                    "/pulls/collapse", form: "group=\(group)&collapsed=true")
                #expect(refused.status == 422, "\(group)")
            }
            #expect(
                try await testServer.post("/pulls/collapse", form: "group=turn&collapsed=false").status == 204
            )
            #expect(try await pulls.settings(of: owner).choices.collapsed.isEmpty)
            #expect(
                try await testServer.send("GET", "/pulls").text.contains("aria-label=\"Your turn\" open>"))
        }
    }

    @Test func `during an outage the rows stay, with the error and a retry button`() async throws {
        try await Self.withInbox { testServer in
            let row = "data-key=\"\(try #require(try await testServer.turn.first).key)\""
            await testServer.simulator.inject(.serverError(), upstream: .gitHub)
            testServer.services.gitHub.pulls.watch(testServer.owner.userId)
            _ = testServer.services.gitHub.pulls.retry(for: testServer.owner.userId)
            try await eventually("the outage is detected") {
                try await testServer.inbox.sources.first?.error != nil
            }
            let page = try await testServer.send("GET", "/pulls").text
            #expect(page.contains(row))
            #expect(page.contains("GitHub is temporarily unavailable. Please try again later."))
            #expect(page.contains("action=\"/pulls/refresh\""))
        }
    }

    @Test func `after GitHub's 401 only the link to connect again is shown`() async throws {
        try await Self.withInbox { testServer in
            let row = "data-key=\"\(try #require(try await testServer.turn.first).key)\""
            try #require(testServer.simulator.gitHub).tokens.revoke(login: "ada")
            _ = testServer.services.gitHub.pulls.retry(for: testServer.owner.userId)
            try await eventually("the expired session is detected") {
                try await testServer.inbox.sources.first?.authentication == .unauthenticated
            }
            let page = try await testServer.send("GET", "/pulls").text
            #expect(!page.contains(row))
            #expect(page.contains("Your session has expired. Please log in again."))
            #expect(page.contains("<a class=\"button\" href=\"/settings/github\">Connect GitHub</a>"))
            #expect(!page.contains("id=\"pulls-turn\"") && !page.contains("Nothing waits for you"))
            let home = try await testServer.send("GET", "/").text
            #expect(home.contains("Connect GitHub again</a>") && !home.contains("Nothing waits for you"))
            let sources =
                try await testServer.send("GET", "/api/v1/pulls").object["sources"] as? [[String: Any]]
            let error = sources?.first?["error"] as? [String: Any]
            #expect(error?["code"] as? String == "unauthorized" && error?["suggestion"] == nil)
        }
    }

    @Test func `an inbox that cannot be read is an error, not an empty inbox`() async throws {
        try await Self.withInbox { testServer in
            let file = try DatabaseFile.open(Services.databasePath(in: testServer.folder))
            try await file.write { try $0.execute(sql: "DROP TABLE pull_marks") }
            try file.close()
            let page = try await testServer.send("GET", "/pulls?text=x")
            #expect(page.status == 503 && page.text.contains("Couldn’t read the database."))
            #expect(page.text.contains("href=\"/watchlist\""))
            let response = try await testServer.send("GET", "/api/v1/pulls")
            #expect(response.status == 503 && response.error("code") == "unavailable")
        }
    }

    @Test func `a 404 page shows the count`() async throws {
        try await Self.withInbox { testServer in
            // Reading the inbox caches its count for pages that cannot wait for the disk. A refresh may intervene.
            try await eventually("the count is on the page") {
                let waiting = try await testServer.inbox.waiting
                let page = try await testServer.send(
                    "GET", "/nothing-here", headers: [("Accept", "text/html")])
                return page.status == 404 && page.text.contains("data-topics=\"waiting\">\(waiting)</span>")
            }
        }
    }

    @Test
    func `custom sections are added, renamed, moved and removed, and invalid ones refused at their field`()
        async throws
    {
        try await Self.withInbox { testServer in
            for name in ["First", "Second"] {
                let added = try await testServer.post("/pulls/sections", form: "name=\(name)&query=is:open")
                #expect(added.headers["Location"]?.hasPrefix("/pulls/sections?flash=") == true)
            }
            let own = try await testServer.services.gitHub.pulls.settings(of: testServer.owner.userId)
                .sections
            let again = try await testServer.post("/pulls/sections", form: "name=First&query=is:closed")
            #expect(again.status == 409 && again.text.contains("id=\"new-name-error\""))
            #expect(again.text.contains("value=\"is:closed\""))
            let empty = try await testServer.post("/pulls/sections/\(own[1].id)", form: "name=Third&query=")
            #expect(empty.status == 422 && empty.text.contains("id=\"own-\(own[1].id)-query-error\""))
            _ = try await testServer.post("/pulls/sections/\(own[1].id)", form: "name=Third&query=is:open")
            _ = try await testServer.post("/pulls/sections/\(own[1].id)/move", form: "direction=up")
            _ = try await testServer.post("/pulls/sections/\(own[0].id)/remove")
            let left = try await testServer.services.gitHub.pulls.settings(of: testServer.owner.userId)
                .sections
            #expect(left.map(\.name) == ["Third"])
            let page = try await testServer.send("GET", "/pulls").text
            #expect(page.contains("aria-label=\"Third\"") && !page.contains("aria-label=\"First\""))
        }
    }
}

extension TestServer {
    fileprivate var inbox: Inbox {
        get async throws { try await services.gitHub.pulls.inbox(of: owner.userId) }
    }
    fileprivate var turn: [InboxItem] {
        get async throws { try await inbox.sections.first { $0.kind == .turn }?.items ?? [] }
    }
}
