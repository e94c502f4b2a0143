import Foundation
import Testing

@testable import HTTPClient
@testable import RoostWeb
@testable import TextFormats

/// The lists of articles, in a browser without scripts.
@Suite struct ReadingPagesTests {
    @Test
    func `who has no articles is told what the list is for, and the home page has a place for the first`()
        async throws
    {
        try await TestServer.with { testServer in
            for path in ["/reading", "/reading?list=favorites", "/reading/list"] {
                let answer = try await testServer.send("GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.text.contains("Keep what you want to read"), "\(path)")
            }
            let home = try await testServer.send("GET", "/").text
            #expect(home.contains("data-live=\"/reading/tile\" data-topics=\"reading\""))
            #expect(home.contains("<a href=\"/reading\">Save a page</a>"))
        }
    }

    @Test func `a page is saved by its address, and saving it again says so`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            for words in ["Article saved.", "Already in your list."] {
                try await browser.open("/reading")
                let answer = try await browser.submit(
                    "/reading/save", ["from": "list", "back": "/reading", "url": "https://one.example/a"])
                #expect(answer.status == 303)
                let page = try await browser.open(try #require(answer.location))
                #expect(page.text.contains(words))
                #expect(page.text.components(separatedBy: "<li class=\"article").count == 2)
            }
        }
    }

    @Test func `an address that is none is refused at its field, and stays there`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await browser.open("/reading")
            let answer = try await browser.submit(
                "/reading/save", ["from": "list", "back": "/reading?list=all", "url": "ftp://x.example/<a>"])
            #expect(answer.status == 422)
            #expect(browser.error(of: "url")?.isEmpty == false)
            #expect(browser.value(of: "url")?.hasPrefix("ftp://x.example/") == true)
        }
    }

    @Test func `a script gets the form with the error at its field, and the empty form once it is saved`()
        async throws
    {
        try await TestServer.with { testServer in
            func save(_ address: String) async throws -> ClientResponse {
                try await testServer.post(
                    "/reading/save", form: "from=list&back=/reading&url=\(address)",
                    headers: [("X-Roost-Parts", "1"), ("Accept", "text/html")])
            }
            let refused = try await save("ftp://x.example/")
            #expect(refused.status == 422)
            #expect(refused.headers["X-Roost-Parts"] == "1")
            #expect(refused.text.contains("id=\"save-url-error\""))
            #expect(refused.text.contains("value=\"ftp://x.example/\""))
            let saved = try await save("https://x.example/")
            #expect(saved.status == 200)
            #expect(saved.text.contains("Article saved.") && saved.text.contains("id=\"save-url\""))
            #expect(!saved.text.contains("save-url-error") && !saved.text.contains("x.example"))
        }
    }

    @Test func `many addresses are saved at once, and those that are refused can be mended`() async throws {
        try await TestServer.with { testServer in
            let lines = "https://one.example/\r\nftp://three.example/\r\nhttps://two.example/ Two"
            let form = "lines=\(PercentEncoding.encode(lines))"
            let answer = try await testServer.post("/reading/save-many", form: form)
            #expect(answer.status == 200)
            #expect(answer.text.contains("2 saved, 1 not saved."))
            #expect(answer.text.contains(">ftp://three.example/</textarea>"))
            #expect(try await testServer.services.reading.counts(of: testServer.owner.userId).unread == 2)
            let none = try await testServer.post("/reading/save-many", form: "lines=")
            #expect(none.status == 422)
            #expect(none.text.contains("id=\"lines-error\""))
        }
    }

    @Test func `a row says what it is, and what can be done with it`() async throws {
        try await ReadingFixture.with { reading in
            let page = try await reading.page("/reading")
            #expect(page.contains("<main id=\"content\" tabindex=\"-1\" data-reading"))
            let row = try #require(
                page.firstMatch(of: #/(?s)<li class="article[^>]*>.*?<\/li>/#)
            ).output
            #expect(row.contains("id=\"article-\(reading.id)\" data-key=\"\(reading.id)\" data-updated=\""))
            #expect(row.contains("How a tower clock keeps time"))
            #expect(row.contains("<span class=\"site\">clocks.example</span>"))
            #expect(row.contains("class=\"minutes\""))
            for act in ["favorite", "archive", "delete"] {
                #expect(row.contains("data-act=\"\(act)\" formaction=\"\(reading.path)/\(act)\""), "\(act)")
            }
            #expect(row.contains("name=\"id\" value=\"\(reading.id)\""))
        }
    }

    @Test func `an article is archived, and taken back by the notice`() async throws {
        try await ReadingFixture.with { reading in
            let answer = try await reading.post("\(reading.path)/archive", [("back", "/reading")])
            #expect(answer.status == 303)
            #expect(try await reading.item().state == .archived)
            let undo = try #require(try await reading.undo(after: answer))
            let done = try await reading.post(undo)
            #expect(done.headers["Location"]?.hasPrefix("/reading?") == true)
            #expect(try await reading.item().state == .unread)
        }
    }

    @Test func `favourites are marked and found by their list`() async throws {
        try await ReadingFixture.with { reading in
            try await reading.post("\(reading.path)/favorite")
            #expect(try await reading.page("/reading?list=favorites").contains("article-\(reading.id)"))
            try await reading.post("\(reading.path)/unfavorite")
            #expect(try await !reading.page("/reading?list=favorites").contains("article-\(reading.id)"))
        }
    }

    @Test func `a deleted article leaves the list, and comes back with its highlights`() async throws {
        try await ReadingFixture.with { reading in
            try await reading.highlight(note: "Which one?")
            let answer = try await reading.post("\(reading.path)/delete", [("back", reading.path)])
            #expect(answer.headers["Location"]?.hasPrefix("/reading?") == true, "its own page is gone")
            #expect(try await reading.testServer.send("GET", reading.path).status == 404)
            try await reading.post(try #require(try await reading.undo(after: answer)))
            #expect(try await reading.page().contains("Which one?"))
        }
    }

    @Test func `several are changed at once, and taken back at once`() async throws {
        try await ReadingFixture.with { reading in
            let other = try await reading.save("https://two.example/")
            let ids = [("id", "\(reading.id)"), ("id", "\(other)")]
            let tagged = try await reading.post(
                "/reading/bulk", ids + [("change", "addTag"), ("tag", "later")])
            #expect(tagged.status == 303)
            #expect(try await reading.item().tags == ["later"])
            let archived = try await reading.post("/reading/bulk", ids + [("change", "archive")])
            #expect(try await reading.services.reading.counts(of: reading.ada).archived == 2)
            try await reading.post(try #require(try await reading.undo(after: archived)))
            #expect(try await reading.services.reading.counts(of: reading.ada).archived == 0)
        }
    }

    @Test func `all of a list are changed without choosing each`() async throws {
        try await ReadingFixture.with { reading in
            _ = try await reading.save("https://two.example/", tags: ["x"])
            try await reading.post("/reading/bulk", [("all", "tag=x"), ("change", "archive")])
            #expect(try await reading.services.reading.counts(of: reading.ada).archived == 1)
            #expect(try await reading.item().state == .unread)
        }
    }

    @Test func `nothing chosen is said, and so is a change that there is not`() async throws {
        try await ReadingFixture.with { reading in
            let none = try await reading.post("/reading/bulk", [("change", "archive")])
            let page = try await reading.page(none.headers["Location"] ?? "")
            #expect(page.contains("Choose some articles first"))
            let wrong = try await reading.post(
                "/reading/bulk", [("id", "\(reading.id)"), ("change", "burn")])
            #expect(wrong.status == 422)
        }
    }

    @Test func `a search marks the words that it found`() async throws {
        try await ReadingFixture.with { reading in
            let page = try await reading.page("/reading?text=pendulum")
            #expect(page.contains("<mark>pendulum</mark>"))
            let none = try await reading.page("/reading?text=zeppelin")
            #expect(none.contains("No article fits."))
            #expect(none.contains("value=\"zeppelin\""))
        }
    }

    @Test func `a long list goes on with a link, without doubles and without gaps`() async throws {
        try await ReadingFixture.with { reading in
            let lines = (0..<120).map { "https://many.example/\($0)" }.joined(separator: "\n")
            _ = try await reading.services.reading.saveMany(lines, by: reading.ada)
            func rows(_ path: String) async throws -> ([String], String?) {
                let page = try await reading.page(path)
                let keys = page.matches(of: #/<li class="article[^>]*data-key="([0-9]+)"/#)
                let more = page.firstMatch(of: #/data-more href="([^"]*)"/#).map { String($0.1) }
                return (keys.map { String($0.1) }, more)
            }
            let first = try await rows("/reading")
            #expect(first.0.count == 50)
            let second = try await rows(try #require(first.1))
            #expect(second.0.count == 100)
            #expect(Array(second.0.prefix(50)) == first.0)
            let third = try await rows(try #require(second.1))
            #expect(Set(third.0).count == 121 && third.1 == nil)
        }
    }

    @Test func `a script gets the row that it changed, or is told that it has left the list`() async throws {
        try await ReadingFixture.with { reading in
            let parts = [("X-Roost-Parts", "1")]
            let marked = try await reading.testServer.post(
                "\(reading.path)/favorite", form: "back=/reading", headers: parts)
            #expect(marked.headers["X-Roost-Parts"] == "1")
            #expect(marked.text.contains("data-key=\"\(reading.id)\""))
            #expect(marked.text.contains("aria-pressed=\"true\""))
            let gone = try await reading.testServer.post(
                "\(reading.path)/archive", form: "back=/reading", headers: parts)
            #expect(gone.text.contains("<p data-key=\"\(reading.id)\" data-gone></p>"))
        }
    }

    @Test func `fragments are sent again only when something has changed`() async throws {
        try await ReadingFixture.with { reading in
            for path in ["/reading/list", "/reading/tile", "/reading/count", "\(reading.path)/reader"] {
                let tag = try #require(
                    try await reading.testServer.send("GET", path).headers["ETag"], "\(path)")
                let header = [("If-None-Match", tag)]
                #expect(
                    try await reading.testServer.send("GET", path, headers: header).status == 304, "\(path)")
            }
            let tag = try #require(try await reading.testServer.send("GET", "/reading/list").headers["ETag"])
            try await reading.post("\(reading.path)/favorite")
            let header = [("If-None-Match", tag)]
            #expect(try await reading.testServer.send("GET", "/reading/list", headers: header).status == 200)
        }
    }

    @Test func `the count of unread articles stands in the navigation`() async throws {
        try await ReadingFixture.with { reading in
            #expect(try await reading.page("/reading/count") == "1")
            let page = try await reading.page("/watchlist")
            #expect(page.contains("data-live=\"/reading/count\" data-topics=\"reading\">1</span>"))
        }
    }

    @Test func `what is suggested says why`() {
        let list = rendered(ReadingListView.sample)
        #expect(list.contains("<p class=\"reason\">You read most of example.org to the end.</p>"))
    }

    @Test func `rows say why a page could not be fetched, and what to do`() {
        let list = rendered(ReadingListView.sample)
        #expect(list.contains("The site refused access (403)."))
        #expect(list.contains("data-act=\"fetch\" formaction=\"/reading/4/fetch\""))
        #expect(list.contains("The site did not answer in time. Roost tries again by itself."))
        #expect(list.contains(" · PDF"))
    }

    @Test func `how texts look is remembered`() async throws {
        try await ReadingFixture.with { reading in
            let answer = try await reading.post(
                "/reading/preferences",
                [("textSize", "6"), ("width", "wide"), ("font", "sans"), ("back", reading.path)])
            #expect(answer.status == 303)
            #expect(try await reading.page().contains("class=\"reader text-6 width-wide font-sans\""))
            let wrong = try await reading.post("/reading/preferences", [("textSize", "99")])
            #expect(wrong.status == 422)
        }
    }
}
