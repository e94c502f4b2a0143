package import Foundation
import RoostSupport
import Synchronization

/// A change that clients apply to what they have: present state, so that applying it twice is harmless.
///
/// Copies share what is rendered of it, so that a thousand answers cost one rendering.
package struct ChatLogEntry: Sendable {
    package enum Kind: Sendable, Equatable {
        /// A new, edited or deleted message, or one with another reaction; new where `message.seq` is the entry's.
        case message(Message)
        /// All messages whose numbers are in the ranges have at least this status; `lastSeq` is that of the newest of them.
        case status(MessageStatus, at: Date, ranges: [ClosedRange<Int>], lastSeq: Int64)
        /// A new conversation, or another name, photo, member or admin.
        case conversation(Conversation)
        /// The user has read up to the message of this number, or marked as unread; the count is of the moment of this entry.
        case read(readNumber: Int, unread: Int)
        case settings(ChatNotify)
        /// Empty for a draft that is gone.
        case draft(String)
        /// The user is no longer a member.
        case removed
    }

    /// The position in the log of all conversations; no part of the JSON, as it would count what others write.
    package let seq: Int64
    package let conversationId: ConversationID
    package let kind: Kind
    fileprivate let forms = Forms()

    package init(seq: Int64, conversationId: ConversationID, kind: Kind) {
        self.seq = seq
        self.conversationId = conversationId
        self.kind = kind
    }

    /// The message of an entry of that kind.
    package var message: Message? { if case .message(let message) = kind { message } else { nil } }

    /// Whether it says of a message that it was just sent.
    package var isNewMessage: Bool { message?.seq == seq }

    /// As a member sees it who may see nothing up to this place; nil for what is only about older messages.
    package func visible(after seq: Int64) -> ChatLogEntry? {
        switch kind {
        case .message(let message):
            guard message.seq > seq else { return nil }
            let visible = message.visible(after: seq)
            return visible == message ? self : replacing(.message(visible))
        case .conversation(let conversation):
            let visible = conversation.visible(after: seq)
            return visible == conversation ? self : replacing(.conversation(visible))
        case .status(_, _, _, let lastSeq): return lastSeq > seq ? self : nil
        default: return self
        }
    }

    func replacing(_ kind: Kind) -> ChatLogEntry {
        ChatLogEntry(seq: self.seq, conversationId: conversationId, kind: kind)
    }

    /// Renders once under each name, for the first who asks: the bytes must be the same for every viewer.
    package func rendered(_ name: String, _ make: (ChatLogEntry) throws -> [UInt8]) rethrows -> [UInt8] {
        if let bytes = forms.bytes.withLock({ $0[name] }) { return bytes }
        let bytes = try make(self)
        forms.bytes.withLock { $0[name] = bytes }
        return bytes
    }

    /// The entry as JSON, rendered once.
    package var json: [UInt8] {
        get throws { try rendered("json") { Array(try JSONEncoder().encode($0)) } }
    }

    fileprivate final class Forms: Sendable {
        private static let count = Atomic<Int>(0)

        /// No other entry has the same number, also none that comes after this one is gone.
        let number = count.add(1, ordering: .relaxed).newValue
        let bytes = Mutex<[String: [UInt8]]>([:])
    }
}

extension ChatLogEntry: Equatable {
    package static func == (one: Self, other: Self) -> Bool {
        one.seq == other.seq && one.conversationId == other.conversationId && one.kind == other.kind
    }
}

extension ChatLogEntry: Encodable {
    private enum CodingKeys: String, CodingKey {
        case kind, conversationId, message, isNew, status, at, ranges, conversation, readSeq, unread, notify,
            text
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind.name, forKey: .kind)
        try values.encode(conversationId, forKey: .conversationId)
        switch kind {
        case .message(let message):
            try values.encode(message, forKey: .message)
            try values.encode(isNewMessage, forKey: .isNew)
        case .status(let status, let at, let ranges, _):
            try values.encode(status, forKey: .status)
            try values.encode(JSONTime(at), forKey: .at)
            try values.encode(ranges.map { [$0.lowerBound, $0.upperBound] }, forKey: .ranges)
        case .conversation(let conversation): try values.encode(conversation, forKey: .conversation)
        case .read(let readNumber, let unread):
            try values.encode(readNumber, forKey: .readSeq)
            try values.encode(unread, forKey: .unread)
        case .settings(let notify): try values.encode(notify, forKey: .notify)
        case .draft(let text): try values.encode(text, forKey: .text)
        case .removed: break
        }
    }
}

extension ChatLogEntry.Kind {
    /// As the log's column and the JSON call it.
    package var name: String {
        switch self {
        case .message: "message"
        case .status: "status"
        case .conversation: "conversation"
        case .read: "read"
        case .settings: "settings"
        case .draft: "draft"
        case .removed: "removed"
        }
    }
}

/// A stretch of the log of one user.
package struct ChatLogPage: Sendable, Equatable {
    package let entries: [ChatLogEntry]
    /// Where to go on: the next question's `after`.
    package let next: Int64
    /// True when there is more at once.
    package let hasMore: Bool

    package init(entries: [ChatLogEntry], next: Int64, hasMore: Bool) {
        self.entries = entries
        self.next = next
        self.hasMore = hasMore
    }

    /// Equal for pages of the very same entries alone: what a viewer may not see makes another entry.
    package var identity: String {
        entries.reduce(into: "\(next) \(hasMore)") {
            $0 += " \($1.forms.number)"
        }
    }
}

/// Messages of a conversation, the oldest first.
package struct ChatPage: Sendable, Equatable {
    package let messages: [Message]
    package let hasOlder: Bool
    package let hasNewer: Bool

    package init(messages: [Message], hasOlder: Bool, hasNewer: Bool) {
        self.messages = messages
        self.hasOlder = hasOlder
        self.hasNewer = hasNewer
    }
}
