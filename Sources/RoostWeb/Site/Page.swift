import Foundation
package import HTTPServer
import RoostSupport
import TextFormats

/// A page of a list as JSON; `next` is the cursor of the next page, or null on the last.
package struct Page<Item: Encodable>: Encodable {
    private let items: [Item]
    private let next: API.Nullable<String>

    /// For a list with one page.
    package init(_ items: [Item]) {
        self.items = items
        next = API.Nullable(nil)
    }

    /// - Parameter next: the position after the last item, or nil on the last page
    package init(_ items: [Item], next: (some Encodable)?) throws {
        self.items = items
        self.next = API.Nullable(try next.map { try Cursor.text($0) })
    }
}

extension Page: JSONExamples {
    package static var examples: [Page] { [Page([])] }
}

extension APIOperation {
    /// Answers a page of a list.
    package static func lists<Item: Encodable & SendableMetatype>(
        _ type: Item.Type, _ summary: String
    ) -> APIOperation {
        answers(Page<Item>.self, summary)
    }
}

/// Where a list that is read as a whole continues: after the first of these items that it still has.
package struct ListPosition: Codable, Sendable {
    /// The last items sent, the last one first: it may be removed before the next page is read.
    fileprivate let after: [String]

    fileprivate static let count = 3
}

/// A position in a list as opaque, URL-safe text. Each list has a type for its positions.
package enum Cursor {
    /// In bytes. The longest position is an article's title.
    private static let maximumLength = 2_000

    package static func text(_ position: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        // The same position must give the same address.
        encoder.outputFormatting = .sortedKeys
        return Base64URL.encode(try encoder.encode(position))
    }

    /// Cursors are not signed: any value of the type may come back. Throws `RoostError.invalidCursor`.
    package static func position<Position: Decodable>(_ text: String) throws -> Position {
        guard text.utf8.count <= maximumLength, let data = Base64URL.decode(text),
            let position = try? JSONDecoder().decode(Position.self, from: data)
        else { throw RoostError.invalidCursor }
        return position
    }
}

extension Request {
    /// The parameters of `items(of:)`.
    package static let paging: [APIParameter] = ["limit", "cursor"]

    /// The parameters of `page(_:default:maximum:)`.
    package static func paging(_ standard: Int, atMost maximum: Int) -> [APIParameter] {
        [.limit(standard, atMost: maximum), "cursor"]
    }

    /// Returns the page of a list that is read as a whole: all of it without `?limit=`. It begins after the last item of
    /// the page before, wherever that is now, so that changes in between hide nothing.
    ///
    /// - Parameter id: identifies an item in the list
    package func items<Item>(
        of all: [Item], id: (Item) -> String
    ) throws -> (items: [Item], next: ListPosition?) {
        let limit = try self.limit(default: max(all.count, 1), maximum: .max)
        let position = try cursor(ListPosition.self)
        let last = (position?.after ?? []).compactMap { sent in all.lastIndex { id($0) == sent } }.first
        let rest = all[(last.map { $0 + 1 } ?? 0)...]
        let items = Array(rest.prefix(limit))
        guard items.count < rest.count else { return (items, nil) }
        return (items, ListPosition(after: items.suffix(ListPosition.count).reversed().map(id)))
    }

    /// The size of a list's page from `?limit=`, and from `?cursor=` the position after which it begins.
    package func page<Position: Decodable>(
        _ type: Position.Type, default standard: Int, maximum: Int
    ) throws -> (limit: Int, after: Position?) {
        (try limit(default: standard, maximum: maximum), try cursor(type))
    }

    /// Throws `RoostError.invalid` unless `?limit=` is missing or a number above 0. Larger ones give `maximum`.
    package func limit(default standard: Int, maximum: Int) throws -> Int {
        guard let text = query["limit"], !text.isEmpty else { return standard }
        guard let limit = Int(text), limit > 0 else {
            throw RoostError.invalid(field: "limit", why: "“limit” must be a whole number above 0.")
        }
        return min(limit, maximum)
    }

    /// Returns nil without `?cursor=`. Throws `RoostError.invalidCursor`.
    package func cursor<Position: Decodable>(_ type: Position.Type) throws -> Position? {
        guard let text = query["cursor"], !text.isEmpty else { return nil }
        return try Cursor.position(text)
    }
}
