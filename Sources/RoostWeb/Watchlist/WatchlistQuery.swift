import HTTPServer
import Market
import TextFormats

/// What a watchlist's address asks for: which list, and which of its coins.
struct WatchlistQuery: Equatable, Sendable {
    /// Nil: the first of the user's lists.
    var list: WatchlistID?
    /// Only coins of this category; nil for all.
    var category: String?
    /// The coins stand under the names of their categories.
    var isGrouped = false

    init(list: WatchlistID? = nil, category: String? = nil, isGrouped: Bool = false) {
        (self.list, self.category, self.isGrouped) = (list, category, isGrouped)
    }

    init(_ query: Query) {
        // What is no number names no list: the answer is 404, not another list.
        list = query["list"].map { WatchlistID($0) ?? 0 }
        category = query["category"].flatMap { $0.isBlank ? nil : String($0.prefix(64)) }
        isGrouped = query["group"] == "category"
    }

    /// The list that a form is about.
    init(_ form: Form) { list = form["list"].map { WatchlistID($0) ?? 0 } }

    /// The query of an address: "?list=3&category=DeFi", "" if nothing is asked for.
    var text: String {
        var fields: [String] = []
        if let list { fields.append("list=\(list)") }
        if let category { fields.append("category=\(PercentEncoding.encode(category))") }
        if isGrouped { fields.append("group=category") }
        return fields.isEmpty ? "" : "?" + fields.joined(separator: "&")
    }

    /// The address of the page.
    var address: String { "/watchlist" + text }
}
