import GitHub
import HTTPServer
import TextFormats

/// The query of the inbox page: a filter, and overrides of the stored choices.
struct InboxQuery: Hashable, Sendable {
    var text = ""
    var author = ""
    var label = ""
    var grouping: PullPreferences.Grouping?
    var sort: PullPreferences.Sort?
    var drafts: PullPreferences.Drafts?
    var hidesBots: Bool?

    /// In Unicode scalars. Longer text finds nothing and would bloat every link.
    private static let limit = 200

    init() {}

    init(_ query: Query) {
        text = Self.cut(query["text"])
        author = Self.cut(query["author"])
        label = Self.cut(query["label"])
        grouping = query["group"].flatMap(PullPreferences.Grouping.init)
        sort = query["sort"].flatMap(PullPreferences.Sort.init)
        drafts = query["drafts"].flatMap(PullPreferences.Drafts.init)
        hidesBots = query["bots"].flatMap { ["hidden": true, "shown": false][$0] }
    }

    var isFiltering: Bool { !(text + author + label).allSatisfy(\.isWhitespace) }

    /// Overrides the stored choices with those in the address.
    func choices(over stored: PullPreferences) -> PullPreferences {
        var choices = stored
        choices.grouping = grouping ?? stored.grouping
        choices.sort = sort ?? stored.sort
        choices.drafts = drafts ?? stored.drafts
        choices.hidesBots = hidesBots ?? stored.hidesBots
        return choices
    }

    func filter(_ choices: PullPreferences) -> InboxFilter {
        var filter = InboxFilter(choices)
        filter.text = text
        filter.author = author
        filter.label = label
        return filter
    }

    /// For example "text=nio&sort=size"; equal queries give equal text, and an empty one gives "".
    var address: String {
        pairs.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    var path: String {
        let address = address
        return address.isEmpty ? "/pulls" : "/pulls?\(address)"
    }

    var overrides: [(name: String, value: String)] {
        pairs.filter { !["text", "author", "label"].contains($0.name) }
    }

    private var pairs: [(name: String, value: String)] {
        let all: [(String, String?)] = [
            ("text", text), ("author", author), ("label", label), ("group", grouping?.rawValue),
            ("sort", sort?.rawValue), ("drafts", drafts?.rawValue),
            ("bots", hidesBots.map { $0 ? "hidden" : "shown" }),
        ]
        return all.compactMap { name, value in
            guard let value, !value.isEmpty else { return nil }
            return (name: name, value: value)
        }
    }

    private static func cut(_ text: String?) -> String { String((text ?? "").unicodeScalars.prefix(limit)) }
}
