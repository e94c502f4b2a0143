import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb

@Suite struct BookmarkJSONTests {
    private func object(_ bookmark: Bookmark) throws -> [String: Any] {
        let data = try JSONEncoder().encode(BookmarkJSON(bookmark))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `a bookmark has its stored detail under the model's names`() throws {
        let json = try object(Bookmark.samples[1])
        #expect(json["fullName"] as? String == "groue/GRDB.swift" && json["state"] as? String == "present")
        #expect(json["tags"] as? [String] == ["database"])
        #expect((json["note"] as? String)?.hasPrefix("WAL mode") == true)
        #expect(json["changes"] as? [String] == ["renamed from groue/GRDB", "−3 stars"])
        #expect(json["addedAt"] as? String == "2025-11-18T09:41:00Z")
        #expect(json["checkedAt"] as? String == "2025-11-20T07:41:00Z")
        let repository = try #require(json["repository"] as? [String: Any])
        #expect(repository["id"] as? String == "2000" && repository["nodeId"] as? String == "R_2")
        #expect(repository["htmlURL"] as? String == "https://github.com/groue/GRDB.swift")
        #expect((repository["owner"] as? [String: Any])?["type"] as? String == "Organization")
        let detail = try #require(repository["detail"] as? [String: Any])
        #expect(detail["stars"] as? Int == 8_201 && detail["licence"] as? String == "MIT")
        #expect(detail["pushedAt"] as? String == "2025-11-19T09:41:00Z")
        #expect(detail["homepage"] == nil, "a nil value is left out")
    }

    @Test func `a repository that was never looked up has no detail and no check time`() throws {
        let json = try object(Bookmark.samples[4])
        #expect(json["state"] as? String == "unresolved")
        #expect(json["repository"] == nil && json["checkedAt"] == nil)
        #expect(json["changes"] as? [String] == [] && json["note"] as? String == "")
    }

    @Test func `a cursor stays valid when bookmarks before it are added or removed`() {
        let cursor = BookmarkPosition(shown: 3, last: 70)
        #expect(cursor.startIndex(in: [90, 80, 70, 60]) == 3)
        #expect(cursor.startIndex(in: [99, 90, 80, 70, 60]) == 4, "one was added before it")
        #expect(cursor.startIndex(in: [90, 80, 60]) == 3, "the cursor's own bookmark is gone")
        #expect(cursor.startIndex(in: [90]) == 1)
        let far = BookmarkPosition(shown: 302, last: 70)
        #expect(far.startIndex(in: [80, 70, 60], from: 200) == 2)
        #expect(far.startIndex(in: Array(1...150).map { $0 + 1_000 }, from: 200) == 102)
    }
}
