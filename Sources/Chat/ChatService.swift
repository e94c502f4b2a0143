import Foundation
package import Logging
package import RoostSupport
import Synchronization

/// What people do in conversations: every face of Roost (pages, JSON, webhooks) asks here.
///
/// After each commit the entries are remembered for `recentLog`, then those concerned are told, then the caller is
/// answered.
package final class ChatService: Service {
    /// The most people in a conversation.
    static let maximumMembers = 2_000
    /// The longest group name, in characters.
    package static let maximumNameLength = 100
    /// The most messages of a page, and entries of a page of the log.
    package static let maximumPage = 500
    /// The most reactions of one person to one message.
    static let maximumReactions = 20
    /// For how long somebody is present after a poll, in seconds.
    static let presence: TimeInterval = 35
    /// How long deliveries may wait to be committed together.
    private static let pause = Duration.milliseconds(150)

    private struct State {
        var limit: ChatRateLimit
        /// Places in the log that clients have said and the disk does not know.
        var deliveries: [UserID: Int64] = [:]
        /// Places that the disk knows.
        var delivered: [UserID: Int64] = [:]
        /// By the steady clock, as all times here.
        var typing: [ConversationID: [UserID: Date]] = [:]
        var seen: [UserID: Date] = [:]
        var totals: [UserID: Int] = [:]
        /// Counts what changed the totals: one that was read before is not kept.
        var generation = 0
        /// The place after which others are to be told of an account that is gone.
        var untold: Int64?
    }

    let store: ChatStore
    private let recent = ChatRecentLog()
    private let cursors: NumberSealer
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let signal = AsyncSignal()
    private let state: Mutex<State>

    /// - Parameter cursors: under a key that outlives a restart, as clients keep the log's cursors
    package init(
        cursors: NumberSealer, store: ChatStore, burst: Int, rate: Int, feed: ChangeFeed, clock: WallClock,
        log: Logger
    ) {
        self.store = store
        self.cursors = cursors
        self.feed = feed
        self.clock = clock
        self.log = log
        state = Mutex(State(limit: ChatRateLimit(burst: burst, rate: rate)))
    }

    package var userData: [UserData] {
        [
            .deleted(
                "Chat: memberships, drafts, reactions and what only this account was told",
                from: ["chat_members", "chat_drafts", "chat_reactions", "chat_log"]),
            .staying(
                "Chat messages stay, under “\(Message.formerMember)”, for those who can read them.",
                in: ["chat_conversations", "chat_messages"]),
        ]
    }

    package func load() async throws { recent.begin(at: try await store.position()) }

    package func noteAppearance(of user: UserID) {
        noteEntries(after: recent.last ?? 0)
        signal.fire()
    }

    /// The schema itself has written entries, past what is in memory: they are read, and those concerned are told.
    private func noteEntries(after last: Int64) {
        recent.drop()
        state.withLock { $0.untold = min($0.untold ?? last, last) }
    }

    package func forget(_ user: UserID) {
        noteEntries(after: recent.last ?? 0)
        let typed = state.withLock { state in
            (state.deliveries[user], state.delivered[user], state.seen[user]) = (nil, nil, nil)
            state.totals = [:]
            state.generation += 1
            state.limit.forget(.user(user))
            state.limit.forget(.alerts(of: user))
            let typed = state.typing.filter { $0.value[user] != nil }.map(\.key)
            for id in typed { state.typing[id]?[user] = nil }
            return typed
        }
        if !typed.isEmpty { feed.publish(typed.map(Topic.chatTyping)) }
        signal.fire()
    }

    /// Commits deliveries and ends typing until cancelled, and once more at the end.
    package func run() async {
        while !Task.isCancelled {
            await signal.wait()
            repeat {
                try? await Task.sleep(for: Self.pause)
                // A cancelled task could not write any more.
                await Task { await flush() }.value
            } while !Task.isCancelled && state.withLock { !$0.typing.isEmpty || !$0.deliveries.isEmpty }
        }
    }

    // MARK: Commits

    /// Works in one transaction, and tells those concerned. Returns after the commit; errors come in words.
    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (ChatTransaction) throws -> Value
    ) async throws -> Value {
        let (value, users) = try await inWords { try await store.write(at: now, recent, work) }
        publish(users)
        return value
    }

    private func publish(_ users: Set<UserID>) {
        guard !users.isEmpty else { return }
        state.withLock { state in
            for user in users { state.totals[user] = nil }
            state.generation += 1
        }
        feed.publish(users.sorted().map(Topic.chat))
    }

    /// To the millisecond, as JSON has it.
    private var now: Date {
        Date(timeIntervalSince1970: (clock.now().timeIntervalSince1970 * 1_000).rounded() / 1_000)
    }

    private func inWords<Value>(_ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch let error as RoostError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            log.error("Chat could not use the database", metadata: ["error": "\(error)"])
            throw RoostError(storage: error) ?? .unavailable("Couldn’t save. Please try again.")
        }
    }

    // MARK: Conversations

    /// All conversations of a user, the one with the newest message first.
    package func conversations(of user: UserID) async throws -> [ConversationSummary] {
        completed(try await inWords { try await store.summaries(of: user) })
    }

    /// The same for a list of them, with two members of a group at most: the user, and the last sender.
    ///
    /// A list is read again with each message by everybody who has it on the screen, so it must not cost what all members do.
    package func conversationList(of user: UserID) async throws -> [ConversationSummary] {
        try await inWords { try await store.summaries(of: user, isBrief: true) }
    }

    /// The newest position in the log: what a client that has read all state polls after.
    package func position() async throws -> Int64 { try await inWords { try await store.position() } }

    /// A position in the log for clients. Positions count what everyone writes, so a cursor says nothing of its own.
    package func cursor(at position: Int64) -> String { cursors.seal(position) }

    /// Nil for a text that is not a cursor of this Roost.
    package func position(of cursor: String) -> Int64? { cursors.open(cursor) }

    /// Throws `RoostError.notFound` for those who are no members.
    package func conversation(_ id: ConversationID, for user: UserID) async throws -> ConversationSummary {
        let found = try await inWords { try await store.summaries(of: user, id) }
        guard let summary = completed(found).first else { throw ChatTransaction.isUnknown }
        return summary
    }

    /// Throws `RoostError.notFound` for those who are no members. It reads nothing of the other members.
    ///
    /// - Returns: the conversation's stored id
    @discardableResult
    package func checkMember(_ user: UserID, of id: ConversationID) async throws -> ConversationID {
        if let audience = recent.audience(of: id) {
            guard audience.members[user] != nil else { throw ChatTransaction.isUnknown }
            return id
        }
        return try await inWords {
            try await store.read { try $0.membership(of: user, in: id).conversationId }
        }
    }

    /// With what the database does not know: who is present, and the cursor, which is the same for all of them.
    private func completed(_ summaries: [ConversationSummary]) -> [ConversationSummary] {
        let present = present
        let cursor = summaries.first.map { self.cursor(at: $0.logSeq) } ?? ""
        return summaries.map { summary in
            var summary = summary
            summary.logCursor = cursor
            summary.present = summary.conversation.participants.filter {
                $0 != summary.userId && present.contains($0)
            }
            return summary
        }
    }

    /// Begins a conversation, or answers the one that two people have, or that this id names.
    ///
    /// - Parameters:
    ///   - participants: with or without the one who starts
    ///   - id: a UUID of the client's, so that repeating is safe
    package func start(
        with participants: [UserID], groupName: String?, id: String?, by user: UserID
    ) async throws -> (conversation: ConversationSummary, isNew: Bool) {
        let name = try Self.groupName(groupName)
        let key = try id.map { try Self.uuid($0) } ?? UUID().uuidString.lowercased()
        var known: Set<UserID> = [user]
        let members = [user] + participants.filter { known.insert($0).inserted }
        guard members.count > 1 else {
            throw RoostError.invalid(field: "participants", why: "Choose somebody to write to.")
        }
        try Self.checkCount(members.count)
        let isGroup = members.count > 2
        guard isGroup || name == nil else {
            throw RoostError.invalid(field: "groupName", why: "A group begins with three people or more.")
        }
        // Nobody fills the lists of others; two people have one conversation, however often it is begun.
        if isGroup { try spend(.user(user)) }
        let pair = isGroup ? nil : members.sorted().map { String($0) }.joined(separator: "-")
        let (found, isNew) = try await write { chat in
            if let known = try chat.storedId(key) {
                guard (try? chat.membership(of: user, in: known)) != nil else {
                    throw RoostError.conflict(field: "id", why: "This id is taken.")
                }
                return (known, false)
            }
            if let pair, let id = try chat.conversation(ofPair: pair) { return (id, false) }
            guard try chat.unknown(of: members).isEmpty else {
                throw RoostError.invalid(field: "participants", why: "There is no such person.")
            }
            try chat.create(key, isGroup: isGroup, groupName: name, pair: pair, members: members)
            return (key, true)
        }
        return (try await conversation(found, for: user), isNew)
    }

    /// - Parameter name: nil or blank for none
    @discardableResult
    package func rename(
        _ id: ConversationID, to name: String?, by user: UserID
    ) async throws -> ConversationSummary {
        let name = try Self.groupName(name)
        return try await change(id, by: user) { chat, id, _ in try chat.rename(id, to: name) }
    }

    /// - Parameter fileId: an image of the conversation; nil takes the photo away
    @discardableResult
    package func setPhoto(
        _ id: ConversationID, fileId: String?, by user: UserID
    ) async throws -> ConversationSummary {
        try await change(id, by: user) { chat, id, _ in try chat.setPhoto(id, fileId: fileId) }
    }

    /// Adds people; those who are members already stay as they are.
    ///
    /// - Parameter showingEarlier: whether they may read what was written before
    @discardableResult
    package func add(
        _ users: [UserID], to id: ConversationID, showingEarlier: Bool, by user: UserID
    ) async throws -> ConversationSummary {
        try await change(id, by: user) { chat, id, membership in
            let members = try chat.memberIds(of: id)
            var known = Set(members)
            let new = users.filter { known.insert($0).inserted }
            guard !new.isEmpty else { return }
            try Self.checkCount(members.count + new.count)
            guard try chat.unknown(of: new).isEmpty else {
                throw RoostError.invalid(field: "participants", why: "There is no such person.")
            }
            try chat.add(new, to: id, showingEarlier: showingEarlier, count: membership.messageCount)
        }
    }

    /// Removes somebody from a group. Removing oneself is leaving.
    package func remove(_ member: UserID, from id: ConversationID, by user: UserID) async throws {
        guard member != user else { return try await leave(id, by: user) }
        let conversation = try await change(id, by: user) { chat, id, _ in
            try chat.end(try Self.member(member, in: id, chat), in: id)
        }
        endTyping(of: member, in: conversation.id)
    }

    /// Leaves a group; the last admin's leaving promotes the longest member.
    package func leave(_ id: ConversationID, by user: UserID) async throws {
        let left = try await write { chat in
            let membership = try chat.membership(of: user, in: id)
            try Self.checkGroup(membership)
            try chat.end(membership, in: membership.conversationId)
            return membership.conversationId
        }
        endTyping(of: user, in: left)
    }

    @discardableResult
    package func promote(
        _ member: UserID, in id: ConversationID, by user: UserID
    ) async throws -> ConversationSummary { try await setAdmin(true, member, in: id, by: user) }

    /// Throws `RoostError.conflict` for the last admin.
    @discardableResult
    package func demote(
        _ member: UserID, in id: ConversationID, by user: UserID
    ) async throws -> ConversationSummary { try await setAdmin(false, member, in: id, by: user) }

    private func setAdmin(
        _ isAdmin: Bool, _ member: UserID, in id: ConversationID, by user: UserID
    ) async throws -> ConversationSummary {
        try await change(id, by: user) { chat, id, _ in
            let membership = try Self.member(member, in: id, chat)
            guard membership.isAdmin != isAdmin else { return }
            let admins = try chat.conversation(id).admins ?? []
            guard isAdmin || admins.count > 1 else {
                throw RoostError.conflict(
                    field: "user", why: "A group keeps an admin: promote another one first.")
            }
            try chat.setAdmin(isAdmin, membership, in: id)
        }
    }

    package func setNotify(_ notify: ChatNotify, in id: ConversationID, for user: UserID) async throws {
        try await write { chat in
            let membership = try chat.membership(of: user, in: id)
            try chat.setNotify(notify, membership, in: membership.conversationId)
        }
    }

    /// Everybody else on this Roost, by name.
    package func people(for user: UserID) async throws -> [ChatPerson] {
        let present = present
        return try await inWords { try await store.people(for: user) }.map { person in
            ChatPerson(
                userId: person.userId, username: person.username, name: person.name,
                photoURL: person.photoURL,
                isPresent: present.contains(person.userId))
        }
    }

    /// What an admin does to a group.
    @discardableResult
    private func change(
        _ id: ConversationID, by user: UserID,
        _ work:
            @escaping @Sendable (ChatTransaction, ConversationID, ChatTransaction.Membership) throws -> Void
    ) async throws -> ConversationSummary {
        // All members are told of it, as of a message.
        try spend(.user(user))
        try await write { chat in
            let membership = try chat.membership(of: user, in: id)
            try Self.checkGroup(membership)
            guard membership.isAdmin else {
                throw RoostError.notAllowed("Only the group’s admins may do this.")
            }
            try work(chat, membership.conversationId, membership)
        }
        return try await conversation(id, for: user)
    }

    private static func checkGroup(_ membership: ChatTransaction.Membership) throws {
        guard membership.isGroup else {
            throw RoostError.conflict(
                field: "conversation", why: "A conversation of two stays as it is. You can mute it.")
        }
    }

    private static func member(
        _ user: UserID, in id: ConversationID, _ chat: ChatTransaction
    ) throws -> ChatTransaction.Membership {
        guard let membership = try? chat.membership(of: user, in: id) else {
            throw RoostError.notFound("This person is not in the group.")
        }
        return membership
    }

    private static func checkCount(_ count: Int) throws {
        guard count <= maximumMembers else {
            throw RoostError.invalid(
                field: "participants", why: "A conversation holds \(maximumMembers) people at most.")
        }
    }

    private static func groupName(_ name: String?) throws -> String? {
        guard let name, !name.isBlank else { return nil }
        guard name.unicodeScalars.count <= maximumNameLength else {
            throw RoostError.invalid(
                field: "groupName", why: "A group’s name has \(maximumNameLength) characters at most.")
        }
        return name.sanitized.trimmed
    }

    private static func uuid(_ text: String) throws -> String {
        guard text.utf8.count == 36, UUID(uuidString: text) != nil else {
            throw RoostError.invalid(field: "id", why: "The id must be a UUID.")
        }
        return text
    }

    // MARK: Messages

    /// Sends a message. The same id of the same sender answers the message that is there.
    ///
    /// Throws `RoostError.tooMany`, `.notFound`, `.invalid`.
    package func send(
        _ draft: NewMessage, to id: ConversationID, by sender: ChatSender
    ) async throws -> (message: Message, isNew: Bool) {
        var draft = draft
        draft.id = try Self.uuid(draft.id)
        draft.text = try Self.text(draft.text, mayBeEmpty: draft.fileId != nil)
        try spend(sender)
        let (wanted, steady) = (draft, clock.steady())
        let sent = try await write { chat in
            var membership: ChatTransaction.Membership?
            var id = id
            switch sender {
            case .user(let user):
                let found = try chat.membership(of: user, in: id)
                (membership, id) = (found, found.conversationId)
            case .alerts(let user): id = try chat.membership(of: user, in: id).conversationId
            case .bot: id = try chat.storedId(id) ?? id
            }
            if let message = try chat.message(id: wanted.id, of: sender) {
                guard message.conversationId == id else {
                    throw RoostError.conflict(field: "id", why: "This id is taken.")
                }
                return (message: message.visible(after: membership?.visibleAfter ?? 0), isNew: false)
            }
            var quoted: Int64?
            if let number = wanted.replyTo {
                guard let found = try chat.message(number: number, in: id),
                    found.seq > membership?.visibleAfter ?? 0
                else {
                    throw RoostError.invalid(field: "replyTo", why: "There is no such message to answer.")
                }
                quoted = found.seq
            }
            let message = try chat.insert(wanted, in: id, by: sender, membership, answering: quoted)
            return (message: message, isNew: true)
        }
        if !sent.isNew { state.withLock { $0.limit.giveBack(sender) } }
        if case .user(let user) = sender {
            endTyping(of: user, in: sent.message.conversationId, since: steady)
        }
        return sent
    }

    /// Changes the text of one's own message. Throws `RoostError.notAllowed` for another's.
    @discardableResult
    package func edit(_ seq: Int64, text: String, by user: UserID) async throws -> Message {
        try spend(.user(user))
        return try await write { chat in
            let message = try Self.own(seq, of: user, chat)
            guard !message.isDeleted else {
                throw RoostError.conflict(field: "text", why: "This message was deleted.")
            }
            let text = try Self.text(text, mayBeEmpty: message.file != nil)
            return text == message.text ? message : try chat.setText(text, of: message)
        }
    }

    /// Empties one's own message; others see that there was one.
    @discardableResult
    package func delete(_ seq: Int64, by user: UserID) async throws -> Message {
        try await write { chat in
            let message = try Self.own(seq, of: user, chat)
            return message.isDeleted ? message : try chat.delete(message)
        }
    }

    /// Sets or takes back one's own reaction.
    @discardableResult
    package func react(_ emoji: String, on seq: Int64, by user: UserID, isOn: Bool) async throws -> Message {
        guard Self.isEmoji(emoji) else {
            throw RoostError.invalid(field: "emoji", why: "A reaction is one emoji.")
        }
        try spend(.user(user))
        return try await write { chat in
            let (message, membership) = try chat.message(seq, for: user)
            guard !message.isDeleted else {
                throw RoostError.conflict(field: "emoji", why: "This message was deleted.")
            }
            guard
                !isOn || message.reactions.count(where: { $0.userIds.contains(user) }) < Self.maximumReactions
            else {
                throw RoostError.invalid(
                    field: "emoji", why: "\(Self.maximumReactions) reactions to one message are enough.")
            }
            let isNews = try chat.setReaction(emoji, on: message, by: user, isOn: isOn)
            return try (isNews ? chat.changed(message) : message).visible(after: membership.visibleAfter)
        }
    }

    private static func own(_ seq: Int64, of user: UserID, _ chat: ChatTransaction) throws -> Message {
        let message = try chat.message(seq, for: user).message
        guard message.isFromCurrentUser(user) else {
            throw RoostError.notAllowed("This is somebody else’s message.")
        }
        return message
    }

    private static func text(_ text: String, mayBeEmpty: Bool) throws -> String {
        guard text.utf8.count <= Message.maximumTextBytes else {
            throw RoostError.invalid(
                field: "text", why: "A message has \(Message.maximumTextBytes / 1_024) KB of text at most.")
        }
        // SQLite's functions end a text at its first NUL.
        let text = text.utf8.contains(0) ? text.replacingBytes(of: "\0", with: "") : text
        guard mayBeEmpty || !text.isBlank else {
            throw RoostError.invalid(field: "text", why: "The message is empty.")
        }
        return text
    }

    private static func isEmoji(_ text: String) -> Bool {
        text.utf8.count <= 64 && text.count == 1
            && text.unicodeScalars.contains { $0.properties.isEmoji && $0.value > 0x7F || $0.value == 0x20E3 }
    }

    private func spend(_ sender: ChatSender) throws {
        let now = clock.steady()
        try state.withLock { try $0.limit.take(sender, at: now) }
    }

    /// A page of messages, the oldest first: the newest ones; those before, after or between numbers, which are left out
    /// themselves; or those around one.
    package func page(
        of id: ConversationID, for user: UserID, before: Int? = nil, after: Int? = nil,
        around: Int? = nil, limit: Int = 50
    ) async throws -> ChatPage {
        let place: ChatStore.Place =
            if let around { .around(around) } else if let after {
                .between(after: after, before: before)
            } else if let before { .before(before) } else { .newest }
        let limit = min(max(limit, 1), Self.maximumPage)
        return try await inWords { try await store.page(of: id, for: user, place, limit: limit) }
    }

    package func message(_ seq: Int64, for user: UserID) async throws -> Message {
        try await inWords {
            try await store.read { chat in
                let (message, membership) = try chat.message(seq, for: user)
                return message.visible(after: membership.visibleAfter)
            }
        }
    }

    /// The message of this number in a conversation. Throws `RoostError.notFound` for one that the user may not see.
    package func message(number: Int, in id: ConversationID, for user: UserID) async throws -> Message {
        try await inWords {
            try await store.read { chat in
                guard let membership = try? chat.membership(of: user, in: id),
                    let message = try chat.message(number: number, in: membership.conversationId),
                    message.seq > membership.visibleAfter
                else { throw ChatTransaction.isUnknownMessage }
                return message.visible(after: membership.visibleAfter)
            }
        }
    }

    /// The message that a link of an earlier version names by its position in the log, and its conversation's id.
    ///
    /// Throws `RoostError.notFound` for newer positions too: by trying them one could count what others write.
    package func message(
        ofOlderLink seq: Int64, in id: ConversationID, for user: UserID
    ) async throws -> Message {
        let number = try await inWords {
            try await store.read { chat in
                let membership = try chat.membership(of: user, in: id)
                return try chat.number(ofOlderLink: seq, in: membership.conversationId)
            }
        }
        guard let number else { throw ChatTransaction.isUnknownMessage }
        return try await message(number: number, in: id, for: user)
    }

    // MARK: Reading

    /// The user has read everything up to the message of this number; it never goes back.
    package func markRead(_ id: ConversationID, upTo number: Int, by user: UserID) async throws {
        try await write { chat in
            let membership = try chat.membership(of: user, in: id)
            guard number > 0 else { return }
            let id = membership.conversationId
            let isAll = number >= membership.messageCount
            let seq = isAll ? membership.lastMessageSeq : try chat.seq(from: number, in: id) ?? 0
            if seq > membership.readSeq { try chat.setRead(membership, in: id, to: seq) }
        }
    }

    /// Makes the message of this number and all after it unread; what was written before the user came stays read.
    package func markUnread(_ id: ConversationID, from number: Int, by user: UserID) async throws {
        try await write { chat in
            let membership = try chat.membership(of: user, in: id)
            let id = membership.conversationId
            guard let first = try chat.seq(from: number, in: id) else {
                throw ChatTransaction.isUnknownMessage
            }
            let seq = max(first - 1, membership.joinedSeq)
            if seq < membership.readSeq { try chat.setRead(membership, in: id, to: seq) }
        }
    }

    /// How far a message has come with each who was a member when it was sent, without its sender.
    package func receipts(of seq: Int64, for user: UserID) async throws -> [MessageReceipt] {
        try await inWords { try await store.receipts(of: seq, for: user) }
    }

    /// Unread messages that the user wants to hear of: of some conversations all, of some those that mention the user.
    package func unreadTotal(of user: UserID) async throws -> Int {
        let generation = state.withLock(\.generation)
        let total = try await inWords { try await store.unreadTotal(of: user) }
        state.withLock { state in
            if state.generation == generation { state.totals[user] = total }
        }
        return total
    }

    /// The total as long as nothing has changed since it was asked for; nil otherwise.
    package func lastUnreadTotal(of user: UserID) -> Int? { state.withLock { $0.totals[user] } }

    // MARK: The log

    /// What happened after a place in the log, for this user. Asking acknowledges that everything up to it has come.
    ///
    /// - Parameter limit: 500 at most
    package func log(for user: UserID, after: Int64, limit: Int = maximumPage) async throws -> ChatLogPage {
        acknowledge(after, by: user)
        let limit = min(max(limit, 1), Self.maximumPage)
        return try await inWords { try await store.log(for: user, after: after, limit: limit) }
    }

    /// The same from the last commits in memory; nil when they do not reach back that far: ask the log then.
    package func recentLog(for user: UserID, after: Int64) -> ChatLogPage? {
        acknowledge(after, by: user)
        return recent.page(for: user, after: after)
    }

    /// Whether the user is a member, where that is in memory; nil where only the disk says so.
    package func isKnownMember(_ user: UserID, of id: ConversationID) -> Bool? {
        recent.audience(of: id).map { $0.members[user] != nil }
    }

    /// Everything up to this place in the log has come to one of the user's clients; committed within 200 ms. A place
    /// beyond the end counts as the end.
    package func acknowledge(_ after: Int64, by user: UserID) {
        // What is not written yet cannot have come.
        let after = min(after, recent.last ?? after)
        guard after > 0 else { return }
        let isFirst = state.withLock { state in
            guard after > max(state.delivered[user] ?? 0, state.deliveries[user] ?? 0) else { return false }
            state.deliveries[user] = after
            return state.deliveries.count == 1
        }
        if isFirst { signal.fire() }
    }

    /// Commits what is waiting in memory (deliveries), and ends typing that has had no news.
    package func flush() async {
        expireTyping()
        await announce()
        let places = state.withLock { state in
            defer { state.deliveries = [:] }
            return state.deliveries
        }
        guard !places.isEmpty else { return }
        do {
            let committed = try await write { try $0.deliver(places) }
            state.withLock { state in
                for (user, place) in committed {
                    state.delivered[user] = max(state.delivered[user] ?? 0, place)
                }
            }
        } catch {
            // The next poll of each says it again.
            log.warning("Deliveries could not be saved", metadata: ["error": "\(error)"])
        }
    }

    /// Tells others of an account that is gone, or has a new name or picture.
    private func announce() async {
        let untold = state.withLock { state in
            defer { state.untold = nil }
            return state.untold
        }
        guard let untold else { return }
        let users = (try? await store.members(concernedAfter: untold)) ?? []
        publish(users)
    }

    // MARK: Typing, presence, drafts

    package func setTyping(_ id: ConversationID, by user: UserID, isTyping: Bool) async throws {
        let id = try await checkMember(user, of: id)
        guard isTyping else { return endTyping(of: user, in: id) }
        let now = clock.steady()
        let isNews = state.withLock { state in
            let before = state.typing[id]?[user]
            state.typing[id, default: [:]][user] = now
            return before.map { now.timeIntervalSince($0) > TypingStatus.lifetime } ?? true
        }
        if isNews { feed.publish(Topic.chatTyping(id)) }
        signal.fire()
    }

    /// The others who are typing now. Throws `RoostError.notFound` for those who are no members.
    package func typing(in id: ConversationID, for user: UserID) async throws -> [TypingStatus] {
        let id = try await checkMember(user, of: id)
        let now = clock.steady()
        return state.withLock { $0.typing[id] ?? [:] }
            .filter { $0.key != user && now.timeIntervalSince($0.value) <= TypingStatus.lifetime }
            .sorted { $0.key < $1.key }
            .map { TypingStatus(userId: $0.key, conversationId: id, startedAt: clock.date(of: $0.value)) }
    }

    /// - Parameter time: what is typed after it goes on
    private func endTyping(of user: UserID, in id: ConversationID, since time: Date = .distantFuture) {
        let isNews = state.withLock { state in
            guard let typed = state.typing[id]?[user], typed <= time else { return false }
            state.typing[id]?[user] = nil
            if state.typing[id]?.isEmpty == true { state.typing[id] = nil }
            return true
        }
        if isNews { feed.publish(Topic.chatTyping(id)) }
    }

    private func expireTyping() {
        let now = clock.steady()
        let ended = state.withLock { state -> [ConversationID] in
            let typing = state.typing.mapValues {
                $0.filter { now.timeIntervalSince($0.value) <= TypingStatus.lifetime }
            }
            let ended = state.typing.filter { $0.value.count != typing[$0.key]?.count }.map(\.key)
            state.typing = typing.filter { !$0.value.isEmpty }
            return ended
        }
        if !ended.isEmpty { feed.publish(ended.map(Topic.chatTyping)) }
    }

    /// The user has Roost open; to be said with each poll.
    package func markPresent(_ user: UserID) {
        let now = clock.steady()
        state.withLock { $0.seen[user] = now }
    }

    package func isPresent(_ user: UserID) -> Bool { present.contains(user) }

    private var present: Set<UserID> {
        let now = clock.steady()
        return state.withLock { state in
            state.seen = state.seen.filter { now.timeIntervalSince($0.value) <= Self.presence }
            return Set(state.seen.keys)
        }
    }

    /// Keeps what is in the composer; blank text removes it.
    package func saveDraft(_ text: String, in id: ConversationID, by user: UserID) async throws {
        let text = text.isBlank ? "" : try Self.text(text, mayBeEmpty: true)
        try await write { chat in
            let membership = try chat.membership(of: user, in: id)
            try chat.saveDraft(text, in: membership.conversationId, by: user)
        }
    }
}

extension Topic {
    /// All conversations of a user: messages, receipts, members, and what is the user's own.
    package static func chat(_ user: UserID) -> String { "chat/\(user)" }
    /// Who is typing in a conversation; the same topic whatever case its id is in.
    package static func chatTyping(_ conversation: ConversationID) -> String {
        "chat-typing/\(conversation.lowercased())"
    }
}
