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

/// The inbox of somebody who has connected the simulated GitHub.
@Suite struct InboxPagesTests {
    /// A house whose Ada has connected GitHub, with her inbox loaded.
    private static func withInbox(
        clock: WallClock = WallClock(), _ test: (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.with(clock: clock) { testServer in
            let token = GitHubTokens.classic(of: "ada")
            _ = try await testServer.services.gitHub.connect(
                token: token, host: nil, for: testServer.owner.userId)
            try await eventually("the inbox is full") { try await !testServer.turn.isEmpty }
            try await test(testServer)
        }
    }

    @Test func `what waits is on the page, in the figure, on the first page and in JSON`() async throws {
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

    @Test func `the home page counts as looking at the inbox`() async throws {
        let clock = TestClock()
        try await Self.withInbox(clock: clock.wallClock) { testServer in
            // Nobody has looked for so long; without a look the next refresh is after ten minutes.
            clock.advance(PullSchedule.demandLifetime + 30)
            #expect(try await testServer.send("GET", "/").status == 200)
            try await eventually("the inbox is refreshed") {
                try await testServer.inbox.sources.first?.updatedAt == clock.now
            }
        }
    }

    @Test func `each pull request stands on the page once, except in one's own sections`() async throws {
        try await Self.withInbox { testServer in
            let services = testServer.services
            let own = try await services.pulls.addSection(
                name: "All of them", query: "is:open", for: testServer.owner.userId)
            try await eventually("the own section is full") {
                try await testServer.inbox.sections.contains { $0.id == "own-\(own.id)" && !$0.items.isEmpty }
            }
            let page = try await testServer.send("GET", "/pulls").text
            let parts = page.components(separatedBy: "id=\"pulls-own-\(own.id)\"")
            let keys = parts[0].matches(of: /<li class="pull" data-key="([^"]+)"/).map { String($0.1) }
            #expect(keys.count > 10 && Set(keys).count == keys.count)
            #expect(parts[0].contains(" more above"))
            #expect(parts[1].matches(of: /<li class="pull"/).count > 10)
            #expect(parts[1].contains("All of them") == false || parts.count == 2)
        }
    }

    @Test func `without scripts a page asks for how long to snooze, and returns to the inbox as it was`()
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
            let told = try #require(snoozed.headers["Location"])
            #expect(told.hasPrefix("/pulls?text=a%26b&flash="))
            for unknown in ["/pulls/github.com/a/b/1/snooze", "/pulls/\(key)0000/snooze"] {
                #expect(try await testServer.send("GET", unknown).status == 404)
            }
        }
    }

    @Test func `what is done leaves the page with a way back, which brings it back`() async throws {
        try await Self.withInbox { testServer in
            let item = try #require(try await testServer.turn.first)
            let path = item.key.description
            let row = "<li class=\"pull\" data-key=\"\(path)\""
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
            #expect(back.contains(row) && back.contains(" is back.</p>"))
        }
    }

    @Test func `programs snooze, mute and mark done, and take it back the same way`() async throws {
        try await Self.withInbox { testServer in
            let path = try #require(try await testServer.turn.first).key.description
            for (act, body) in [
                ("mute", ""), ("done", ""), ("snooze", "{\"until\": \"change\"}"),
                ("snooze", "{\"until\": \"\(ISO8601.milliseconds(Date() + 3_600))\"}"),
            ] {
                let put = try await testServer.json("POST", "/api/v1/pulls/\(path)/\(act)", body)
                #expect(put.status == 204, "\(act)")
                let told =
                    try await testServer.send("GET", "/api/v1/pulls").object["hidden"] as? [[String: Any]]
                #expect(
                    told?.map { $0["mark"] as? String } == [act] && told?.first?["key"] as? String == path)
                let back = try await testServer.send("DELETE", "/api/v1/pulls/\(path)/\(act)")
                #expect(back.status == 204, "\(act)")
                #expect(try await testServer.inbox.hidden.isEmpty, "\(act)")
            }
            let past = try await testServer.json(
                "POST", "/api/v1/pulls/\(path)/snooze", "{\"until\": \"2001-01-01T00:00:00Z\"}")
            #expect(past.status == 422 && past.error("field") == "until")
            let silent = try await testServer.send("POST", "/api/v1/pulls/\(path)/snooze")
            #expect(silent.status == 422 && silent.error("field") == "until")
            let text = try await testServer.send(
                "POST", "/api/v1/pulls/\(path)/snooze", headers: [("Content-Type", "text/plain")], body: "x")
            #expect(text.status == 415)
        }
    }

    @Test func `another member sees nothing of it and can put nothing of it away`() async throws {
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

    @Test func `a filter shows only what fits, and groups have heads`() async throws {
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

    @Test func `during an outage the rows stay, with what went wrong and a way to try again`() async throws {
        try await Self.withInbox { testServer in
            let row = "data-key=\"\(try #require(try await testServer.turn.first).key)\""
            await testServer.simulator.inject(.serverError(), upstream: .gitHub)
            testServer.services.pulls.want(testServer.owner.userId)
            _ = testServer.services.pulls.retry(for: testServer.owner.userId)
            try await eventually("the outage is noticed") {
                try await testServer.inbox.sources.first?.error != nil
            }
            let page = try await testServer.send("GET", "/pulls").text
            #expect(page.contains(row))
            #expect(page.contains("GitHub is temporarily unavailable. Please try again later."))
            #expect(page.contains("action=\"/pulls/refresh\""))
        }
    }

    @Test func `after GitHub's 401 nothing is shown but the way to connect anew`() async throws {
        try await Self.withInbox { testServer in
            let row = "data-key=\"\(try #require(try await testServer.turn.first).key)\""
            try #require(testServer.simulator.gitHub).tokens.revoke(login: "ada")
            _ = testServer.services.pulls.retry(for: testServer.owner.userId)
            try await eventually("the end is noticed") {
                try await testServer.inbox.sources.first?.authentication == .unauthenticated
            }
            let page = try await testServer.send("GET", "/pulls").text
            #expect(!page.contains(row))
            #expect(page.contains("Your session has expired. Please log in again."))
            #expect(page.contains("<a class=\"button\" href=\"/settings/github\">Connect GitHub</a>"))
            #expect(!page.contains("id=\"pulls-turn\"") && !page.contains("Nothing waits for you"))
            let home = try await testServer.send("GET", "/").text
            #expect(home.contains("Connect GitHub again</a>") && !home.contains("Nothing waits for you"))
            let told = try await testServer.send("GET", "/api/v1/pulls").object["sources"] as? [[String: Any]]
            let error = told?.first?["error"] as? [String: Any]
            #expect(error?["code"] as? String == "unauthorized" && error?["suggestion"] == nil)
        }
    }

    @Test func `what cannot be read of the inbox is an error, and no empty inbox`() async throws {
        try await Self.withInbox { testServer in
            let file = try DatabaseFile.open(Services.databasePath(in: testServer.folder))
            try await file.write { try $0.execute(sql: "DROP TABLE pull_marks") }
            try file.close()
            let page = try await testServer.send("GET", "/pulls?text=x")
            #expect(page.status == 500 && page.text.contains("Something went wrong"))
            #expect(page.text.contains("href=\"/watchlist\""))
            let told = try await testServer.send("GET", "/api/v1/pulls")
            #expect(told.status == 500 && told.error("code") == "internal")
        }
    }

    @Test func `a page that says that there is nothing has the figure too`() async throws {
        try await Self.withInbox { testServer in
            // Each look leaves the figure for pages that cannot wait for the disk; a refresh may come between the two.
            try await eventually("the figure is on the page") {
                let waiting = try await testServer.inbox.waiting
                let page = try await testServer.send(
                    "GET", "/nothing-here", headers: [("Accept", "text/html")])
                return page.status == 404 && page.text.contains("data-topics=\"waiting\">\(waiting)</span>")
            }
        }
    }

    @Test func `own sections are added, renamed, moved and removed, and refused at their field`() async throws
    {
        try await Self.withInbox { testServer in
            for name in ["First", "Second"] {
                let added = try await testServer.post("/pulls/sections", form: "name=\(name)&query=is:open")
                #expect(added.headers["Location"]?.hasPrefix("/pulls/sections?flash=") == true)
            }
            let own = try await testServer.services.pulls.settings(of: testServer.owner.userId).sections
            let again = try await testServer.post("/pulls/sections", form: "name=First&query=is:closed")
            #expect(again.status == 409 && again.text.contains("id=\"new-name-error\""))
            #expect(again.text.contains("value=\"is:closed\""))
            let empty = try await testServer.post("/pulls/sections/\(own[1].id)", form: "name=Third&query=")
            #expect(empty.status == 422 && empty.text.contains("id=\"own-\(own[1].id)-query-error\""))
            _ = try await testServer.post("/pulls/sections/\(own[1].id)", form: "name=Third&query=is:open")
            _ = try await testServer.post("/pulls/sections/\(own[1].id)/move", form: "direction=up")
            _ = try await testServer.post("/pulls/sections/\(own[0].id)/remove")
            let left = try await testServer.services.pulls.settings(of: testServer.owner.userId).sections
            #expect(left.map(\.name) == ["Third"])
            let page = try await testServer.send("GET", "/pulls").text
            #expect(page.contains("aria-label=\"Third\"") && !page.contains("aria-label=\"First\""))
        }
    }
}

extension TestServer {
    fileprivate var inbox: Inbox { get async throws { try await services.pulls.inbox(of: owner.userId) } }
    fileprivate var turn: [InboxItem] {
        get async throws { try await inbox.sections.first { $0.kind == .turn }?.items ?? [] }
    }
}
