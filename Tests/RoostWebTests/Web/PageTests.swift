import Foundation
import Testing

@testable import HTTPServer
@testable import RoostSupport
@testable import RoostWeb
@testable import TextFormats

@Suite struct PageTests {
    private struct Position: Codable, Equatable {
        let time: Double
        let id: Int
    }

    private static let position = Position(time: 1_763_000_000.123_456, id: 7)

    private func request(_ query: String) throws -> Request { try Request(.get, "/list?\(query)") }

    @Test func `a page has its items and the cursor of the next page, which comes back as the position`()
        throws
    {
        let data = try JSONEncoder().encode(try Page(["a", "b"], next: Self.position))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["items"] as? [String] == ["a", "b"] && object.count == 2)
        let next = try #require(object["next"] as? String)
        #expect(PercentEncoding.encode(next) == next)
        #expect(try request("cursor=\(next)").cursor(Position.self) == Self.position)
    }

    @Test func `the last page's next is null`() throws {
        for page in [Page(["a"]), try Page(["a"], next: Position?.none)] {
            let data = try JSONEncoder().encode(page)
            let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(object["next"] is NSNull)
        }
    }

    /// Reads a list in pages of two, and changes it after the first.
    private func read(_ first: [String], then changed: [String]) throws -> [String] {
        var (items, next) = try request("limit=2").items(of: first) { $0 }
        while let position = next {
            let cursor = try Cursor.text(position)
            let page = try request("limit=2&cursor=\(cursor)").items(of: changed) { $0 }
            items += page.items
            next = page.next
        }
        return items
    }

    @Test(
        arguments: [
            (["a", "b", "c", "d", "e"], "abcde"), (["n", "a", "b", "c"], "abc"), (["b", "c", "d"], "abcd"),
            (["a", "c", "d"], "abcd"), (["a", "b"], "ab"), ([], "ab"),
            // Nothing of the first page is left, so the next one begins at the start.
            (["c", "d"], "abcd"),
        ] as [([String], String)])
    func `pages of a whole list hide nothing that was there all the time`(
        changed: [String], items: String
    ) throws {
        #expect(try read(["a", "b", "c", "d", "e"], then: changed).joined() == items)
    }

    @Test func `a whole list is one page without a limit`() throws {
        let all = (0..<2_000).map { "\($0)" }
        let page = try request("").items(of: all) { $0 }
        #expect(page.items == all && page.next == nil)
        #expect(try request("").items(of: [String]()) { $0 }.items == [])
        #expect(throws: RoostError.self) { try request("cursor=x").items(of: all) { $0 } }
    }

    @Test func `the same position always has the same cursor`() throws {
        let first = try Cursor.text(Self.position)
        for _ in 0..<20 { #expect(try Cursor.text(Self.position) == first) }
    }

    /// `e30` is an empty object, `eyJpZCI6N30` an object without the time.
    @Test(arguments: ["x", "%25%25%25", "7", "e30", "eyJpZCI6N30", String(repeating: "A", count: 5_000)])
    func `a cursor of nonsense or of another list is refused`(cursor: String) throws {
        let request = try request("cursor=\(cursor)")
        #expect(throws: RoostError.invalid(field: "cursor", why: "Load the list again.")) {
            try request.cursor(Position.self)
        }
    }

    @Test func `without a cursor a list begins at its start`() throws {
        for query in ["", "cursor="] {
            let page = try request(query).page(Position.self, default: 20, maximum: 50)
            #expect(page.limit == 20 && page.after == nil)
        }
    }

    @Test(arguments: [("limit=3", 3), ("limit=50", 50), ("limit=51", 50), ("limit=", 20)])
    func `a limit is taken up to the maximum`(query: String, limit: Int) throws {
        #expect(try request(query).limit(default: 20, maximum: 50) == limit)
    }

    @Test(arguments: ["0", "-1", "x", "1.5", "99999999999999999999"])
    func `a limit that is no number above 0 is refused`(limit: String) throws {
        let request = try request("limit=\(limit)")
        let refusal = RoostError.invalid(field: "limit", why: "“limit” must be a whole number above 0.")
        #expect(throws: refusal) { try request.limit(default: 20, maximum: 50) }
    }
}
