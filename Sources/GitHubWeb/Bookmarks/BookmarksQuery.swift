import GitHub
import HTTPServer
import TextFormats

/// The query of the bookmarks page. Nil fields use the stored choices.
struct BookmarksQuery: Hashable, Sendable {
    var text = ""
    var tag = ""
    var grouping: GroupingOption?
    var sort: RepositorySort?
    var isChangedOnly = false
    /// From 1 to `pageLimit`, with a hundred rows each.
    var pages = 1

    /// More rows would be slow in the browser; filters and tags reach the rest.
    static let pageLimit = 20
    /// In Unicode scalars. Longer text finds nothing and would bloat every link.
    private static let limit = 200

    init() {}

    init(_ query: Query) {
        text = Self.cut(query["text"])
        tag = Self.cut(query["tag"])
        grouping = query["group"].flatMap(GroupingOption.init)
        sort = query["sort"].flatMap(RepositorySort.init)
        isChangedOnly = query["changed"] == "1"
        pages = min(max(1, query["pages"].flatMap { Int($0) } ?? 1), Self.pageLimit)
    }

    /// Reads the query of an address and drops unknown fields.
    init(carried: String?) {
        self.init()
        if let carried, let query = try? Query(parsing: carried) { self = BookmarksQuery(query) }
    }

    var isFiltering: Bool { !text.allSatisfy(\.isWhitespace) || !tag.isEmpty || isChangedOnly }

    func serviceQuery(over choices: RepositoryListPreferences) -> BookmarkListing.Query {
        BookmarkListing.Query(
            arrangement: RepositoryArrangement(
                grouping: grouping ?? choices.grouping, sort: sort ?? choices.sort, text: text),
            tag: tag.isEmpty ? nil : tag, isChangedOnly: isChangedOnly, pages: pages)
    }

    var path: String {
        let address = address
        return address.isEmpty ? "/bookmarks" : "/bookmarks?\(address)"
    }

    /// For example "text=nio&sort=stars"; equal queries give equal text, and an empty one gives "".
    var address: String {
        pairs.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    var more: BookmarksQuery { changed { $0.pages += 1 } }

    func changed(_ change: (inout BookmarksQuery) -> Void) -> BookmarksQuery {
        var query = self
        change(&query)
        return query
    }

    /// Omits `pages`, so that filtering starts at the first page.
    var overrides: [(name: String, value: String)] {
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
