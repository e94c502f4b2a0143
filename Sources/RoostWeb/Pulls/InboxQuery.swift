import GitHub
import HTTPServer
import TextFormats

/// What the inbox's address asks for: a filter, and how it is shown where that differs from the stored choices.
struct InboxQuery: Hashable, Sendable {
    var text = ""
    var author = ""
    var label = ""
    var grouping: PullChoices.Grouping?
    var sort: PullChoices.Sort?
    var drafts: PullChoices.Drafts?
    var hidesBots: Bool?

    /// Longer words find nothing, and would be carried from page to page.
    private static let limit = 200

    init() {}

    init(_ query: Query) {
        text = Self.cut(query["text"])
        author = Self.cut(query["author"])
        label = Self.cut(query["label"])
        grouping = query["group"].flatMap(PullChoices.Grouping.init)
        sort = query["sort"].flatMap(PullChoices.Sort.init)
        drafts = query["drafts"].flatMap(PullChoices.Drafts.init)
        hidesBots = query["bots"].flatMap { ["hidden": true, "shown": false][$0] }
    }

    var isFiltering: Bool { !(text + author + label).allSatisfy(\.isWhitespace) }

    /// The stored choices with what the address says instead.
    func choices(over stored: PullChoices) -> PullChoices {
        var choices = stored
        choices.grouping = grouping ?? stored.grouping
        choices.sort = sort ?? stored.sort
        choices.drafts = drafts ?? stored.drafts
        choices.hidesBots = hidesBots ?? stored.hidesBots
        return choices
    }

    /// What is shown, of what the choices leave.
    func filter(_ choices: PullChoices) -> InboxFilter {
        var filter = InboxFilter(choices)
        filter.text = text
        filter.author = author
        filter.label = label
        return filter
    }

    /// "text=nio&sort=size": the same for the same wishes, "" for none.
    var address: String {
        pairs.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// The page with these wishes: "/pulls?text=nio".
    var path: String { address.isEmpty ? "/pulls" : "/pulls?\(address)" }

    /// The wishes that the filter's own fields do not hold.
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
