import Foundation

@testable import Chat
@testable import RoostSupport

/// A client's copy of a user's conversations, updated only from the log. It does the least that every client must do.
struct ChatReplica {
    struct Copy: Equatable {
        var conversation: Conversation
        var readNumber: Int
        var unread: Int
        var notify: ChatNotify
        var draft: String?
        /// Messages by number.
        var messages: [Int: Message]
        /// The last log entry that the copy includes.
        var logSeq: Int64

        init(_ summary: ConversationSummary, _ messages: [Message]) {
            conversation = summary.conversation
            // The reader's own count is in a separate field.
            conversation.unreadCount = [:]
            (readNumber, unread) = (summary.readNumber, summary.unread)
            (notify, draft) = (summary.notify, summary.draft)
            self.messages = Dictionary(messages.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
            logSeq = summary.logSeq
        }
    }

    let user: UserID
    /// The position for the next poll.
    var position: Int64
    var copies: [ConversationID: Copy] = [:]

    /// Applies an entry. Returns the id of an unknown conversation, which the client must fetch.
    mutating func apply(_ entry: ChatLogEntry) throws -> ConversationID? {
        let id = entry.conversationId
        if entry.kind == .removed {
            // A copy newer than this entry belongs to a later membership.
            if let copy = copies[id], copy.logSeq < entry.seq { copies[id] = nil }
            return nil
        }
        guard var copy = copies[id] else {
            if case .conversation = entry.kind { return id }
            return nil
        }
        guard entry.seq > copy.logSeq else { return nil }
        switch entry.kind {
        case .message(let message): apply(message, isNew: entry.isNewMessage, to: &copy)
        case .status(let status, let at, let ranges, _):
            for number in copy.messages.keys where ranges.contains(where: { $0.contains(number) }) {
                try raise(&copy.messages[number], to: status, at)
            }
        case .conversation(let conversation): copy.conversation = conversation
        case .read(let number, let unread): (copy.readNumber, copy.unread) = (number, unread)
        case .settings(let notify): copy.notify = notify
        case .draft(let text): copy.draft = text.isEmpty ? nil : text
        case .removed: break
        }
        copy.logSeq = entry.seq
        copies[id] = copy
        return nil
    }

    private func apply(_ message: Message, isNew: Bool, to copy: inout Copy) {
        copy.messages[message.number] = message
        if isNew, !message.isFromCurrentUser(user) { copy.unread += 1 }
        guard message.seq >= copy.conversation.lastSeq else { return }
        (copy.conversation.lastSeq, copy.conversation.lastNumber) = (message.seq, message.number)
        copy.conversation.lastMessage = message.preview
        copy.conversation.lastMessageAt = message.sentAt
        copy.conversation.lastMessageSenderId = message.senderId
    }

    /// Raises a status step by step; it never goes back.
    private func raise(_ message: inout Message?, to status: MessageStatus, _ at: Date) throws {
        while let present = message?.status, present != status, present != .read {
            try message?.move(to: present == .sent ? .delivered : .read, at: at)
        }
    }
}
