import Chat
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

/// The query of a search: `?q=&in=&from=&before=2025-11-20&has=image&cursor=`.
struct ChatSearchRequest: Sendable {
    var query: ChatSearchQuery
    /// The date part of the input: "2025-11-20".
    let beforeText: String

    /// What a query can name.
    static let fields: [APIParameter] = ["q", "in", "from", "before", .choice("has", ["image"])]

    init(_ fields: Query) {
        let before = fields["before"] ?? ""
        let date = ISO8601.parse(before.utf8.count == 10 ? before + "T00:00:00Z" : before)
        beforeText = date == nil ? "" : String(before.prefix(10))
        query = ChatSearchQuery(
            text: fields["q"] ?? "", conversation: fields["in"].flatMap { $0.isEmpty ? nil : $0 },
            from: fields["from"].flatMap { UserID($0) }, before: date, hasImage: fields["has"] == "image")
    }

    /// For the API: throws `RoostError.invalid` for a value that a page passes over.
    func check(_ fields: Query) throws {
        func refuse(_ name: String, unless isRead: Bool, _ why: String) throws {
            guard isRead || fields[name] ?? "" == "" else {
                throw RoostError.invalid(field: name, why: "“\(name)” must be \(why).")
            }
        }
        try refuse("from", unless: query.from != nil, "a user’s id")
        try refuse("before", unless: query.before != nil, "a date, such as 2025-11-20")
        try refuse("has", unless: query.hasImage, "“image”")
    }

    /// False if no field is filled in.
    var hasCriteria: Bool {
        !query.text.isBlank || query.conversation != nil || query.from != nil || query.before != nil
            || query.hasImage
    }

    func conversationChoices(_ conversations: [(ConversationID, String)]) -> [SelectOption] {
        [SelectOption(value: "", text: "All conversations", isChosen: query.conversation == nil)]
            + conversations.map {
                SelectOption(
                    value: $0.0, text: $0.1,
                    isChosen: query.conversation?.lowercased() == $0.0.lowercased())
            }
    }

    func personChoices(_ people: [(UserID, String)]) -> [SelectOption] {
        [SelectOption(value: "", text: "Anybody", isChosen: query.from == nil)]
            + people.map { SelectOption(value: "\($0.0)", text: $0.1, isChosen: query.from == $0.0) }
    }

    func address(from cursor: String) -> String {
        var fields = ["q=\(PercentEncoding.encode(query.text))"]
        if let conversation = query.conversation {
            fields.append("in=\(PercentEncoding.encode(conversation))")
        }
        if let from = query.from { fields.append("from=\(from)") }
        if !beforeText.isEmpty { fields.append("before=\(beforeText)") }
        if query.hasImage { fields.append("has=image") }
        return "/chat/search?" + fields.joined(separator: "&") + "&cursor=\(cursor)"
    }
}
