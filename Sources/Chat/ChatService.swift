import Foundation
import Logging
package import RoostSupport
import Synchronization

/// Everything that users do in conversations, for pages, the API and webhooks. After each commit its entries are added
/// to `recentLog`, then the members are notified, then the call returns.
package final class ChatService: Service {
    /// Per conversation.
    static let maximumMembers = 2_000
    /// In characters.
    package static let maximumNameLength = 100
    package static let maximumPage = 500
    /// Per user and message.
    static let maximumReactions = 20
    /// How long a user counts as present after a poll, in seconds.
    static let presenceTimeout = Duration.seconds(35)
    private static let flushInterval = Duration.milliseconds(150)

    private struct State {
        var limit: ChatRateLimit
        /// Log positions that clients have acknowledged and that are not saved yet.
        var deliveries: [UserID: Int64] = [:]
        var delivered: [UserID: Int64] = [:]
        var typing: [ConversationID: [UserID: ContinuousClock.Instant]] = [:]
        var seen: [UserID: ContinuousClock.Instant] = [:]
        var totals: [UserID: Int] = [:]
        /// The change feed's position when totals last changed. A total from a transaction that began before the feed
        /// announced that change is not cached.
        var lastTotalsChange = -1
        /// The log position after which others must still be notified of an account's changes.
        var pendingNoticesAfter: Int64?
    }

    let database: Database
    private let recent = ChatRecentLog()
    private let cursors: NumberSealer
    private let feed: ChangeFeed
    let clock: WallClock
    private let log: Logger
    private let signal = AsyncSignal()
    private let state: Mutex<State>

    /// - Parameter cursors: must use a key that survives restarts, because clients keep cursors of the log
    init(
        cursors: NumberSealer, database: Database, burst: Int, rate: Int, feed: ChangeFeed, clock: WallClock,
        log: Logger
    ) {
        self.database = database
        self.cursors = cursors
        self.feed = feed
        self.clock = clock
        self.log = log
        state = Mutex(State(limit: ChatRateLimit(burst: burst, rate: rate)))
    }

    /// Changes how many messages each sender may send at once, and each second after that.
    package func setRateLimit(burst: Int, rate: Int) {
        state.withLock { state in
            state.limit.burst = burst
            state.limit.rate = rate
        }
    }

    package var userData: [UserData] {
        [
            .deleted(
                "Chat: memberships, drafts, reactions and the account’s own log entries",
                from: ["chat_members", "chat_drafts", "chat_reactions", "chat_log"]),
            .retained(
                "Chat messages stay, under “\(Message.formerMember)”, for everyone who can read them.",
                in: ["chat_conversations", "chat_messages"]),
        ]
    }

    package func load() async throws { recent.begin(at: try await position()) }

    package func noteAppearance(of user: UserID) {
        noteEntries(after: recent.last ?? 0)
        signal.fire()
    }

    /// Announces the log row that an import has just written: it is not in memory.
    func noteImport(into conversation: ConversationID, in writes: Writes) throws {
        recent.dropAudiences(of: [conversation])
        let end = try writes.chatLogEnd()
        writes.afterCommit { [self] in
            noteEntries(after: end - 1)
            state.withLock { state in
                state.totals = [:]
                state.lastTotalsChange = feed.position
            }
            signal.fire()
        }
    }

    /// Triggers have written entries that are not in memory: drops it, and lets `flush` notify the members.
    private func noteEntries(after last: Int64) {
        recent.drop()
        state.withLock { $0.pendingNoticesAfter = min($0.pendingNoticesAfter ?? last, last) }
    }

    package func forget(_ user: UserID) {
        noteEntries(after: recent.last ?? 0)
        let typed = state.withLock { state in
            (state.deliveries[user], state.delivered[user], state.seen[user]) = (nil, nil, nil)
            state.totals = [:]
            state.lastTotalsChange = feed.position
            state.limit.forget(.user(user))
            state.limit.forget(.alerts(of: user))
            let typed = state.typing.filter { $0.value[user] != nil }.map(\.key)
            for id in typed { state.typing[id]?[user] = nil }
            return typed
        }
        if !typed.isEmpty { feed.publish(typed.map(Topic.chatTyping)) }
        signal.fire()
    }

    /// Commits deliveries and expires typing until cancelled, and once more at the end.
    package func run() async {
        while !Task.isCancelled {
            await signal.wait()
            repeat {
                try? await Task.sleep(for: Self.flushInterval)
                // A cancelled task could no longer write.
                await Task { await flush() }.value
            } while !Task.isCancelled && state.withLock { !$0.typing.isEmpty || !$0.deliveries.isEmpty }
        }
    }

    // MARK: Commits

    /// Commits `work` with its log entries, which are in `recent` before the next commit, then notifies the members.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (Writes, inout ChatCommit) throws -> Value
    ) async throws -> Value {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            var commit = ChatCommit(at: now, generation: self.recent.generation)
            let value = try work(writes, &commit)
            try self.finish(commit, writes)
            return value
        }
    }

    /// Takes the members from `recent`, and makes it forget those of changed conversations, because later writes in the
    /// same group commit run before it is updated.
    private func finish(_ commit: ChatCommit, _ writes: Writes) throws {
        guard !commit.items.isEmpty else { return }
        recent.dropAudiences(of: commit.changedMembers)
        var commit = commit
        var users = Set(commit.items.compactMap(\.user)).subtracting([0])
        let affected = Set(commit.items.filter { $0.user == nil }.map(\.entry.conversationId))
        for id in affected.union(commit.changedMembers) {
            let audience: ChatAudience
            if let cached = recent.audience(of: id) {
                audience = cached
            } else {
                audience = try writes.audience(of: id)
                commit.audiences[id] = audience
            }
            if affected.contains(id) { users.formUnion(audience.members.keys) }
        }
        writes.afterCommit { [commit, users] in
            self.recent.remember(commit)
            self.forgetTotals(of: users)
        }
        writes.publish { [users] in users.sorted().map(Topic.chat) }
    }

    private func forgetTotals(of users: Set<UserID>) {
        state.withLock { state in
            for user in users { state.totals[user] = nil }
            state.lastTotalsChange = feed.position
        }
    }

    // MARK: Conversations

    /// Returns a user's conversations, newest message first.
    package func conversations(_ reads: Reads, of user: UserID) throws -> [ConversationSummary] {
        completed(try reads.conversationSummaries(of: user))
    }

    package func conversations(of user: UserID) async throws -> [ConversationSummary] {
        try await database.read { try conversations($0, of: user) }
    }

    /// Returns the conversations for a list, with at most two members of a group: the user and the last sender.
    /// Everyone who shows the list reads it again after each message, so its cost must not grow with the members.
    package func conversationList(_ reads: Reads, of user: UserID) throws -> [ConversationSummary] {
        try reads.conversationSummaries(of: user, isBrief: true)
    }

    /// The newest log position. A client that has read the current state polls after it.
    package func position(_ reads: Reads) throws -> Int64 { try reads.chatLogEnd() }

    package func position() async throws -> Int64 { try await database.read { try position($0) } }

    /// Seals a log position for clients. Positions count what everyone writes, so a plain one would reveal that.
    package func cursor(at position: Int64) -> String { cursors.seal(position) }

    /// Returns nil for a text that isn't a cursor of this Roost.
    package func position(of cursor: String) -> Int64? { cursors.open(cursor) }

    /// Throws `RoostError.notFound` if the user isn't a member.
    package func conversation(_ reads: Reads, _ id: ConversationID, for user: UserID) throws
        -> ConversationSummary
    {
        let found = try reads.conversationSummaries(of: user, id)
        guard let summary = completed(found).first else { throw RoostError.unknownConversation }
        return summary
    }

    package func conversation(_ id: ConversationID, for user: UserID) async throws -> ConversationSummary {
        try await database.read { try conversation($0, id, for: user) }
    }

    /// Throws `RoostError.notFound` if the user isn't a member. Does not read the other members.
    ///
    /// - Returns: the conversation's stored id
    @discardableResult
    package func checkMember(_ reads: Reads, _ user: UserID, of id: ConversationID) throws -> ConversationID {
        if let audience = recent.audience(of: id) {
            guard audience.members[user] != nil else { throw RoostError.unknownConversation }
            return id
        }
        return try reads.requiredMembership(of: user, in: id).conversationId
    }

    @discardableResult
    package func checkMember(_ user: UserID, of id: ConversationID) async throws -> ConversationID {
        try await database.read { try checkMember($0, user, of: id) }
    }

    /// Adds what is not in the database: who is present, and the cursor, which is the same for all.
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

    /// Everyone else on this Roost, sorted by name.
    package func people(_ reads: Reads, for user: UserID) throws -> [ChatPerson] {
        let present = present
        return try reads.chatPeople(for: user).map { person in
            ChatPerson(
                userId: person.userId, username: person.username, name: person.name,
                photoURL: person.photoURL,
                isPresent: present.contains(person.userId))
        }
    }

    /// Counts unread messages according to each conversation's notification setting: all, mentions or none.
    package func unreadTotal(_ reads: Reads, of user: UserID) throws -> Int {
        let total = try reads.unreadTotal(of: user)
        state.withLock { state in
            if state.lastTotalsChange < reads.feedPosition { state.totals[user] = total }
        }
        return total
    }

    /// The last total, or nil if anything has changed since.
    package func lastUnreadTotal(of user: UserID) -> Int? { state.withLock { $0.totals[user] } }

    // MARK: Sending

    func consumeQuota(of sender: ChatSender) throws {
        let now = clock.steady()
        try state.withLock { try $0.limit.consume(sender, at: now) }
    }

    func refundQuota(of sender: ChatSender) { state.withLock { $0.limit.refund(sender) } }

    static func text(_ text: String, mayBeEmpty: Bool) throws -> String {
        guard text.utf8.count <= Message.maximumTextBytes else {
            throw RoostError.invalid(
                field: "text", why: "A message can have up to \(Message.maximumTextBytes / 1_024) KB of text."
            )
        }
        // SQLite's functions end a text at its first NUL.
        let text = text.utf8.contains(0) ? text.replacingBytes(of: "\0", with: "") : text
        guard mayBeEmpty || !text.isBlank else {
            throw RoostError.invalid(field: "text", why: "The message is empty.")
        }
        return text
    }

    static func uuid(_ text: String) throws -> String {
        guard text.utf8.count == 36, UUID(uuidString: text) != nil else {
            throw RoostError.invalid(field: "id", why: "The id must be a UUID.")
        }
        return text
    }

    // MARK: The log

    /// Returns a user's log entries after a position, and acknowledges everything up to it.
    ///
    /// - Parameter limit: 500 at most
    package func log(for user: UserID, after: Int64, limit: Int = maximumPage) async throws -> ChatLogPage {
        acknowledge(after, by: user)
        let limit = min(max(limit, 1), Self.maximumPage)
        return try await database.read { try $0.chatLog(for: user, after: after, limit: limit) }
    }

    /// As `log`, but from memory. Returns nil if the memory does not reach back that far; then use `log`.
    package func recentLog(for user: UserID, after: Int64) -> ChatLogPage? {
        acknowledge(after, by: user)
        return recent.page(for: user, after: after)
    }

    /// Returns nil if only the database can tell.
    package func isMemberIfCached(_ user: UserID, of id: ConversationID) -> Bool? {
        recent.audience(of: id).map { $0.members[user] != nil }
    }

    /// Notes that one of the user's clients has received everything up to this log position; saved within 200 ms. A
    /// position beyond the end counts as the end.
    package func acknowledge(_ position: Int64, by user: UserID) {
        // Clients cannot have received what is not written yet.
        let position = min(position, recent.last ?? position)
        guard position > 0 else { return }
        let isFirst = state.withLock { state in
            guard position > max(state.delivered[user] ?? 0, state.deliveries[user] ?? 0) else {
                return false
            }
            state.deliveries[user] = position
            return state.deliveries.count == 1
        }
        if isFirst { signal.fire() }
    }

    package func flush() async {
        expireTyping()
        await publishPendingNotices()
        let positions = state.withLock { state in
            defer { state.deliveries = [:] }
            return state.deliveries
        }
        guard !positions.isEmpty else { return }
        do {
            let committed = try await write { writes, commit in
                let end = try writes.chatLogEnd()
                let positions = positions.mapValues { min($0, end) }
                var starts: [ConversationID: Int64] = [:]
                for (user, position) in positions.sorted(by: { $0.key < $1.key }) {
                    starts.merge(try writes.setDelivered(upTo: position, of: user), uniquingKeysWith: min)
                }
                for (id, start) in starts.sorted(by: { $0.key < $1.key }) {
                    let delivered = try writes.stampCompleted(
                        .delivered, in: id, after: start, at: commit.time)
                    try writes.logStatus(.delivered, of: delivered, in: id, &commit)
                }
                return positions
            }
            state.withLock { state in
                for (user, position) in committed {
                    state.delivered[user] = max(state.delivered[user] ?? 0, position)
                }
            }
        } catch {
            // The next poll of each client acknowledges again.
            log.databaseFailure("Deliveries could not be saved", error)
        }
    }

    /// Notifies others of a deleted or changed account.
    private func publishPendingNotices() async {
        let pendingNoticesAfter = state.withLock { state in
            defer { state.pendingNoticesAfter = nil }
            return state.pendingNoticesAfter
        }
        guard let pendingNoticesAfter else { return }
        let users = try? await database.read { try $0.members(withChatEntriesAfter: pendingNoticesAfter) }
        guard let users, !users.isEmpty else { return }
        forgetTotals(of: users)
        feed.publish(users.sorted().map(Topic.chat))
    }

    // MARK: Typing, presence, drafts

    package func setTyping(_ id: ConversationID, by user: UserID, isTyping: Bool) async throws {
        let id = try await checkMember(user, of: id)
        guard isTyping else { return endTyping(of: user, in: id) }
        let now = clock.steady()
        let hasChanged = state.withLock { state in
            let before = state.typing[id]?[user]
            state.typing[id, default: [:]][user] = now
            return before.map { now - $0 > TypingStatus.lifetime } ?? true
        }
        if hasChanged { feed.publish(Topic.chatTyping(id)) }
        signal.fire()
    }

    /// Returns who else is typing. Throws `RoostError.notFound` if the user isn't a member.
    package func typing(_ reads: Reads, in id: ConversationID, for user: UserID) throws -> [TypingStatus] {
        let id = try checkMember(reads, user, of: id)
        let now = clock.steady()
        return state.withLock { $0.typing[id] ?? [:] }
            .filter { $0.key != user && now - $0.value <= TypingStatus.lifetime }
            .sorted { $0.key < $1.key }
            .map { TypingStatus(userId: $0.key, conversationId: id, startedAt: clock.date(of: $0.value)) }
    }

    /// - Parameter time: typing that began later continues
    func endTyping(
        of user: UserID, in id: ConversationID, since time: ContinuousClock.Instant = .distantFuture
    ) {
        let hasChanged = state.withLock { state in
            guard let typed = state.typing[id]?[user], typed <= time else { return false }
            state.typing[id]?[user] = nil
            if state.typing[id]?.isEmpty == true { state.typing[id] = nil }
            return true
        }
        if hasChanged { feed.publish(Topic.chatTyping(id)) }
    }

    private func expireTyping() {
        let now = clock.steady()
        let ended = state.withLock { state -> [ConversationID] in
            let typing = state.typing.mapValues {
                $0.filter { now - $0.value <= TypingStatus.lifetime }
            }
            let ended = state.typing.filter { $0.value.count != typing[$0.key]?.count }.map(\.key)
            state.typing = typing.filter { !$0.value.isEmpty }
            return ended
        }
        if !ended.isEmpty { feed.publish(ended.map(Topic.chatTyping)) }
    }

    /// Call it with each poll.
    package func markPresent(_ user: UserID) {
        let now = clock.steady()
        state.withLock { $0.seen[user] = now }
    }

    package func isPresent(_ user: UserID) -> Bool { present.contains(user) }

    private var present: Set<UserID> {
        let now = clock.steady()
        return state.withLock { state in
            state.seen = state.seen.filter { now - $0.value <= Self.presenceTimeout }
            return Set(state.seen.keys)
        }
    }

    /// Saves the composer's text; blank text deletes the draft.
    package func saveDraft(_ text: String, in id: ConversationID, by user: UserID) async throws {
        let text = text.isBlank ? "" : try Self.text(text, mayBeEmpty: true)
        try await write { writes, commit in
            let id = try writes.requiredMembership(of: user, in: id).conversationId
            guard try writes.chatDraft(of: user, in: id) ?? "" != text else { return }
            try writes.setChatDraft(text, of: user, in: id, at: commit.time)
            try writes.logOwn(.draft(text), data: text, in: id, for: user, &commit)
        }
    }
}

extension Topic {
    /// A user's conversations: messages, receipts, members, and the user's own settings and drafts.
    package static func chat(_ user: UserID) -> String { "chat/\(user)" }
    /// The people typing in a conversation, for any spelling of its id.
    package static func chatTyping(_ conversation: ConversationID) -> String {
        "chat-typing/\(conversation.lowercased())"
    }
}
