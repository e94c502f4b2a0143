import Foundation
import Testing

@testable import GitHub
@testable import RoostSupport
@testable import RoostWeb

@Suite struct BookmarkJSONTests {
    private func object(_ bookmark: Bookmark) throws -> [String: Any] {
        let data = try JSONEncoder().encode(BookmarkJSON(bookmark))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `a bookmark carries its stored detail in the models' names`() throws {
        let json = try object(Bookmark.samples[1])
        #expect(json["fullName"] as? String == "groue/GRDB.swift" && json["state"] as? String == "present")
        #expect(json["tags"] as? [String] == ["database"])
        #expect((json["note"] as? String)?.hasPrefix("WAL mode") == true)
        #expect(json["changes"] as? [String] == ["renamed from groue/GRDB", "−3 stars"])
        #expect(json["addedAt"] as? String == "2025-11-18T09:41:00.000Z")
        #expect(json["checkedAt"] as? String == "2025-11-20T07:41:00.000Z")
        let repository = try #require(json["repository"] as? [String: Any])
        #expect(repository["id"] as? Int == 2_000 && repository["nodeId"] as? String == "R_2")
        #expect(repository["htmlURL"] as? String == "https://github.com/groue/GRDB.swift")
        #expect((repository["owner"] as? [String: Any])?["type"] as? String == "Organization")
        let detail = try #require(repository["detail"] as? [String: Any])
        #expect(detail["stars"] as? Int == 8_201 && detail["licence"] as? String == "MIT")
        #expect(detail["pushedAt"] as? String == "2025-11-19T09:41:00.000Z")
        #expect(detail["homepage"] == nil, "an absent optional is left out")
    }

    @Test func `one that was never looked up has no repository and no time of a check`() throws {
        let json = try object(Bookmark.samples[4])
        #expect(json["state"] as? String == "unresolved")
        #expect(json["repository"] == nil && json["checkedAt"] == nil)
        #expect(json["changes"] as? [String] == [] && json["note"] as? String == "")
    }

    @Test func `a cursor finds its place again whatever came or went in front of it`() throws {
        let cursor = try BookmarkCursor(parsing: "3.70")
        #expect(cursor.description == "3.70")
        #expect(cursor.place(in: [90, 80, 70, 60]) == 3)
        #expect(cursor.place(in: [99, 90, 80, 70, 60]) == 4, "one came in front")
        #expect(cursor.place(in: [90, 80, 60]) == 3, "the last one sent is gone itself")
        #expect(cursor.place(in: [90]) == 1)
        let far = BookmarkCursor(shown: 302, last: 70)
        #expect(far.place(in: [80, 70, 60], from: 200) == 2)
        #expect(far.place(in: Array(1...150).map { $0 + 1_000 }, from: 200) == 102)
    }

    @Test(arguments: ["", "3", "3.", ".7", "0.7", "3.-1", "3.7.1", "x.y", "99999999999999999999.1", "-1.7"])
    func `a cursor that is none of ours is refused`(text: String) {
        #expect(throws: RoostError.self) { try BookmarkCursor(parsing: text) }
    }
}
