package import Foundation
import RoostSupport
import Synchronization

/// A change to a conversation. It carries the current state, so clients may apply it twice. Copies share the rendered
/// forms, so that a thousand responses render once.
package struct ChatLogEntry: Sendable {
    package enum Kind: Sendable, Equatable {
        /// A message that is new, edited, deleted or has another reaction. It is new if `message.seq` equals the
        /// entry's.
        case message(Message)
        /// All messages in the number ranges have at least this status; `lastSeq` belongs to the newest of them.
        case status(MessageStatus, at: Date, ranges: [ClosedRange<Int>], lastSeq: Int64)
        /// A new conversation, or a new name, photo, member or admin.
        case conversation(Conversation)
        /// The user has read up to this message number or marked the conversation as unread. The count is that of this
        /// entry.
        case read(readNumber: Int, unread: Int)
        case settings(ChatNotify)
        /// Empty if the draft was deleted.
        case draft(String)
        case removed
    }

    /// The position in the log of all conversations. Left out of the JSON, where it would reveal how much others write.
    package let seq: Int64
    package let conversationId: ConversationID
    package let kind: Kind
    fileprivate let forms = Forms()

    package var message: Message? { if case .message(let message) = kind { message } else { nil } }

    package var isNewMessage: Bool { message?.seq == seq }

    /// Returns the entry for a member who may only see messages after `seq`, or nil if it concerns older messages only.
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

    /// Renders each named form once. The bytes must be the same for all viewers.
    package func rendered(_ name: String, _ make: (ChatLogEntry) throws -> [UInt8]) rethrows -> [UInt8] {
        if let bytes = forms.bytes.withLock({ $0[name] }) { return bytes }
        let bytes = try make(self)
        forms.bytes.withLock { $0[name] = bytes }
        return bytes
    }

    package var json: [UInt8] {
        get throws { try rendered("json") { Array(try JSONEncoder().encode($0)) } }
    }

    fileprivate final class Forms: Sendable {
        private static let count = Atomic<Int>(0)

        /// Unique, even after other entries are gone.
        let number = count.add(1, ordering: .relaxed).newValue
        let bytes = Mutex<[String: [UInt8]]>([:])
    }
}

extension ChatLogEntry: Equatable {
    package static func == (one: Self, other: Self) -> Bool {
        one.seq == other.seq && one.conversationId == other.conversationId && one.kind == other.kind
    }
}

extension ChatLogEntry: JSONExamples {
    /// One of each kind.
    package static var examples: [ChatLogEntry] {
        let never = Date(timeIntervalSince1970: 0)
        let message = try? Message(id: "1", conversationId: "1", senderId: "1", text: "Hello", sentAt: never)
        let kinds: [Kind] =
            (message.map { [.message($0)] } ?? []) + Conversation.examples.map { .conversation($0) }
            + [
                .status(.read, at: never, ranges: [1...1], lastSeq: 1), .read(readNumber: 1, unread: 0),
                .settings(.all), .draft(""), .removed,
            ]
        return kinds.map { ChatLogEntry(seq: 1, conversationId: "1", kind: $0) }
    }

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
    /// The name in the log's column and in JSON.
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

package struct ChatLogPage: Sendable, Equatable {
    package let entries: [ChatLogEntry]
    /// The `after` of the next request.
    package let next: Int64
    package let hasMore: Bool

    /// Equal only for pages of the same entries. Entries reduced for a viewer count as different ones.
    package var identity: String {
        entries.reduce(into: "\(next) \(hasMore)") {
            $0 += " \($1.forms.number)"
        }
    }
}

package struct ChatPage: Sendable, Equatable {
    package let messages: [Message]
    package let hasOlder: Bool
    package let hasNewer: Bool
}
