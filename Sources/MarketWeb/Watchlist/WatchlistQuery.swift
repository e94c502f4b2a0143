import HTTPServer
import Market
import TextFormats

struct WatchlistQuery: Equatable, Sendable {
    /// Nil means the user's first list.
    var list: WatchlistID?
    var category: String?
    var isGrouped = false

    init(list: WatchlistID? = nil, category: String? = nil, isGrouped: Bool = false) {
        (self.list, self.category, self.isGrouped) = (list, category, isGrouped)
    }

    init(_ query: Query) {
        // Not a number means no list: answer 404 rather than show another list.
        list = query["list"].map { WatchlistID($0) ?? 0 }
        category = query["category"].flatMap { $0.isBlank ? nil : String($0.prefix(64)) }
        isGrouped = query["group"] == "category"
    }

    init(_ form: Form) { list = form["list"].map { WatchlistID($0) ?? 0 } }

    /// For example "?list=3&category=DeFi"; "" for the default page.
    var text: String {
        var fields: [String] = []
        if let list { fields.append("list=\(list)") }
        if let category { fields.append("category=\(PercentEncoding.encode(category))") }
        if isGrouped { fields.append("group=category") }
        return fields.isEmpty ? "" : "?" + fields.joined(separator: "&")
    }

    var address: String { "/watchlist" + text }
}
