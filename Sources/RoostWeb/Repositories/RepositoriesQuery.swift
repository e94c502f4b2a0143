import GitHub
import HTTPServer
import TextFormats

/// What an address of the explorer asks for: which list, how much of it, and how it is shown where that differs from
/// the stored choices.
struct RepositoriesQuery: Hashable, Sendable {
    var list = RepositoryList.all(since: 0)
    var pages = 1
    var grouping: GroupingOption?
    var sort: RepositorySort?
    var text = ""

    /// A view shows no more; behind it the list goes on in a view of its own.
    static let maximumPages = 20
    /// Longer words find nothing, and would be carried from page to page.
    private static let limit = 256

    init() {}

    /// What names a list, or says how it is shown.
    private static let fields = ["q", "trending", "since", "pages", "group", "sort", "text"]

    /// Whether an address asks for a list at all.
    static func isAsked(in query: Query) -> Bool { fields.contains { query[$0] != nil } }

    init(_ query: Query) {
        let words = Self.cut(query["q"])
        if !words.isEmpty {
            list = .search(query: words, sort: query["order"].flatMap(RepositoryList.SearchSort.init))
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

    /// Reads the query of an address; unknown fields are dropped.
    init(carried: String?) {
        self.init()
        if let carried, let query = try? Query(parsing: carried) { self = RepositoriesQuery(query) }
    }

    /// The stored choices with what the address says instead.
    func choices(over stored: RepositoryChoices) -> RepositoryChoices {
        var choices = stored
        choices.grouping = grouping ?? stored.grouping
        choices.sort = sort ?? stored.sort
        return choices
    }

    /// How the loaded rows are shown.
    func arrangement(_ choices: RepositoryChoices) -> RepositoryArrangement {
        RepositoryArrangement(grouping: choices.grouping, sort: choices.sort, text: text)
    }

    /// "since=369&pages=2&group=language": the same for the same wishes.
    var address: String {
        pairs.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// `address` behind a "?".
    var suffix: String { "?\(address)" }

    var pairs: [(name: String, value: String)] {
        var pairs: [(name: String, value: String?)] = []
        switch list {
        case .all(let since): pairs.append(("since", "\(since)"))
        case .search(let words, let order):
            pairs += [("q", words), ("order", order?.rawValue)]
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

    /// The same wishes, one page further.
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
