import Foundation
import Testing

@testable import Reading
@testable import RoostSupport
@testable import TextFormats

/// Reading lists are exported and imported again.
@Suite struct FilesExportTests {
    private static let everything = """
        {"program":"Roost","kind":"reading","version":1,"exportedAt":"2026-01-01T00:00:00.000Z","articles":[
        {"url":"https://example.org/one?a=1","title":"=One & <two>","titleIsGiven":true,"category":"Science",
        "state":"archived","isFavorite":true,"tags":["swift","server side"],"author":"Ada","language":"de",
        "excerpt":"What it is","createdAt":"2025-01-02T03:04:05.678Z","savedAt":"2025-01-03T00:00:00.000Z",
        "updatedAt":"2025-01-04T00:00:00.000Z","archivedAt":"2025-01-05T00:00:00.000Z",
        "openedAt":"2025-01-04T12:00:00.000Z","publishedAt":"2024-12-01T00:00:00.000Z","progress":0.25,
        "image":"https://example.org/p.png",
        "highlights":[{"quote":"a passage","note":"mine","start":7,"end":16,"before":"before ","after":" after",
        "createdAt":"2025-01-04T00:00:00.000Z","updatedAt":"2025-01-04T01:00:00.000Z"}],
        "gist":{"title":"=One & <two>","content":"Short.","category":"Science","sourceUrl":"https://example.org/one?a=1",
        "method":"extractive","note":"Made here.","isEdited":true,"createdAt":"2025-01-04T00:00:00.000Z",
        "updatedAt":"2025-01-04T02:00:00.000Z"}},
        {"url":"https://example.org/two","title":"Two","savedAt":"2025-01-01T00:00:00.000Z"}],
        "gists":[{"title":"Alone","content":"Of a pasted text.","method":"own","createdAt":"2025-02-01T00:00:00.000Z",
        "updatedAt":"2025-02-01T00:00:00.000Z"}]}
        """

    private func export(
        _ format: ArticleExport.Format, of user: UserID, _ fixture: FilesFixture
    ) async throws -> String {
        String(decoding: try await fixture.exports.export(format, of: user).bytes(), as: UTF8.self)
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    // MARK: JSON

    @Test func `a JSON export that another user imports gives the same list`() async throws {
        try await withReadingFiles { fixture in
            let done = try await fixture.importFile(Self.everything)
            #expect(done.added == 3 && done.failed == 0 && done.format == .roost)
            let exported = try await export(.json, of: fixture.ada, fixture)
            let other = try await fixture.importFile(exported, by: fixture.grace)
            #expect(other.added == 3)
            #expect(try await export(.json, of: fixture.grace, fixture) == exported)
        }
    }

    @Test func `the JSON has every field and a version, but no ids`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(Self.everything)
            let file = try json(try await export(.json, of: fixture.ada, fixture))
            #expect(file["version"] as? Int == 1 && file["kind"] as? String == "reading")
            let articles = try #require(file["articles"] as? [[String: Any]])
            #expect(articles.map { $0["title"] as? String } == ["=One & <two>", "Two"])
            let one = articles[0]
            #expect(one["state"] as? String == "archived" && one["isFavorite"] as? Bool == true)
            #expect(one["createdAt"] as? String == "2025-01-02T03:04:05.678Z")
            #expect(
                one["tags"] as? [String] == ["swift", "server side"] && one["progress"] as? Double == 0.25)
            let highlight = try #require((one["highlights"] as? [[String: Any]])?.first)
            #expect(highlight["quote"] as? String == "a passage" && highlight["start"] as? Int == 7)
            #expect((one["gist"] as? [String: Any])?["content"] as? String == "Short.")
            #expect(one["id"] == nil && one["userId"] == nil)
            #expect((file["gists"] as? [[String: Any]])?.count == 1)
        }
    }

    @Test func `an empty list is exported too`() async throws {
        try await withReadingFiles { fixture in
            let file = try json(try await export(.json, of: fixture.ada, fixture))
            #expect((file["articles"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `a long list is exported in chunks, each article once`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(FilesFixture.addresses(1_000))
            let export = try await fixture.exports.export(.json, of: fixture.ada)
            #expect(export.count == 1_000)
            var (text, longest) = ([UInt8](), 0)
            for try await chunk in export.chunks {
                longest = max(longest, chunk.count)
                text += chunk
            }
            let articles = try json(String(decoding: text, as: UTF8.self))["articles"] as? [[String: Any]]
            let addresses = Set((articles ?? []).compactMap { $0["url"] as? String })
            #expect(articles?.count == 1_000 && addresses.count == 1_000)
            #expect(longest < text.count / 4)
        }
    }

    @Test func `an export has no other user's data`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(Self.everything)
            for format in ArticleExport.Format.allCases {
                let text = try await export(format, of: fixture.grace, fixture)
                #expect(!text.contains("example.org"))
            }
        }
    }

    @Test func `texts are exported on request and imported unchanged`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(
                """
                [{"title":"T","url":"https://example.org/a/b","created_at":"2020-01-01T00:00:00Z","annotations":
                [{"quote":"marked passage","text":"Why","created_at":"2020-01-02T00:00:00Z"}],
                "content":"<h2>Head</h2><p>A marked passage &amp; <a href='c'>link</a>.</p><p><img src='p.png' alt='P'></p>"}]
                """)
            let without = try await export(.json, of: fixture.ada, fixture)
            #expect(!without.contains("<p>"))
            let file = try await fixture.exports.export(.json, withTexts: true, of: fixture.ada).bytes()
            try await fixture.importFile(file, by: fixture.grace)
            #expect(try fixture.articles("fetch_state", of: fixture.grace) == ["fetched"])
            let reexported = try await fixture.exports.export(.json, withTexts: true, of: fixture.grace)
                .bytes()
            #expect(String(decoding: reexported, as: UTF8.self) == String(decoding: file, as: UTF8.self))
        }
    }

    // MARK: CSV and Netscape

    @Test func `no CSV cell is a formula, and the titles are imported unchanged`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(Self.everything)
            let text = try await export(.csv, of: fixture.ada, fixture)
            let lines = text.split(separator: "\r\n")
            #expect(lines.count == 3)
            #expect(lines[1].hasPrefix("https://example.org/one?a=1,'=One & <two>,Science,"))
            try await fixture.importFile(text, by: fixture.grace)
            #expect(try fixture.articles("title", of: fixture.grace) == ["=One & <two>", "Two"])
            #expect(try fixture.articles("state", of: fixture.grace) == ["archived", "unread"])
            #expect(try fixture.articles("category", of: fixture.grace) == ["Science", "Unsorted"])
        }
    }

    @Test func `a browser bookmarks file is imported with folders, tags and states`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(Self.everything)
            let text = try await export(.netscape, of: fixture.ada, fixture)
            #expect(text.hasPrefix("<!DOCTYPE NETSCAPE-Bookmark-file-1>"))
            #expect(text.contains("=One &amp; &lt;two&gt;</A>"))
            try await fixture.importFile(text, by: fixture.grace)
            for column in ["title", "category", "state", "'' || is_favorite", "given_url", "excerpt"] {
                #expect(
                    try fixture.articles(column, of: fixture.grace) == fixture.articles(column), "\(column)")
            }
            let tags = try fixture.services.sql(
                String.self, "SELECT tag FROM article_tags WHERE user_id = \(fixture.grace) ORDER BY place")
            #expect(tags == ["swift", "server side"])
        }
    }

    @Test func `a file's name contains its content and the day`() async throws {
        try await withReadingFiles { fixture in
            let exports = fixture.exports
            let names = [
                try await exports.export(.json, of: fixture.ada).fileName,
                try await exports.export(.netscape, of: fixture.ada).fileName,
                try await exports.export(.csv, of: fixture.ada).fileName,
            ]
            #expect(
                names == [
                    "reading-list-2026-11-10.json", "reading-list-2026-11-10.html",
                    "reading-list-2026-11-10.csv",
                ])
        }
    }
}
