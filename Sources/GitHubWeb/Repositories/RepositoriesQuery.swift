import GitHub
import HTTPServer
import TextFormats

/// The query of the repositories pages. Nil fields use the stored choices.
struct RepositoriesQuery: Hashable, Sendable {
    var list = RepositoryList.all(since: 0)
    var pages = 1
    var grouping: GroupingOption?
    var sort: RepositorySort?
    var text = ""

    /// A longer list continues in a new view.
    static let maximumPages = 20
    /// In Unicode scalars. Longer text finds nothing and would bloat every link.
    private static let limit = 256

    init() {}

    private static let fields = ["q", "trending", "since", "pages", "group", "sort", "text"]

    static func isPresent(in query: Query) -> Bool { fields.contains { query[$0] != nil } }

    init(_ query: Query) {
        let searchText = Self.cut(query["q"])
        if !searchText.isEmpty {
            list = .search(query: searchText, sort: query["order"].flatMap(RepositoryList.SearchSort.init))
        } else if let period = query["trending"].flatMap(RepositoryList.TrendingPeriod.init) {
            let language = Self.cut(query["language"])
            list = .trending(period, language: language.isEmpty ? nil : language)
        } else {
            list = .all(since: max(0, query["since"].flatMap(RepositoryID.init) ?? 0))
        }
        pages = min(max(1, query["pages"].flatMap { Int($0) } ?? 1), Self.maximumPages)
        grouping = query["group"].flatMap(GroupingOption.init)
        sort = query["sort"].flatMap(RepositorySort.init)
        text = Self.cut(query["text"])
    }

    /// Reads the query of an address and drops unknown fields.
    init(carried: String?) {
        self.init()
        if let carried, let query = try? Query(parsing: carried) { self = RepositoriesQuery(query) }
    }

    /// Overrides the stored choices with those in the address.
    func choices(over stored: RepositoryListPreferences) -> RepositoryListPreferences {
        var choices = stored
        choices.grouping = grouping ?? stored.grouping
        choices.sort = sort ?? stored.sort
        return choices
    }

    func arrangement(_ choices: RepositoryListPreferences) -> RepositoryArrangement {
        RepositoryArrangement(grouping: choices.grouping, sort: choices.sort, text: text)
    }

    /// For example "since=369&pages=2&group=language"; equal queries give equal text.
    var address: String {
        pairs.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    var suffix: String { "?\(address)" }

    var pairs: [(name: String, value: String)] {
        var pairs: [(name: String, value: String?)] = []
        switch list {
        case .all(let since): pairs.append(("since", "\(since)"))
        case .search(let searchText, let order):
            pairs += [("q", searchText), ("order", order?.rawValue)]
        case .trending(let period, let language):
            pairs += [("trending", period.rawValue), ("language", language)]
        }
        pairs += [
            ("pages", pages > 1 ? "\(pages)" : nil), ("group", grouping?.rawValue),
            ("sort", sort?.rawValue), ("text", text),
        ]
        return pairs.compactMap { name, value in
            guard let value, !value.isEmpty else { return nil }
            return (name: name, value: value)
        }
    }

    var more: RepositoriesQuery {
        var more = self
        more.pages = min(pages + 1, Self.maximumPages)
        return more
    }

    private static func cut(_ text: String?) -> String {
        let text = String((text ?? "").unicodeScalars.prefix(limit))
        return text.allSatisfy(\.isWhitespace) ? "" : text
    }
}
