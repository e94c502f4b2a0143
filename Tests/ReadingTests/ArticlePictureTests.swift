import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import RoostServices
@testable import RoostSupport

@Suite(.timeLimit(.minutes(3))) struct ArticlePictureTests {
    private typealias Response = ScriptedUpstream.Response

    private static let png = Response(headers: ["Content-Type: image/png"], bytes: Pictures.notedPNG)

    private static func page(_ names: String...) -> Response {
        let pictures = names.map { "<img src=\"http://blog.example/\($0)\" alt=\"\($0)\">" }.joined()
        return ReadingFixture.html(
            ReadingFixture.page("Lanterns").replacing("<p>The harbour", with: "<p>\(pictures) The harbour"))
    }

    private static func states(_ fixture: ReadingFixture) throws -> [String] {
        try fixture.services.sql(String.self, "SELECT state FROM article_pictures ORDER BY article_id, place")
    }

    private static func storedCount(_ fixture: ReadingFixture) throws -> Int? {
        try fixture.services.sql(Int.self, "SELECT count(*) FROM stored_pictures").first
    }

    @Test func `pictures are stored with the article, for its page and its EPUB`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": Self.page("p.png"), "blog.example/p.png": Self.png])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(try Self.states(fixture) == ["stored"])
            fixture.serve([String: Response]())
            let html = try await fixture.reading.reading(item.id, for: fixture.ada).markup?.html ?? ""
            let name = try #require(
                try fixture.services.sql(String.self, "SELECT name FROM stored_pictures").first)
            #expect(html.contains("src=\"/pictures/\(name)\""))
            let pictures = fixture.services.services.pictures
            let stored = try #require(await pictures.picture(named: name))
            #expect(stored.mediaType == "image/png")
            #expect(try await pictures.thumbnail(named: name, .page)?.bytes.isEmpty == false)
            let book = try await fixture.services.services.reading.epubs.epub(
                of: [item.id], for: fixture.ada)
            #expect(Data(book.bytes).range(of: Data(stored.bytes)) != nil)
        }
    }

    @Test func `a faulty picture does not fail the article`() async throws {
        try await withReading { fixture in
            fixture.serve([
                "example.org/a": Self.page("missing.png", "text.png", "p.png"),
                "blog.example/text.png": Response(headers: ["Content-Type: image/png"], body: "no picture"),
                "blog.example/p.png": Self.png,
            ])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .fetched)
            #expect(try Self.states(fixture) == ["failed", "failed", "stored"])
        }
    }

    @Test func `a temporary failure is tried again later`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": Self.page("p.png"), "blog.example/p.png": Response(status: 503)])
            try await fixture.fetched("http://example.org/a")
            #expect(try Self.states(fixture) == ["waiting"])
            fixture.serve(["blog.example/p.png": Self.png])
            await fixture.worker.runUntilIdle()
            #expect(try Self.states(fixture) == ["waiting"])
            fixture.clock.advance(301)
            await fixture.worker.runUntilIdle()
            #expect(try Self.states(fixture) == ["stored"])
        }
    }

    @Test func `an article stores no more pictures than the setting allows`() async throws {
        try await withReading({ $0.articlePictures.count = 2 }) { fixture in
            fixture.serve([
                "example.org/a": Self.page("1.png", "2.png", "3.png"), "blog.example/1.png": Self.png,
                "blog.example/2.png": Self.png, "blog.example/3.png": Self.png,
            ])
            try await fixture.fetched("http://example.org/a")
            #expect(try Self.states(fixture) == ["stored", "stored"])
        }
    }

    @Test func `an article stores no more bytes than the setting allows`() async throws {
        let size = try CheckedImage(Pictures.notedPNG, within: .article).bytes.count
        try await withReading({ $0.articlePictures.bytes = 2 * size }) { fixture in
            fixture.serve([
                "example.org/a": Self.page("1.png", "2.png", "3.png"), "blog.example/1.png": Self.png,
                "blog.example/2.png": Self.png, "blog.example/3.png": Self.png,
            ])
            try await fixture.fetched("http://example.org/a")
            #expect(try Self.states(fixture).sorted() == ["stored", "stored", "tooLarge"])
            let used = try fixture.services.sql(Int.self, "SELECT sum(byte_count) FROM stored_pictures")
            #expect(used == [2 * size])
        }
    }

    @Test func `a picture is deleted with the last article that shows it`() async throws {
        try await withReading { fixture in
            fixture.serve([
                "example.org/a": Self.page("p.png"), "example.org/b": Self.page("p.png"),
                "blog.example/p.png": Self.png,
            ])
            let first = try await fixture.fetched("http://example.org/a")
            let second = try await fixture.fetched("http://example.org/b", by: fixture.grace)
            #expect(try Self.storedCount(fixture) == 1)
            try fixture.services.change("DELETE FROM articles WHERE id = \(first.id)")
            #expect(try Self.storedCount(fixture) == 1)
            try fixture.services.change("DELETE FROM articles WHERE id = \(second.id)")
            #expect(try Self.storedCount(fixture) == 0)
        }
    }

    @Test func `a picture that a new text no longer shows is deleted`() async throws {
        try await withReading { fixture in
            fixture.serve([
                "example.org/a": Self.page("1.png"), "blog.example/1.png": Self.png,
                "blog.example/2.png": Self.png,
            ])
            let item = try await fixture.fetched("http://example.org/a")
            fixture.serve(["example.org/a": Self.page("2.png"), "blog.example/2.png": Self.png])
            try await fixture.reading.fetchAgain(item.id, by: fixture.ada)
            await fixture.worker.runUntilIdle()
            let urls = try fixture.services.sql(String.self, "SELECT url FROM article_pictures")
            #expect(urls == ["http://blog.example/2.png"])
            #expect(try Self.storedCount(fixture) == 1)
        }
    }
}
