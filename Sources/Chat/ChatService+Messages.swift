import Foundation
package import RoostSupport

/// Messages, and how far they have been read.
extension ChatService {
    /// Limits the replies that are logged again with a changed message, so that one edit cannot fill the log.
    private static let maximumRenewedReplies = 500

    /// Sends a message. Repeating the same id by the same sender returns the existing message. Throws
    /// `RoostError.tooMany`, `.notFound` and `.invalid`.
    package func send(
        _ draft: NewMessage, to id: ConversationID, by sender: ChatSender
    ) async throws -> (message: Message, isNew: Bool) {
        var draft = draft
        draft.id = try Self.uuid(draft.id)
        draft.text = try Self.text(draft.text, mayBeEmpty: draft.fileId != nil)
        try consumeQuota(of: sender)
        let (newMessage, steady) = (draft, clock.steady())
        let sent = try await write { writes, commit in
            var membership: ChatMembership?
            var stored: ConversationID?
            switch sender {
            case .user(let user): membership = try writes.requiredMembership(of: user, in: id)
            case .alerts(let user): stored = try writes.requiredMembership(of: user, in: id).conversationId
            case .bot: stored = try writes.storedConversation(id)
            }
            guard let id = membership?.conversationId ?? stored else { throw RoostError.unknownConversation }
            let visibleAfter = membership?.visibleAfter ?? 0
            if let message = try writes.message(id: newMessage.id, of: sender) {
                guard message.conversationId == id else {
                    throw RoostError.conflict(field: "id", why: "This id is taken.")
                }
                return (message: message.visible(after: visibleAfter), isNew: false)
            }
            var quoted: Int64?
            if let number = newMessage.replyTo {
                guard let found = try writes.message(number: number, in: id), found.seq > visibleAfter else {
                    throw RoostError.invalid(field: "replyTo", why: "There is no such message to reply to.")
                }
                quoted = found.seq
            }
            let seq = try writes.addLogRow("message", in: id, at: commit.time)
            try writes.addMessage(
                newMessage, seq, to: id, by: sender,
                mentions: Self.mentions(in: newMessage.text, of: id, writes),
                answering: quoted, at: commit.time)
            if let fileId = newMessage.fileId {
                guard case .user(let user) = sender,
                    let file = try writes.unsentFile(fileId, of: user, in: id)
                else {
                    throw RoostError.invalid(
                        field: "fileId", why: "This file is no longer here. Choose it again.")
                }
                try writes.attachFile(file, to: seq)
            }
            if let membership { try writes.countOwnMessage(membership) }
            let message = try writes.requiredMessage(seq)
            try writes.countMessage(message)
            commit.note(seq, in: id, .message(message))
            try Self.queueWebhooks(about: message, by: sender, writes, at: commit.time)
            return (message: message, isNew: true)
        }
        if !sent.isNew { refundQuota(of: sender) }
        if case .user(let user) = sender {
            endTyping(of: user, in: sent.message.conversationId, since: steady)
        }
        return sent
    }

    private static func queueWebhooks(
        about message: Message, by sender: ChatSender, _ writes: Writes, at now: Date
    ) throws {
        var author: UserID?
        if case .user(let user) = sender { author = user }
        let subject = String(message.seq)
        for (event, user) in try writes.usersWithWebhook(for: .messageArrived, or: .messageSent)
        where (event == .messageSent) == (user == author) {
            guard try writes.membership(of: user, in: message.conversationId) != nil else { continue }
            try writes.queueWebhooks(event, about: subject, for: user, at: now)
        }
    }

    /// Throws `RoostError.notAllowed` for another sender's message.
    @discardableResult
    package func edit(_ seq: Int64, text: String, by user: UserID) async throws -> Message {
        try consumeQuota(of: .user(user))
        return try await write { writes, commit in
            let message = try Self.own(seq, of: user, writes)
            guard !message.isDeleted else {
                throw RoostError.conflict(field: "text", why: "This message was deleted.")
            }
            let text = try Self.text(text, mayBeEmpty: message.file != nil)
            guard text != message.text else { return message }
            let mentions = try Self.mentions(in: text, of: message.conversationId, writes)
            try writes.setText(text, of: message, mentions: mentions, at: commit.time)
            return try Self.logNewText(of: message, writes, &commit)
        }
    }

    /// Empties the user's own message; it still shows as deleted.
    @discardableResult
    package func delete(_ seq: Int64, by user: UserID) async throws -> Message {
        try await write { writes, commit in
            let message = try Self.own(seq, of: user, writes)
            guard !message.isDeleted else { return message }
            if let file = message.file { try writes.removeFile(file.id) }
            try writes.deleteMessage(message, at: commit.time)
            try writes.eraseWebhooks(.messageArrived, or: .messageSent, about: String(message.seq))
            return try Self.logNewText(of: message, writes, &commit)
        }
    }

    @discardableResult
    package func react(_ emoji: String, on seq: Int64, by user: UserID, isOn: Bool) async throws -> Message {
        guard Self.isEmoji(emoji) else {
            throw RoostError.invalid(field: "emoji", why: "A reaction must be one emoji.")
        }
        let emoji = EmojiForm.qualified(emoji)
        try consumeQuota(of: .user(user))
        return try await write { writes, commit in
            let (message, membership) = try writes.message(seq, for: user)
            guard !message.isDeleted else {
                throw RoostError.conflict(field: "emoji", why: "This message was deleted.")
            }
            guard
                !isOn || message.reactions.count(where: { $0.userIds.contains(user) }) < Self.maximumReactions
            else {
                throw RoostError.invalid(
                    field: "emoji", why: "A message can have up to \(Self.maximumReactions) reactions.")
            }
            let hasChanged = try writes.setReaction(emoji, on: message, by: user, isOn: isOn)
            let current = try hasChanged ? Self.logChange(of: message, writes, &commit) : message
            return current.visible(after: membership.visibleAfter)
        }
    }

    /// Logs a message's current state and updates the conversation's preview.
    private static func logChange(
        of message: Message, _ writes: Writes, _ commit: inout ChatCommit
    ) throws -> Message {
        let current = try writes.logMessage(message.seq, in: message.conversationId, &commit)
        try writes.updatePreview(current)
        return current
    }

    /// Like `logChange`, but also logs the messages that quote this one, so that clients drop its old text.
    private static func logNewText(
        of message: Message, _ writes: Writes, _ commit: inout ChatCommit
    ) throws -> Message {
        let current = try logChange(of: message, writes, &commit)
        for reply in try writes.replies(to: message, limit: maximumRenewedReplies) {
            _ = try writes.logMessage(reply, in: message.conversationId, &commit)
        }
        return current
    }

    private static func mentions(
        in text: String, of id: ConversationID, _ reads: Reads
    ) throws -> [UserID] {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        return Mentions.find(in: text, among: try reads.memberNames(of: id))
    }

    private static func own(_ seq: Int64, of user: UserID, _ reads: Reads) throws -> Message {
        let message = try reads.message(seq, for: user).message
        guard message.isFromCurrentUser(user) else {
            throw RoostError.notAllowed("This is someone else’s message.")
        }
        return message
    }

    static func isEmoji(_ text: String) -> Bool {
        text.utf8.count <= 64 && text.count == 1
            && text.unicodeScalars.contains { $0.properties.isEmoji && $0.value > 0x7F || $0.value == 0x20E3 }
    }

    /// Returns a page of messages, oldest first: the newest, those before, after or between numbers (exclusive), or
    /// those around one.
    package func page(
        _ reads: Reads, of id: ConversationID, for user: UserID, before: Int? = nil, after: Int? = nil,
        around: Int? = nil, limit: Int = 50
    ) throws -> ChatPage {
        let range: ChatMessageStore.PageRange =
            if let around { .around(around) } else if let after {
                .between(after: after, before: before)
            } else if let before { .before(before) } else { .newest }
        let limit = min(max(limit, 1), Self.maximumPage)
        return try reads.messagePage(for: reads.requiredMembership(of: user, in: id), range, limit: limit)
    }

    package func page(
        of id: ConversationID, for user: UserID, before: Int? = nil, after: Int? = nil,
        around: Int? = nil, limit: Int = 50
    ) async throws -> ChatPage {
        try await database.read {
            try page($0, of: id, for: user, before: before, after: after, around: around, limit: limit)
        }
    }

    package func message(_ reads: Reads, _ seq: Int64, for user: UserID) throws -> Message {
        let (message, membership) = try reads.message(seq, for: user)
        return message.visible(after: membership.visibleAfter)
    }

    package func message(_ seq: Int64, for user: UserID) async throws -> Message {
        try await database.read { try message($0, seq, for: user) }
    }

    /// Throws `RoostError.notFound` if the user may not see the message.
    package func message(_ reads: Reads, number: Int, in id: ConversationID, for user: UserID) throws
        -> Message
    {
        try Self.message(number: number, in: id, for: user, reads)
    }

    /// Finds the message of an old link, which has a log position and a conversation's id. Throws `RoostError.notFound`
    /// for newer positions too, because trying them would reveal how much others write.
    package func message(
        _ reads: Reads, ofOlderLink seq: Int64, in id: ConversationID, for user: UserID
    ) throws -> Message {
        let id = try reads.requiredMembership(of: user, in: id).conversationId
        guard let number = try reads.messageNumber(ofOlderLink: seq, in: id) else {
            throw RoostError.unknownMessage
        }
        return try Self.message(number: number, in: id, for: user, reads)
    }

    private static func message(
        number: Int, in id: ConversationID, for user: UserID, _ reads: Reads
    ) throws -> Message {
        guard let membership = try reads.membership(of: user, in: id),
            let message = try reads.message(number: number, in: membership.conversationId),
            message.seq > membership.visibleAfter
        else { throw RoostError.unknownMessage }
        return message.visible(after: membership.visibleAfter)
    }

    // MARK: Reading

    /// Marks everything up to this message number as read; never moves back.
    package func markRead(_ id: ConversationID, upTo number: Int, by user: UserID) async throws {
        try await write { writes, commit in
            let membership = try writes.requiredMembership(of: user, in: id)
            guard number > 0 else { return }
            let isAll = number >= membership.messageCount
            let seq =
                isAll
                ? membership.lastMessageSeq
                : try writes.messageSeq(from: number, in: membership.conversationId) ?? 0
            if seq > membership.readSeq { try Self.setRead(membership, to: seq, writes, &commit) }
        }
    }

    /// Marks this message number and all later ones as unread, except those from before the user joined.
    package func markUnread(_ id: ConversationID, from number: Int, by user: UserID) async throws {
        try await write { writes, commit in
            let membership = try writes.requiredMembership(of: user, in: id)
            guard let first = try writes.messageSeq(from: number, in: membership.conversationId) else {
                throw RoostError.unknownMessage
            }
            let seq = max(first - 1, membership.joinedSeq)
            if seq < membership.readSeq { try Self.setRead(membership, to: seq, writes, &commit) }
        }
    }

    /// - Parameter seq: the position up to which everything is read; may move back
    private static func setRead(
        _ membership: ChatMembership, to seq: Int64, _ writes: Writes, _ commit: inout ChatCommit
    ) throws {
        let id = membership.conversationId
        let (number, own) = try writes.setRead(membership, to: seq)
        let reading = ChatLogRecord.Reading(readSeq: seq, unread: membership.messageCount - number - own)
        try writes.logOwn(
            .read(readNumber: number, unread: reading.unread), data: ChatLogRecord.json(reading), in: id,
            for: membership.userId, &commit)
        guard seq > membership.readSeq else { return }
        let delivered =
            seq > membership.deliveredSeq
            ? try writes.stampCompleted(
                .delivered, in: id, after: membership.deliveredSeq, at: commit.time) : []
        let read = try writes.stampCompleted(.read, in: id, after: membership.readSeq, at: commit.time)
        let readSeqs = Set(read.map(\.seq))
        try writes.logStatus(
            .delivered, of: delivered.filter { !readSeqs.contains($0.seq) }, in: id, &commit)
        try writes.logStatus(.read, of: read, in: id, &commit)
    }

    /// Returns the status of a message for each member at the time of sending, except the sender.
    package func receipts(_ reads: Reads, of seq: Int64, for user: UserID) throws -> [MessageReceipt] {
        try reads.receipts(of: reads.message(seq, for: user).message)
    }
}

extension WebhookEvent.Name {
    /// Someone else's message, in a conversation of the user.
    package static let messageArrived = WebhookEvent.Name(rawValue: "message.arrived")
    /// The user's own message.
    package static let messageSent = WebhookEvent.Name(rawValue: "message.sent")
}
