import Chat
import Foundation
import RoostWeb
import TextFormats

struct ConversationRow: Pictured, Sendable {
    let conversationId: String
    let title: String
    let avatar: String?
    let initials: String
    let tone: Int
    /// The last message, with its sender in groups; nil before the first message.
    let preview: String?
    let lastAt: Date
    let unread: Int?
    let isMuted: Bool
    let isGroup: Bool
    let isCurrent: Bool
    let now: Date
    /// Put into the composer of the chosen conversation.
    var sharedText: String?

    /// - Parameter toneKey: see `Tone`; nil uses the conversation's id
    init(
        conversationId: String, title: String, avatar: String?, toneKey: String? = nil, preview: String?,
        lastAt: Date, unread: Int,
        isMuted: Bool = false, isGroup: Bool = false, isCurrent: Bool = false, now: Date
    ) {
        self.conversationId = conversationId
        self.title = title
        self.avatar = avatar
        initials = Initials(title).text
        tone = Tone.of(toneKey ?? conversationId)
        self.preview = preview
        self.lastAt = lastAt
        self.unread = unread > 0 ? unread : nil
        self.isMuted = isMuted
        self.isGroup = isGroup
        self.isCurrent = isCurrent
        self.now = now
    }

    var conversationAddress: String { "/chat/\(conversationId)" }
    var targetAddress: String {
        "\(conversationAddress)?text=\(PercentEncoding.encode(sharedText ?? ""))#composer"
    }
    var kind: String { isGroup ? "Group" : "One-on-one" }
    var lastTime: String { ISO8601.seconds(lastAt) }
    var lastTimeText: String { RelativeTime.recent(lastAt, now: now) }
    var lastAgo: String { RelativeTime.ago(lastAt, now: now) }
}

extension ConversationSummary {
    /// A conversation of two has the colour of the other person.
    var toneKey: String { conversation.otherParticipant(for: userId).map { "\($0)" } ?? id }
}

/// Names in a sentence: "Ada", "Ada and Grace", "Ada, Grace and Kurt".
enum NameList {
    /// - Parameter limit: further names are only counted
    static func text(_ names: [String], limit: Int = 12) -> String {
        var parts = Array(names.prefix(limit))
        if names.count > limit {
            let rest = names.count - limit
            parts.append(rest == 1 ? "1 other" : "\(rest) others")
        }
        guard parts.count > 1, let last = parts.popLast() else { return parts.first ?? "" }
        return parts.joined(separator: ", ") + " and " + last
    }
}
