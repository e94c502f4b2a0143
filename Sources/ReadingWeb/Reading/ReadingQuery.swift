import HTTPServer
import Reading
import TextFormats

struct ReadingQuery: Hashable, Sendable {
    var list = ArticleFilter.List.unread
    var category = ""
    var tag = ""
    var site = ""
    var text = ""
    var sort = ArticleSort.newest
    /// From the previous page; nil for the start.
    var cursor: String?
    /// From 1 to `pageLimit`.
    var pages = 1

    /// More rows would be slow in the browser; the list continues on a new page.
    static let pageLimit = 10
    /// In Unicode scalars. Longer text finds nothing and would bloat every link.
    private static let limit = 200

    init() {}

    init(_ query: Query) {
        list = query["list"].flatMap(ArticleFilter.List.init) ?? .unread
        category = Self.cut(query["category"])
        tag = Self.cut(query["tag"])
        site = Self.cut(query["site"])
        text = Self.cut(query["text"])
        sort = query["sort"].flatMap(ArticleSort.init) ?? .newest
        cursor = query["cursor"].flatMap { $0.isEmpty ? nil : $0 }
        pages = min(max(1, query["pages"].flatMap { Int($0) } ?? 1), Self.pageLimit)
    }

    /// Reads the query of an address and drops unknown fields.
    init(carried: String?) {
        self.init()
        if let carried, let query = try? Query(parsing: carried) { self = ReadingQuery(query) }
    }

    var filter: ArticleFilter {
        func nonBlank(_ text: String) -> String? { text.isBlank ? nil : text }
        return ArticleFilter(
            list: list, category: nonBlank(category), tag: nonBlank(tag), site: nonBlank(site),
            text: nonBlank(text),
            sort: sort)
    }

    var isFiltering: Bool {
        ![category, tag, site, text].allSatisfy(\.isBlank)
    }

    var path: String {
        let address = address
        return address.isEmpty ? "/reading" : "/reading?\(address)"
    }

    /// For example "list=all&tag=swift"; equal queries give equal text, and an empty one gives "".
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

    /// The query with one more page, or nil at the limit.
    var more: ReadingQuery? {
        guard pages < Self.pageLimit else { return nil }
        var query = self
        query.pages += 1
        return query
    }

    /// Returns a changed copy that starts at the first page.
    func changed(_ change: (inout ReadingQuery) -> Void) -> ReadingQuery {
        var query = self
        (query.cursor, query.pages) = (nil, 1)
        change(&query)
        return query
    }

    func overrides(but fields: Set<String>) -> [(name: String, value: String)] {
        pairs.filter {
            !$0.value.isEmpty && !fields.contains($0.name) && !["cursor", "pages"].contains($0.name)
        }
    }

    /// Empty values are omitted from addresses.
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
    var title: String {
        switch self {
        case .unread: "Unread"
        case .archived: "Archived"
        case .favorites: "Starred"
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
