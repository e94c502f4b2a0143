import Foundation
import Testing

@testable import HTTPClient
@testable import RoostSimulator
@testable import RoostSupport

/// The explorer's requests that need no repository.
@Suite struct RepositoriesControllerTests {
    @Test func `every list has a page and a fragment with its rows`() async throws {
        try await TestServer.with { testServer in
            for query in [
                "?since=0", "?since=0&pages=2&group=language", "?q=tetris&order=stars", "?trending=month",
            ] {
                let page = try await testServer.send("GET", "/repositories\(query)")
                #expect(page.status == 200, "\(query)")
                #expect(page.text.contains("<h1>Repositories</h1>"), "\(query)")
                let escaped = query.replacing("&", with: "&amp;")
                #expect(page.text.contains("data-live=\"/repositories/rows\(escaped)\""), "\(query)")
                let rows = try await testServer.send("GET", "/repositories/rows\(query)")
                #expect(rows.status == 200 && rows.text.contains("id=\"act\""), "\(query)")
                #expect(!rows.text.contains("<html"))
            }
        }
    }

    @Test func `the navigation has one entry for repositories, with tabs inside`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/repositories?since=0").text
            #expect(page.contains("href=\"/repositories\" aria-current=\"page\"><svg"))
            for tab in ["/repositories?since=0", "/repositories?trending=week", "/bookmarks"] {
                #expect(page.contains("<li><a href=\"\(tab)\""), "\(tab)")
            }
            let trending = try await testServer.send("GET", "/repositories?trending=day&language=C%2B%2B")
                .text
            #expect(trending.contains("<li><a href=\"/repositories?trending=week\" aria-current=\"page\">"))
            #expect(
                trending.contains("value=\"C++\"") && trending.contains("aria-current=\"true\">Today</a>"))
            let found = try await testServer.send("GET", "/repositories?q=%3Cb%3E").text
            #expect(found.contains("value=\"&lt;b&gt;\"") && found.contains(">Best match</a>"))
        }
    }

    @Test func `the entry opens the bookmarks, or the trending list without bookmarks`()
        async throws
    {
        try await TestServer.with { testServer in
            let empty = try await testServer.send("GET", "/repositories")
            #expect(empty.status == 303 && empty.headers["Location"] == "/repositories?trending=week")
        }
        try await BookmarkStock.with { testServer in
            let some = try await testServer.send("GET", "/repositories")
            #expect(some.status == 303 && some.headers["Location"] == "/bookmarks")
        }
    }

    @Test func `a repository opened without a list is shown alone, and no list is fetched`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/repositories/apple/swift-nio").text
            #expect(page.contains("class=\"explorer has-detail alone\""))
            #expect(!page.contains("/repositories/rows"))
            #expect(page.contains("href=\"/repositories\" data-back"))
        }
    }

    @Test func `an unchanged fragment answers 304, but not for another user`()
        async throws
    {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let path = "/repositories/detail"
            let tag = try #require(try await testServer.send("GET", path).headers["ETag"])
            let header = [("If-None-Match", tag)]
            let again = try await testServer.send("GET", path, headers: header)
            #expect(again.status == 304)
            let hers = try await testServer.send("GET", path, headers: header, as: grace)
            #expect(hers.status == 200)
        }
    }

    @Test func `forms return to their page, without the parameter that is now stored`() async throws {
        try await TestServer.with { testServer in
            let back = "/repositories/apple/swift-nio?since=26&group=none&sort=name&flash=old"
            let form = "back=" + (back.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
            let chosen = try await testServer.post("/repositories/choices", form: form + "&group=language")
            #expect(chosen.headers["Location"] == "/repositories/apple/swift-nio?since=26&sort=name")
            let ordered = try await testServer.post(
                "/repositories/choices", form: form + "&sort=stars&list=bookmarks")
            #expect(ordered.headers["Location"] == "/repositories/apple/swift-nio?since=26&group=none")
            for foreign in ["//evil.example/x", "https://evil.example", ""] {
                let led = try await testServer.post(
                    "/repositories/choices", form: "back=\(foreign)&group=none")
                #expect(led.headers["Location"] == "/repositories", "\(foreign)")
            }
            let refreshed = try await testServer.post("/repositories/refresh", form: form)
            let address = try #require(refreshed.headers["Location"])
            #expect(
                refreshed.status == 303 && address.hasPrefix("/repositories/apple/swift-nio?since=26&group"))
            let one = try await testServer.post("/repositories/apple/swift-nio/refresh")
            #expect(one.headers["Location"]?.hasPrefix("/repositories/apple/swift-nio") == true)
        }
    }

    @Test(arguments: [
        ("choices", "group=author"), ("choices", "sort=price"), ("choices", "list=stars&group=none"),
        ("collapse", "collapsed=true"), ("collapse", "group=&collapsed=true"), ("collapse", "list=x&group=a"),
    ])
    func `invalid choices are refused`(address: String, form: String) async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/repositories/\(address)", form: form)
            #expect(answer.status == 422)
        }
    }

    @Test func `scripts report visible rows and collapsed groups, and get an empty answer`() async throws {
        try await TestServer.with { testServer in
            for ids in ["1,2,3", "", "x,-1,99999999999999999999", String(repeating: "7,", count: 5_000)] {
                let answer = try await testServer.post("/repositories/wants", form: "ids=\(ids)")
                #expect(answer.status == 204 && answer.body.isEmpty, "\(ids.prefix(20))")
            }
            let folded = try await testServer.post(
                "/repositories/collapse", form: "list=browse&group=language-c%2B%2B&collapsed=true")
            #expect(folded.status == 204)
        }
    }

    @Test func `groups that are collapsed at the same time are all stored`() async throws {
        try await TestServer.with { testServer in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...20 {
                    group.addTask {
                        try await testServer.post(
                            "/repositories/collapse",
                            form: "list=browse&group=language-\(number)&collapsed=true"
                        ).status
                    }
                }
                for try await status in group { #expect(status == 204) }
            }
            let choices = try await testServer.services.gitHub.repositoryPreferences.preferences(
                of: testServer.owner.userId, for: .browse)
            #expect(choices.collapsed.count == 20)
        }
    }

    @Test func `a repository has a page and a detail fragment, and an invalid name has neither`() async throws
    {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/repositories/apple/swift-nio?since=26").text
            #expect(page.contains("<title>apple/swift-nio · Roost</title>"))
            #expect(page.contains("class=\"explorer has-detail\""))
            #expect(page.contains("data-live=\"/repositories/rows?since=26\""), "the list is next to it")
            #expect(page.contains("data-live=\"/repositories/apple/swift-nio/detail?since=26\""))
            #expect(page.contains("action=\"/repositories/refresh\" data-inline"))
            let part = try await testServer.send("GET", "/repositories/apple/swift-nio/detail").text
            #expect(part.contains("Open on GitHub") && !part.contains("<html"))
            for name in ["a/b%20c", "a/..", "%3Cb%3E/x", "a/" + String(repeating: "x", count: 101)] {
                let none = try await testServer.send("GET", "/repositories/\(name)")
                #expect(none.status == 404, "\(name)")
            }
        }
    }

    @Test func `a repository opened from the bookmarks links back to them`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send(
                "GET", "/repositories/apple/swift-nio?in=bookmarks&tag=to%20read&pages=2"
            ).text
            #expect(page.contains("href=\"/bookmarks?pages=2&amp;tag=to%20read\" data-back>Bookmarks</a>"))
            let rows = "data-live=\"/bookmarks/rows?tag=to%20read&amp;pages=2\""
            #expect(
                page.contains(rows) && !page.contains("/repositories/rows"), "the bookmarks are next to it")
            let tab = "<li><a href=\"/bookmarks\" aria-current=\"page\" id=\"bookmarks-tab\">Bookmarks"
            #expect(page.contains(tab))
        }
    }

    @Test func `the keyboard shortcuts are listed for people without scripts`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/repositories/keys").text
            for key in ["j", "k", "Enter", "o", "b", "t", "x", "/", "r", "?"] {
                #expect(page.contains("<kbd>\(key)</kbd>"), "\(key)")
            }
        }
    }

    @Test func `shared and personal changes use one topic, and no one receives another user's`() async throws
    {
        try await TestServer.with { testServer in
            let user = testServer.owner.userId
            for (topic, name) in [
                (Topic.repositories, "repositories"), (Topic.repositories(user), "repositories"),
                (Topic.bookmarks(user), "bookmarks"),
            ] {
                let cursor = testServer.services.feed.cursor
                testServer.services.feed.publish(topic)
                let answer = try await testServer.send(
                    "GET", "/changes?topics=repositories,bookmarks&wait=0&cursor=\(cursor)")
                #expect(answer.object["changed"] as? [String] == [name], "\(topic)")
            }
            for topic in ["repositories/99", "bookmarks/99"] {
                let foreign = try await testServer.send("GET", "/changes?topics=\(topic)")
                #expect(foreign.status == 403, "\(topic)")
            }
        }
    }

    @Test func `only the page fetches a repository's README, not the JSON API`() async throws {
        try await TestServer.with { testServer in
            let listed = try await testServer.send("GET", "/api/v1/repositories").items
            let names = listed.prefix(2).compactMap { $0["fullName"] as? String }
            try #require(names.count == 2)
            let answer = try await testServer.send("GET", "/api/v1/repositories/\(names[0])")
            #expect(answer.status == 200 && answer.object["detail"] != nil)
            // Fetched later: by then a request for the first one's README would have been sent too.
            let requestCount = { testServer.simulator.requests(to: "/repos/\(names[$0])/readme").count }
            try await eventually("the page's README is requested") {
                _ = try await testServer.send("GET", "/repositories/\(names[1])")
                return requestCount(1) > 0
            }
            #expect(requestCount(0) == 0)
        }
    }

    @Test func `an invalid cursor or repository name is refused`() async throws {
        try await TestServer.with { testServer in
            for (field, value) in [("since", "x"), ("since", "-1"), ("since", "9999999999999999999999")] {
                let answer = try await testServer.send("GET", "/api/v1/repositories?\(field)=\(value)")
                #expect(answer.status == 422 && answer.error("field") == field, "\(field)=\(value)")
            }
            let nonsense = try await testServer.send("GET", "/api/v1/repositories/a/b%20c")
            #expect(nonsense.status == 404)
        }
    }
}
