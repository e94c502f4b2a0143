import HTTPServer
import Reading
import TextFormats

/// The query of the reading list's page: which articles are shown, and in which order.
struct ReadingQuery: Hashable, Sendable {
    var list = ArticleFilter.List.unread
    var category = ""
    var tag = ""
    var site = ""
    var text = ""
    var sort = ArticleSort.newest
    /// Where the page begins: what the service answered with the page before.
    var cursor: String?
    /// How many pages are shown at once, 1 to `pageLimit`.
    var pages = 1

    /// A page of more rows than these would be slow in the browser; the next ones begin a page of their own.
    static let pageLimit = 10
    /// Longer text finds nothing, and would be in every link.
    private static let limit = 200

    init() {}

    init(_ query: Query) {
        list = query["list"].flatMap(ArticleFilter.List.init) ?? .unread
        category = Self.cut(query["category"])
        tag = Self.cut(query["tag"])
        site = Self.cut(query["site"])
        text = Self.cut(query["text"])
        sort = query["sort"].flatMap(ArticleSort.init) ?? .newest
        cursor = query["cursor"].flatMap { $0.isEmpty ? nil : String($0.prefix(1_000)) }
        pages = min(max(1, query["pages"].flatMap { Int($0) } ?? 1), Self.pageLimit)
    }

    /// Reads the query of an address; unknown fields are dropped.
    init(carried: String?) {
        self.init()
        if let carried, let query = try? Query(parsing: carried) { self = ReadingQuery(query) }
    }

    var filter: ArticleFilter {
        func given(_ text: String) -> String? { text.isBlank ? nil : text }
        return ArticleFilter(
            list: list, category: given(category), tag: given(tag), site: given(site), text: given(text),
            sort: sort)
    }

    /// Whether it leaves out articles of the list.
    var isFiltering: Bool {
        ![category, tag, site, text].allSatisfy(\.isBlank)
    }

    /// "/reading?list=all&tag=swift".
    var path: String { address.isEmpty ? "/reading" : "/reading?\(address)" }

    /// "list=all&tag=swift": equal queries have equal text, "" if nothing is asked for.
    var address: String {
        var address = ""
        for (name, value) in pairs where !value.isEmpty {
            if !address.isEmpty { address += "&" }
            address += name
            address += "="
            address += PercentEncoding.encode(value)
        }
        return address
    }

    /// The same with one more page; nil where so many are not shown at once.
    var more: ReadingQuery? {
        guard pages < Self.pageLimit else { return nil }
        var query = self
        query.pages += 1
        return query
    }

    /// A changed copy, from the first page on.
    func changed(_ change: (inout ReadingQuery) -> Void) -> ReadingQuery {
        var query = self
        (query.cursor, query.pages) = (nil, 1)
        change(&query)
        return query
    }

    /// What a form that changes these fields carries along.
    func overrides(but fields: Set<String>) -> [(name: String, value: String)] {
        pairs.filter {
            !$0.value.isEmpty && !fields.contains($0.name) && !["cursor", "pages"].contains($0.name)
        }
    }

    /// An empty value is left out of an address.
    private var pairs: [(name: String, value: String)] {
        [
            ("list", list == .unread ? "" : list.rawValue), ("category", category), ("tag", tag),
            ("site", site), ("text", text), ("sort", sort == .newest ? "" : sort.rawValue),
            ("cursor", cursor ?? ""), ("pages", pages > 1 ? "\(pages)" : ""),
        ]
    }

    private static func cut(_ text: String?) -> String { String((text ?? "").unicodeScalars.prefix(limit)) }
}

extension ArticleFilter.List {
    /// What the page calls it.
    var title: String {
        switch self {
        case .unread: "Unread"
        case .archived: "Archived"
        case .favorites: "Favourites"
        case .all: "All"
        case .failed: "Failed"
        case .suggested: "Suggested for you"
        }
    }
}

extension ArticleSort {
    var title: String {
        switch self {
        case .newest: "Newest first"
        case .oldest: "Oldest first"
        case .title: "Title"
        case .site: "Site"
        case .shortest: "Shortest first"
        case .longest: "Longest first"
        }
    }
}
