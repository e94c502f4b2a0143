import Foundation
import Testing

@testable import ArticleText
@testable import Reading
@testable import TextFormats

@Suite struct ReadingModelTests {
    private let time = Date(timeIntervalSince1970: 1_794_312_000.25)

    private func roundTrip<Model: Codable & Equatable>(_ model: Model) throws -> [String: Any] {
        let data = try JSONEncoder().encode(model)
        #expect(try JSONDecoder().decode(Model.self, from: data) == model)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `an article comes through JSON with everything and with as little as may be`() throws {
        let bare = try Article(title: "T", url: "https://example.org/", userId: "1")
        #expect(try Set(roundTrip(bare).keys) == ["title", "url", "category", "userId"])
        #expect(bare.category == "Unsorted")
        let full = try Article(
            id: "7", title: "T", url: "https://example.org/", category: "Science", userId: "1",
            createdAt: time, updatedAt: time, gistCreated: true, gistId: "3")
        let json = try roundTrip(full)
        #expect(json.count == 9)
        #expect(json["createdAt"] as? String == "2026-11-10T12:00:00.250Z")
    }

    @Test func `a gist comes through JSON with everything and with as little as may be`() throws {
        let bare = try Gist(id: "3", title: "T", content: "C", userId: "1")
        #expect(try Set(roundTrip(bare).keys) == ["id", "title", "content", "userId"])
        let full = try Gist(
            id: "3", title: "T", content: "C", userId: "1", sourceUrl: "https://example.org/",
            category: "Science", createdAt: time, updatedAt: time)
        #expect(try roundTrip(full).count == 8)
    }

    @Test func `a shared item comes through JSON with everything and with as little as may be`() throws {
        let bare = try SharedItem(id: "1", url: "https://example.org/", createdAt: time, processed: false)
        #expect(try Set(roundTrip(bare).keys) == ["id", "url", "createdAt", "processed"])
        let full = try SharedItem(
            id: "1", url: "https://example.org/", title: "T", sourceApplication: "chat", createdAt: time,
            processed: true, sharedWith: "2", withdrawnAt: time, error: "No.")
        #expect(try roundTrip(full).count == 9)
    }

    @Test func `a request to save and its answer come through JSON`() throws {
        let bare = try StoreArticleRequest(url: "https://example.org/")
        #expect(try Set(roundTrip(bare).keys) == ["url", "autoCreateGist"])
        let full = try StoreArticleRequest(
            userId: "1", url: "https://example.org/", title: "T", category: "C", autoCreateGist: true)
        #expect(try roundTrip(full).count == 5)
        let given = #"{"url": "https://example.org/"}"#
        #expect(try JSONDecoder().decode(StoreArticleRequest.self, from: Data(given.utf8)) == bare)
        #expect(try roundTrip(GistaServiceResponse(message: "Article saved.")).count == 1)
        let answer = try GistaServiceResponse(
            message: "Article saved.", linkId: "7", gistId: "3", gistCreated: false)
        #expect(try roundTrip(answer).count == 4)
    }

    @Test func `a highlight comes through JSON`() throws {
        let highlight = Highlight(
            id: "00000000-0000-4000-8000-000000000001", articleId: 7, start: 1, end: 4, quote: "abc",
            before: "x", after: "y", note: "n", createdAt: time, updatedAt: time)
        let json = try roundTrip(highlight)
        #expect(json["articleId"] as? String == "7")
    }

    @Test func `what a model needs is not left out`() {
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

    @Test func `preferences come through JSON, and what is unknown is as if nobody had chosen`() throws {
        for length in [GistLength.automatic, .sentences(5), .words(100)] {
            let chosen = ReadingPreferences(textSize: 7, width: .wide, font: .sans, gistLength: length)
            _ = try roundTrip(chosen)
            #expect(GistLength(word: length.word) == length)
        }
        let odd = #"{"textSize": 99, "width": "vast", "font": "runes", "gistLength": "0-sentences"}"#
        let read = try JSONDecoder().decode(ReadingPreferences.self, from: Data(odd.utf8))
        #expect(read == ReadingPreferences(textSize: 7))
    }
}
