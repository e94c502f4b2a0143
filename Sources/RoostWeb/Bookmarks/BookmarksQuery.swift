import HTTPServer
package import RoostServices

/// What the address of the bookmarks asks for: a part of them, and how it is shown where that differs from the choices.
package struct BookmarksQuery: Hashable, Sendable {
    package var text = ""
    package var tag = ""
    package var grouping: GroupingOption?
    package var sort: RepositorySort?
    package var isChangedOnly = false
    /// Of a hundred rows each, 1 to `pageLimit`.
    package var pages = 1

    /// A page of more rows than these would be slow in the browser; filters and tags lead to the others.
    package static let pageLimit = 20
    /// Longer words find nothing, and would be carried from page to page.
    private static let limit = 200

    package init() {}

    init(_ query: Query) {
        text = Self.cut(query["text"])
        tag = Self.cut(query["tag"])
        grouping = query["group"].flatMap(GroupingOption.init)
        sort = query["sort"].flatMap(RepositorySort.init)
        isChangedOnly = query["changed"] == "1"
        pages = min(max(1, query["pages"].flatMap { Int($0) } ?? 1), Self.pageLimit)
    }

    /// Of an address's query as text; what it does not know is left out.
    package init(carried: String?) {
        self.init()
        if let carried, let query = try? Query(parsing: carried) { self = BookmarksQuery(query) }
    }

    package var isFiltering: Bool { !text.allSatisfy(\.isWhitespace) || !tag.isEmpty || isChangedOnly }

    /// The service's words for it.
    package func serviceQuery(over choices: RepositoryChoices) -> BookmarkListing.Query {
        BookmarkListing.Query(
            arrangement: RepositoryArrangement(
                grouping: grouping ?? choices.grouping, sort: sort ?? choices.sort, text: text),
            tag: tag.isEmpty ? nil : tag, isChangedOnly: isChangedOnly, pages: pages)
    }

    /// The page with these wishes: "/bookmarks?text=nio&pages=2".
    package var path: String { address.isEmpty ? "/bookmarks" : "/bookmarks?\(address)" }

    /// "text=nio&sort=stars": the same for the same wishes, "" for none.
    package var address: String {
        pairs.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// The same with one more page.
    package var more: BookmarksQuery { changed { $0.pages += 1 } }

    /// From the first page on: what another filter finds begins there.
    package func changed(_ change: (inout BookmarksQuery) -> Void) -> BookmarksQuery {
        var query = self
        change(&query)
        return query
    }

    /// The wishes that the filter's own field does not hold; the pages begin anew.
    package var overrides: [(name: String, value: String)] {
        pairs.filter { $0.name != "text" && $0.name != "pages" }
    }

    private var pairs: [(name: String, value: String)] {
        let all: [(String, String?)] = [
            ("text", text), ("tag", tag), ("changed", isChangedOnly ? "1" : nil),
            ("group", grouping?.rawValue), ("sort", sort?.rawValue), ("pages", pages > 1 ? "\(pages)" : nil),
        ]
        return all.compactMap { name, value in
            guard let value, !value.isEmpty else { return nil }
            return (name: name, value: value)
        }
    }

    private static func cut(_ text: String?) -> String { String((text ?? "").unicodeScalars.prefix(limit)) }
}
