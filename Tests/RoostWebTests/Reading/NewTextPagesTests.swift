import Foundation
import Testing

@testable import HTTPClient
@testable import Reading
@testable import TextFormats

/// The choice between the old text and a newly fetched one, in a browser without scripts and as JSON.
@Suite struct NewTextPagesTests {
    private static let wall = """
        <!doctype html><html><head><title>Page not found</title></head><body><article><h1>Page not found</h1>
        <p>Sorry, this &lt;page&gt; could not be found. It may have been moved or deleted by somebody.</p></article></body></html>
        """

    private static func with(_ test: (ReadingFixture) async throws -> Void) async throws {
        try await ReadingFixture.with { reading in
            try await reading.services.reading.articles.save(
                ArticleDraft(url: ReadingFixture.url, html: Array(wall.utf8)), by: reading.ada)
            try await eventually("the new text is fetched") { try await reading.item().newText != nil }
            try await test(reading)
        }
    }

    @Test func `the page keeps the old text, says why, and shows the new one escaped`() async throws {
        try await Self.with { reading in
            let page = try await reading.page()
            #expect(page.contains("a heavy weight &amp; a wheel"))
            let section = try #require(page.firstMatch(of: #/(?s)<section[^>]*id="new-text".*?<\/section>/#))
                .output
            #expect(section.contains("this &lt;page&gt; could not be found"))
            #expect(section.contains("action=\"\(reading.path)/new-text/keep-old\""))
            #expect(section.contains("formaction=\"\(reading.path)/new-text/use\""))
            #expect(try await reading.page("/reading").contains("\(reading.path)#new-text"))
        }
    }

    @Test func `a form accepts the new text, and its notice offers undo`() async throws {
        try await Self.with { reading in
            let answer = try await reading.post("\(reading.path)/new-text/use", [("back", reading.path)])
            #expect(answer.status == 303)
            let undo = try #require(try await reading.undo(after: answer))
            #expect(try await reading.item().title == "Page not found")
            try await reading.post(undo)
            #expect(try await reading.item().newText?.reason == .notFound)
            #expect(try await reading.page().contains("a heavy weight &amp; a wheel"))
        }
    }

    @Test func `a form keeps the old text, and a form for an outdated text changes nothing`() async throws {
        try await Self.with { reading in
            let stale = try await reading.post(
                "\(reading.path)/new-text/use",
                [("back", reading.path), ("fetchedAt", "2001-01-01T00:00:00.000Z")])
            #expect(stale.status == 303)
            #expect(try await reading.item().newText != nil)
            let wrong = try await reading.post("\(reading.path)/new-text/use", [("fetchedAt", "soon")])
            #expect(wrong.status == 422)
            let seen = try #require(try await reading.item().newText).fetchedAt
            let response = try await reading.post(
                "\(reading.path)/new-text/keep-old",
                [("back", reading.path), ("fetchedAt", ISO8601.milliseconds(seen))])
            #expect(response.status == 303)
            #expect(try await reading.item().newText == nil)
            #expect(try await !reading.page().contains("id=\"new-text\""))
        }
    }

    @Test func `the API returns the reason and both texts, and accepts the choice`() async throws {
        try await Self.with { reading in
            let server = reading.testServer
            let new = try #require(
                try await server.send("GET", reading.api).object["newText"] as? [String: Any])
            #expect(new["reason"] as? String == "notFound" && new["title"] as? String == "Page not found")
            #expect((new["message"] as? String)?.isEmpty == false && new["wordCount"] is Int)
            let text = try await server.send("GET", reading.api + "/text").object["text"] as? String
            #expect(text?.contains("heavy weight") == true)
            let waiting = try await server.send("GET", reading.api + "/new-text").object["text"] as? String
            #expect(waiting?.contains("could not be found") == true)
            let stale = try await server.json(
                "POST", reading.api + "/new-text/use", #"{"fetchedAt": "2001-01-01T00:00:00.000Z"}"#)
            #expect(stale.status == 409 && stale.error("field") == "fetchedAt")
            let body = #"{"fetchedAt": "\#(try #require(new["fetchedAt"] as? String))"}"#
            let used = try await server.json("POST", reading.api + "/new-text/use", body)
            #expect(used.status == 200 && used.object["newText"] == nil)
            #expect(used.object["title"] as? String == "Page not found")
            let none = try await server.json("POST", reading.api + "/new-text/keep-old", "{}")
            #expect(none.status == 404)
            let theirs = try await server.json("POST", reading.api + "/new-text/use", "{}", as: reading.grace)
            #expect(theirs.status == 404)
        }
    }

    @Test func `a long list is exported in parts, listed on the page and in the API`() async throws {
        try await ReadingFixture.with { reading in
            let parts = try await reading.testServer.send("GET", "/api/v1/articles/export/parts?texts=1")
                .items
            #expect(
                parts.count == 1 && parts[0]["from"] as? String == "1" && parts[0]["gists"] as? Bool == true)
            let all = try await reading.testServer.send("GET", "/api/v1/articles/export?texts=1&from=1").text
            #expect(all.contains("heavy weight"))
            let none = try await reading.testServer.send(
                "GET", "/reading/export.json?texts=1&from=\(reading.id + 1)")
            #expect(none.status == 200 && !none.text.contains("heavy weight"))
            let wrong = try await reading.testServer.send("GET", "/api/v1/articles/export?from=x")
            #expect(wrong.status == 422 && wrong.error("field") == "from")
            let page = try await reading.page("/reading/tools?parts=json-texts")
            #expect(page.contains("/reading/export.json?from=1&amp;to=&amp;gists=1&amp;texts=1"))
        }
    }
}
