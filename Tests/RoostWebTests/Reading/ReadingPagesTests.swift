import Foundation
import Testing

@testable import HTTPClient
@testable import ReadingWeb
@testable import TextFormats

@Suite struct ReadingPagesTests {
    @Test
    func `an empty list explains reading, and the home page has an empty tile`()
        async throws
    {
        try await TestServer.with { testServer in
            for path in ["/reading", "/reading?list=favorites", "/reading/list"] {
                let answer = try await testServer.send("GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.text.contains("Save pages to read later"), "\(path)")
            }
            let home = try await testServer.send("GET", "/").text
            #expect(home.contains("data-live=\"/reading/tile\" data-topics=\"reading home\""))
            #expect(home.contains("<a href=\"/reading\">Save a page</a>"))
        }
    }

    @Test func `a page is saved by its address, and saving it again says so`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            for message in ["Article saved.", "Already in your list."] {
                try await browser.open("/reading")
                let answer = try await browser.submit(
                    "/reading/save", ["from": "list", "back": "/reading", "url": "https://one.example/a"])
                #expect(answer.status == 303)
                let page = try await browser.open(try #require(answer.location))
                #expect(page.text.contains(message))
                #expect(page.text.components(separatedBy: "<li class=\"article").count == 2)
            }
        }
    }

    @Test func `an invalid address is refused at its field, and stays there`() async throws {
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

    @Test func `a script gets the form with the error at its field, or the empty form once saved`()
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

    @Test func `many addresses are saved at once, and refused ones can be corrected`() async throws {
        try await TestServer.with { testServer in
            let lines = "https://one.example/\r\nftp://three.example/\r\nhttps://two.example/ Two"
            let form = "lines=\(PercentEncoding.encode(lines))"
            let answer = try await testServer.post("/reading/save-many", form: form)
            #expect(answer.status == 200)
            #expect(answer.text.contains("2 saved, 1 not saved."))
            #expect(answer.text.contains(">ftp://three.example/</textarea>"))
            #expect(
                try await testServer.services.reading.articles.counts(of: testServer.owner.userId).unread == 2
            )
            let none = try await testServer.post("/reading/save-many", form: "lines=")
            #expect(none.status == 422)
            #expect(none.text.contains("id=\"lines-error\""))
        }
    }

    @Test func `a row shows its article and the available actions`() async throws {
        try await ReadingFixture.with { reading in
            let page = try await reading.page("/reading")
            let main = "<main id=\"content\" tabindex=\"-1\" data-keyboard=\"reading-keys\" data-reading"
            #expect(page.contains(main))
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

    @Test func `an article is archived, and the notice's undo restores it`() async throws {
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

    @Test func `favourites are marked and listed`() async throws {
        try await ReadingFixture.with { reading in
            try await reading.post("\(reading.path)/favorite")
            #expect(try await reading.page("/reading?list=favorites").contains("article-\(reading.id)"))
            try await reading.post("\(reading.path)/unfavorite")
            #expect(try await !reading.page("/reading?list=favorites").contains("article-\(reading.id)"))
        }
    }

    @Test func `a deleted article leaves the list, and undo restores it with its highlights`() async throws {
        try await ReadingFixture.with { reading in
            try await reading.highlight(note: "Which one?")
            let answer = try await reading.post("\(reading.path)/delete", [("back", reading.path)])
            #expect(
                answer.headers["Location"]?.hasPrefix("/reading?") == true,
                "the article's own page no longer exists")
            #expect(try await reading.testServer.send("GET", reading.path).status == 404)
            try await reading.post(try #require(try await reading.undo(after: answer)))
            #expect(try await reading.page().contains("Which one?"))
        }
    }

    @Test func `several articles are changed at once, and undone at once`() async throws {
        try await ReadingFixture.with { reading in
            let other = try await reading.save("https://two.example/")
            let ids = [("id", "\(reading.id)"), ("id", "\(other)")]
            let tagged = try await reading.post(
                "/reading/bulk", ids + [("change", "addTag"), ("tag", "later")])
            #expect(tagged.status == 303)
            #expect(try await reading.item().tags == ["later"])
            let archived = try await reading.post("/reading/bulk", ids + [("change", "archive")])
            #expect(try await reading.services.reading.articles.counts(of: reading.ada).archived == 2)
            try await reading.post(try #require(try await reading.undo(after: archived)))
            #expect(try await reading.services.reading.articles.counts(of: reading.ada).archived == 0)
        }
    }

    @Test func `all articles of a list are changed without selecting each`() async throws {
        try await ReadingFixture.with { reading in
            _ = try await reading.save("https://two.example/", tags: ["x"])
            try await reading.post("/reading/bulk", [("all", "tag=x"), ("change", "archive")])
            #expect(try await reading.services.reading.articles.counts(of: reading.ada).archived == 1)
            #expect(try await reading.item().state == .unread)
        }
    }

    @Test func `a bulk change needs a selection, and an unknown change is refused`() async throws {
        try await ReadingFixture.with { reading in
            let none = try await reading.post("/reading/bulk", [("change", "archive")])
            let page = try await reading.page(none.headers["Location"] ?? "")
            #expect(page.contains("Select some articles first"))
            let wrong = try await reading.post(
                "/reading/bulk", [("id", "\(reading.id)"), ("change", "burn")])
            #expect(wrong.status == 422)
        }
    }

    @Test func `a search marks the matching words`() async throws {
        try await ReadingFixture.with { reading in
            let page = try await reading.page("/reading?text=pendulum")
            #expect(page.contains("<mark>pendulum</mark>"))
            let none = try await reading.page("/reading?text=zeppelin")
            #expect(none.contains("No articles match."))
            #expect(none.contains("value=\"zeppelin\""))
        }
    }

    @Test func `a long list continues with a link, without duplicates and gaps`() async throws {
        try await ReadingFixture.with { reading in
            let lines = (0..<120).map { "https://many.example/\($0)" }.joined(separator: "\n")
            _ = try await reading.services.reading.articles.saveMany(lines, by: reading.ada)
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

    @Test func `a script gets the changed row, or its removal from the list`() async throws {
        try await ReadingFixture.with { reading in
            let parts = [("X-Roost-Parts", "1")]
            let marked = try await reading.testServer.post(
                "\(reading.path)/favorite", form: "back=/reading", headers: parts)
            #expect(marked.headers["X-Roost-Parts"] == "1")
            #expect(marked.text.contains("data-key=\"\(reading.id)\""))
            #expect(marked.text.contains("aria-pressed=\"true\""))
            let archived = try await reading.testServer.post(
                "\(reading.path)/archive", form: "back=/reading", headers: parts)
            #expect(archived.text.contains("<p data-key=\"\(reading.id)\" data-gone></p>"))
        }
    }

    @Test func `an unchanged fragment answers 304`() async throws {
        try await ReadingFixture.with { reading in
            for path in [
                "/reading/list", "/reading/tile", "/reading/count", "\(reading.path)/reader",
                "\(reading.path)/gist-text",
            ] {
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

    @Test func `the navigation shows the number of unread articles`() async throws {
        try await ReadingFixture.with { reading in
            #expect(try await reading.page("/reading/count") == "1")
            let page = try await reading.page("/watchlist")
            #expect(page.contains("data-live=\"/reading/count\" data-topics=\"reading\">1</span>"))
        }
    }

    @Test func `a suggestion shows its reason`() {
        let list = rendered(ReadingListView.sample)
        #expect(list.contains("<p class=\"reason\">You read most of example.org to the end.</p>"))
    }

    @Test func `rows say why a page could not be fetched, and what to do`() {
        let list = rendered(ReadingListView.sample)
        #expect(list.contains("The site refused access (403)."))
        #expect(list.contains("data-act=\"fetch\" formaction=\"/reading/4/fetch\""))
        #expect(list.contains("The site did not answer in time. Roost will try again automatically."))
        #expect(list.contains(" · PDF"))
    }

    @Test func `text settings are remembered`() async throws {
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
