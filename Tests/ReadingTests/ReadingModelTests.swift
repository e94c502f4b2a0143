import Foundation
import Testing

@testable import ArticleText
@testable import Reading
@testable import TextFormats

@Suite struct ReadingModelTests {
    private let time = Date(timeIntervalSince1970: 1_794_312_000)

    private func roundTrip<Model: Codable & Equatable>(_ model: Model) throws -> [String: Any] {
        let data = try JSONEncoder().encode(model)
        #expect(try JSONDecoder().decode(Model.self, from: data) == model)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `an article survives a round trip through JSON, with all and with the fewest fields`() throws {
        let minimal = try Article(title: "T", url: "https://example.org/", userId: "1")
        #expect(try Set(roundTrip(minimal).keys) == ["title", "url", "category", "userId"])
        #expect(minimal.category == "Unsorted")
        let full = try Article(
            id: "7", title: "T", url: "https://example.org/", category: "Science", userId: "1",
            createdAt: time, updatedAt: time, gistCreated: true, gistId: "3")
        let json = try roundTrip(full)
        #expect(json.count == 9)
        #expect(json["createdAt"] as? String == "2026-11-10T12:00:00Z")
    }

    @Test func `a gist survives a round trip through JSON, with all and with the fewest fields`() throws {
        let minimal = try Gist(id: "3", title: "T", content: "C", userId: "1")
        #expect(try Set(roundTrip(minimal).keys) == ["id", "title", "content", "userId"])
        let full = try Gist(
            id: "3", title: "T", content: "C", userId: "1", sourceUrl: "https://example.org/",
            category: "Science", createdAt: time, updatedAt: time)
        #expect(try roundTrip(full).count == 8)
    }

    @Test func `a shared item survives a round trip through JSON, with all and with the fewest fields`()
        throws
    {
        let minimal = try SharedItem(id: "1", url: "https://example.org/", createdAt: time, processed: false)
        #expect(try Set(roundTrip(minimal).keys) == ["id", "url", "createdAt", "processed"])
        let full = try SharedItem(
            id: "1", url: "https://example.org/", title: "T", sourceApplication: "chat", createdAt: time,
            processed: true, sharedWith: "2", withdrawnAt: time, error: "No.")
        #expect(try roundTrip(full).count == 9)
    }

    @Test func `a save request and its response survive a round trip through JSON`() throws {
        let minimal = try StoreArticleRequest(url: "https://example.org/")
        #expect(try Set(roundTrip(minimal).keys) == ["url", "autoCreateGist"])
        let full = try StoreArticleRequest(
            userId: "1", url: "https://example.org/", title: "T", category: "C", autoCreateGist: true)
        #expect(try roundTrip(full).count == 5)
        let json = #"{"url": "https://example.org/"}"#
        #expect(try JSONDecoder().decode(StoreArticleRequest.self, from: Data(json.utf8)) == minimal)
        #expect(try roundTrip(GistaServiceResponse(message: "Article saved.")).count == 1)
        let answer = try GistaServiceResponse(
            message: "Article saved.", linkId: "7", gistId: "3", gistCreated: false)
        #expect(try roundTrip(answer).count == 4)
    }

    @Test func `a highlight survives a round trip through JSON`() throws {
        let highlight = Highlight(
            id: "00000000-0000-4000-8000-000000000001", articleId: 7, start: 1, end: 4, quote: "abc",
            before: "x", after: "y", note: "n", createdAt: time, updatedAt: time)
        let json = try roundTrip(highlight)
        #expect(json["articleId"] as? String == "7")
    }

    @Test func `missing required fields are refused`() {
        #expect(throws: ValidationError.self) { try Article(title: " ", url: "u", userId: "1") }
        #expect(throws: ValidationError.self) { try Article(title: "T", url: "u", category: "", userId: "1") }
        #expect(throws: ValidationError.self) { try Gist(id: "1", title: "T", content: "", userId: "1") }
        #expect(throws: ValidationError.self) {
            try SharedItem(id: "1", url: "", createdAt: time, processed: false)
        }
        #expect(throws: ValidationError.self) { try StoreArticleRequest(url: "") }
        for text in [#"{"title": "T"}"#, #"{"title": "", "url": "u", "userId": "1"}"#, "[]"] {
            #expect(throws: (any Error).self) {
                try JSONDecoder().decode(Article.self, from: Data(text.utf8))
            }
        }
    }

    @Test func `preferences survive a round trip through JSON`() throws {
        for length in [GistLength.automatic, .sentences(5), .words(100)] {
            let chosen = ReadingPreferences.with {
                $0.textSize = 7
                $0.width = .wide
                $0.font = .sans
                $0.gistLength = length
            }
            _ = try roundTrip(chosen)
            #expect(GistLength(storedValue: length.storedValue) == length)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                ReadingPreferences.self, from: Data(#"{"gistLength":"0-sentences"}"#.utf8))
        }
    }

    @Test(arguments: [(109, 1), (110, 1), (329, 1), (330, 2), (1_730, 8)])
    func `reading takes a minute for every 220 words`(words: Int, minutes: Int) {
        var item = ArticleItem()
        (item.fetch, item.words) = (.fetched, words)
        #expect(item.minutes == minutes)
    }

    @Test(arguments: [Int.max, Int.min]) func `numbers from damaged rows do not stop the program`(number: Int)
    {
        var item = ArticleItem()
        (item.fetch, item.words) = (.fetched, number)
        #expect(item.minutes != nil)
        var highlight = Highlight()
        (highlight.start, highlight.quote) = (number, "boat")
        #expect(MarkupText("<p>A boat</p>").range(of: highlight) == 2..<6)
    }

    @Test func `details of two articles that are the same page are united`() {
        let (early, late) = (Date(timeIntervalSince1970: 100), Date(timeIntervalSince1970: 200))
        var (kept, other) = (ArticleDetails(), ArticleDetails())
        (kept.title, kept.state, kept.archivedAt) = ("Page", .archived, late)
        (kept.createdAt, kept.savedAt, kept.openedAt, kept.progress) = (late, early, late, 0.25)
        (other.title, other.titleIsGiven, other.category) = ("Mine", true, "Science")
        (other.isFavorite, other.createdAt, other.savedAt) = (true, early, late)
        (other.openedAt, other.progress) = (early, 0.5)
        kept.merge(other)
        #expect(kept.title == "Mine" && kept.titleIsGiven && kept.category == "Science")
        #expect(kept.state == .unread && kept.archivedAt == nil && kept.isFavorite)
        #expect(kept.createdAt == early && kept.savedAt == late)
        #expect(kept.openedAt == late && kept.progress == 0.5)
    }
}
