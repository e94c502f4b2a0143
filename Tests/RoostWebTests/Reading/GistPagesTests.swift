import Foundation
import Testing

@testable import ArticleText
@testable import HTTPClient
@testable import Reading
@testable import ReadingWeb
@testable import TextFormats

/// Gists and sharing, in a browser without scripts.
@Suite struct GistPagesTests {
    private static let text = "A clock is a machine. It shows the time of day. Towers have the largest ones."

    /// Creates a gist of Ada's from a text.
    private static func gist(_ testServer: TestServer) async throws -> GistItem {
        try await testServer.services.reading.gists.makeOfText(
            title: "Clocks <b>", text: text, by: testServer.owner.userId)
    }

    @Test func `an empty list explains gists`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/gists").text
            #expect(page.contains("Short summaries of what you read"))
        }
    }

    @Test func `a gist is created from pasted text`() async throws {
        try await TestServer.with { testServer in
            let form = "title=&text=\(PercentEncoding.encode(Self.text))&length=sentences-1"
            let answer = try await testServer.post("/gists/new", form: form)
            #expect(answer.status == 303)
            let path = try #require(answer.headers["Location"])
            let page = try await testServer.send("GET", path).text
            #expect(page.contains("class=\"reader gist-page\""))
            #expect(try await testServer.send("GET", "/gists").text.contains("href=\"\(path)\""))
        }
    }

    @Test func `an empty text is refused at its field, and the other fields are kept`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/gists/new", form: "title=Mine+%3Cx%3E&text=+")
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"text-error\""))
            #expect(answer.text.contains("value=\"Mine &lt;x&gt;\""))
        }
    }

    @Test func `a gist is edited, and a late edit shows both versions`() async throws {
        try await TestServer.with { testServer in
            let gist = try await Self.gist(testServer)
            let path = "/gists/\(gist.id)/edit"
            let old = ISO8601.milliseconds(gist.updatedAt - 60)
            let refused = try await testServer.post(
                path, form: "title=Mine&content=My+words&updatedAt=\(PercentEncoding.encode(old))")
            #expect(refused.status == 409)
            #expect(refused.text.contains("<td class=\"yours\" dir=\"auto\">My words</td>"))
            #expect(refused.text.contains("<td class=\"current\" dir=\"auto\">Clocks &lt;b&gt;</td>"))
            #expect(refused.text.contains(">My words</textarea>"))
            let seen = try #require(refused.text.firstMatch(of: #/name="updatedAt" value="([^"]*)"/#)).1
            let saved = try await testServer.post(
                path,
                form: "title=Mine&content=My+words&updatedAt=\(PercentEncoding.encode(String(seen)))")
            #expect(saved.status == 303)
            let stored = try await testServer.services.reading.gists.gist(
                gist.id, for: testServer.owner.userId)
            #expect(stored.gist.content == "My words" && stored.isEdited)
        }
    }

    @Test func `regenerating an edited gist asks for confirmation`() async throws {
        try await ReadingFixture.with { reading in
            let gist = try await reading.services.reading.gists.make(for: reading.id, by: reading.ada)
            _ = try await reading.services.reading.gists.edit(
                gist.id, content: "My own words.", by: reading.ada)
            let path = "/gists/\(gist.id)/regenerate"
            let confirmation = try await reading.post(path, [("length", "sentences-1")])
            #expect(confirmation.status == 409)
            #expect(confirmation.text.contains("name=\"replace\" value=\"yes\""))
            #expect(confirmation.text.contains("value=\"sentences-1\""))
            // Without a length in the form, the user's own is kept.
            _ = try await reading.post("/reading/preferences", [("gistLength", "sentences-5")])
            let standard = try await reading.post(path, [])
            #expect(standard.status == 409)
            #expect(standard.text.contains("name=\"length\" value=\"sentences-5\""))
            let unchanged = try await reading.services.reading.gists.gist(gist.id, for: reading.ada)
            #expect(unchanged.gist.content == "My own words.")
            let done = try await reading.post(path, [("length", "sentences-1"), ("replace", "yes")])
            #expect(done.status == 303)
            let regenerated = try await reading.services.reading.gists.gist(gist.id, for: reading.ada)
            #expect(regenerated.gist.content != "My own words.")
        }
    }

    @Test func `a gist's page shows changes made elsewhere`() async throws {
        try await TestServer.with { testServer in
            let gist = try await Self.gist(testServer)
            let path = "/gists/\(gist.id)"
            let page = try await testServer.send("GET", path).text
            #expect(page.contains("data-live=\"\(path)/text\" data-topics=\"reading gist-drafts\""))
            let before = try await testServer.send("GET", "\(path)/text")
            let tag = [("If-None-Match", try #require(before.headers["ETag"]))]
            #expect(try await testServer.send("GET", "\(path)/text", headers: tag).status == 304)
            _ = try await testServer.services.reading.gists.edit(
                gist.id, content: "Other words.", by: testServer.owner.userId)
            let after = try await testServer.send("GET", "\(path)/text", headers: tag)
            #expect(after.status == 200 && after.text.contains("Other words."))
        }
    }

    @Test func `the model's words are shown with a mark while it is writing`() {
        var item = GistItem.samples[0]
        item.modelLength = .automatic
        let waiting = rendered(GistTextView(item, isOwn: true, now: .sample))
        #expect(waiting.contains("role=\"status\">Waiting for the model</span>"))
        #expect(!waiting.contains("aria-busy"))
        (item.isBeingWritten, item.draft) = (true, "First <words>\nand more")
        let paragraphs = "<p dir=\"auto\">First &lt;words&gt;</p><p dir=\"auto\">and more …</p>"
        let written = rendered(GistTextView(item, isOwn: true, now: .sample))
        #expect(written.contains("<div class=\"body\" aria-busy=\"true\">\(paragraphs)</div>"))
        #expect(written.contains("role=\"status\">The model is writing</span>"))
        let inArticle = rendered(ArticleGistView(item))
        #expect(inArticle.contains("<div class=\"gist-text\" aria-busy=\"true\">\(paragraphs)</div>"))
        #expect(inArticle.contains("role=\"status\">The model is writing</span>"))
    }

    @Test func `without scripts the page is loaded again until the model has finished`() {
        func page(_ item: GistItem) -> String {
            rendered(
                GistView(
                    layout: .sample, offlineOwner: "1-session-1", item: item, isOwn: true, link: nil,
                    colleagues: .sample, length: .automatic, now: .sample))
        }
        let reload = "<noscript><meta http-equiv=\"refresh\""
        var item = GistItem.samples[0]
        #expect(!page(item).contains(reload))
        item.modelLength = .automatic
        #expect(page(item).contains(reload))
        #expect(!page(item.withoutModel).contains(reload))
    }

    @Test func `a gist is exported as Markdown`() async throws {
        try await TestServer.with { testServer in
            let gist = try await Self.gist(testServer)
            let answer = try await testServer.send("GET", "/gists/\(gist.id).md")
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"]?.hasPrefix("text/markdown") == true)
            #expect(answer.text == GistService.markdown(of: gist.gist))
        }
    }

    @Test func `deleting a gist can be undone`() async throws {
        try await TestServer.with { testServer in
            let gist = try await Self.gist(testServer)
            let answer = try await testServer.post("/gists/\(gist.id)/delete")
            #expect(try await testServer.send("GET", "/gists/\(gist.id)").status == 404)
            let page = try await testServer.send("GET", try #require(answer.headers["Location"])).text
            let undo = try #require(page.firstMatch(of: #/action="(/reading/undo/[^"]*)"/#)).1
            _ = try await testServer.post("\(undo)")
            #expect(try await testServer.send("GET", "/gists/\(gist.id)").status == 200)
        }
    }

    // MARK: The secret link

    @Test func `anyone with the secret link can read the gist and nothing else`() async throws {
        try await TestServer.with { testServer in
            let gist = try await Self.gist(testServer)
            _ = try await testServer.post("/gists/\(gist.id)/share")
            let page = try await testServer.send("GET", "/gists/\(gist.id)").text
            #expect(page.contains("<svg class=\"qr\""))
            let address = try #require(
                page.firstMatch(of: #/value="http[^"]*(\/shared-gists\/[^"]+)"/#)
            ).1
            let alone = try await testServer.send("GET", "\(address)", as: .anonymous)
            #expect(alone.status == 200)
            #expect(alone.text.contains("Clocks &lt;b&gt;"))
            #expect(alone.headers["X-Robots-Tag"]?.contains("noindex") == true)
            #expect(alone.text.contains("<meta name=\"robots\" content=\"noindex\">"))
            #expect(alone.headers.all("Set-Cookie").isEmpty)
            #expect(alone.headers["Cache-Control"] == "no-store")
            #expect(!alone.text.contains("name=\"token\"") && !alone.text.contains("<nav"))
            // A signed-in user gets the same page.
            let signedIn = try await testServer.send("GET", "\(address)")
            #expect(signedIn.text == alone.text)
            #expect(!testServer.accessLines.all.contains { $0.contains(address.dropFirst(14)) })
        }
    }

    @Test func `a revoked or unknown link opens nothing`() async throws {
        try await TestServer.with { testServer in
            let gist = try await Self.gist(testServer)
            let token = try await testServer.services.reading.gists.share(
                gist.id, by: testServer.owner.userId)
            #expect(try await testServer.send("GET", "/shared-gists/\(token)", as: .anonymous).status == 200)
            _ = try await testServer.post("/gists/\(gist.id)/unshare")
            for secret in [token, "no-such-link-at-all-here", "x"] {
                let answer = try await testServer.send("GET", "/shared-gists/\(secret)", as: .anonymous)
                #expect(answer.status == 404)
            }
        }
    }

    @Test func `an offline copy contains no secret link`() async throws {
        try await TestServer.with { testServer in
            let gist = try await Self.gist(testServer)
            let token = try await testServer.services.reading.gists.share(
                gist.id, by: testServer.owner.userId)
            let path = "/gists/\(gist.id)"
            #expect(try await testServer.send("GET", path).text.contains(token))
            let copy = try await testServer.send("GET", path, headers: [("X-Roost-Offline", "1")])
            #expect(copy.status == 200 && !copy.text.contains(token))
        }
    }

    // MARK: Sharing inside Roost

    @Test func `a gist is shared to the chat with its text, whatever its length`() async throws {
        try await TestServer.with { testServer in
            for text in [
                "A clock is a machine. It shows the time.",
                (1...300).map {
                    "Das Uhrwerk Nummer \($0) geht größer und lauter in die lange, helle Nacht. "
                }.joined(),
            ] {
                let gist = try await testServer.services.reading.gists.makeOfText(
                    title: "Clocks & more", text: text, length: .words(2_000), by: testServer.owner.userId)
                let page = try await testServer.send("GET", "/gists/\(gist.id)").text
                let link = try #require(page.firstMatch(of: #/href="(/chat/new\?text=[^"]*)"/#)).1
                let chat = try await testServer.send("GET", "\(link)")
                #expect(chat.status == 200)
                #expect(chat.text.contains("Clocks &amp; more"))
            }
        }
    }

    @Test func `an article is shared to the chat with its original address`() async throws {
        try await ReadingFixture.with { reading in
            let page = try await reading.page()
            let link = try #require(page.firstMatch(of: #/href="(/chat/new\?text=[^"]*)"/#)).1
            let chat = try await reading.page("\(link)")
            #expect(chat.contains(ReadingFixture.url))
        }
    }

    @Test func `an article is shared with a colleague, who saves it to their own list`() async throws {
        try await ReadingFixture.with { reading in
            let grace = reading.grace.user.userId
            #expect(try await reading.page().contains("<option value=\"\(grace)\">grace</option>"))
            let shared = try await reading.post(
                "/reading/shared",
                [("article", "\(reading.id)"), ("with", "\(grace)"), ("back", reading.path)])
            #expect(shared.headers["Location"]?.hasPrefix(reading.path) == true)
            let hers = try await reading.page("/reading/shared", as: reading.grace)
            #expect(hers.contains("How a tower clock keeps time") && hers.contains("from ada"))
            let accept = try #require(hers.firstMatch(of: #/action="(/reading/shared/[0-9]+/accept)"/#)).1
            let answer = try await reading.post("\(accept)", as: reading.grace)
            #expect(answer.status == 303)
            #expect(try await reading.services.reading.articles.counts(of: grace).unread == 1)
            #expect(try await reading.testServer.send("GET", reading.path, as: reading.grace).status == 404)
        }
    }

    @Test func `a shared page can be withdrawn`() async throws {
        try await ReadingFixture.with { reading in
            let grace = reading.grace.user.userId
            try await reading.post(
                "/reading/shared",
                [("url", "https://x.example/"), ("title", "Look <here>"), ("with", "\(grace)")])
            #expect(
                try await reading.page("/reading/shared", as: reading.grace).contains("Look &lt;here&gt;"))
            let adaPage = try await reading.page("/reading/shared")
            let withdraw = try #require(
                adaPage.firstMatch(of: #/action="(/reading/shared/[0-9]+/withdraw)"/#)
            ).1
            try await reading.post("\(withdraw)")
            #expect(try await !reading.page("/reading/shared", as: reading.grace).contains("Look"))
            #expect(try await reading.page("/reading/shared").contains("withdrawn"))
        }
    }

    @Test func `an invalid address is refused at its field`() async throws {
        try await ReadingFixture.with { reading in
            let answer = try await reading.post(
                "/reading/shared", [("url", "ftp://x.example/"), ("with", "\(reading.grace.user.userId)")])
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"share-url-error\""))
            #expect(answer.text.contains("value=\"ftp://x.example/\""))
            let refused = try await reading.post("/reading/shared", [("url", "https://x.example/")])
            #expect(refused.status == 422 && refused.text.contains("Choose someone."))
        }
    }
}
