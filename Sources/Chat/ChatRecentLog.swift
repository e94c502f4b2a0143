import Foundation
import RoostSupport
import Synchronization

/// The current members of a conversation, for entries in memory.
struct ChatAudience: Sendable, Equatable {
    struct Membership: Sendable, Equatable {
        let joinedSeq: Int64
        /// The user may only see what comes after this log position.
        let visibleAfter: Int64
    }

    let members: [UserID: Membership]
}

/// The log entries of one transaction.
struct ChatCommit: Sendable {
    struct Item: Sendable {
        var entry: ChatLogEntry
        /// The only recipient, or nil for all members.
        let user: UserID?
    }

    /// When the changes were made.
    let time: Date
    /// The generation of the recent log when the transaction began.
    let generation: Int
    /// In log order, without gaps.
    private(set) var items: [Item] = []
    /// Conversations whose members changed.
    var changedMembers: Set<ConversationID> = []
    /// Members of the conversations whose members changed or were not in memory.
    var audiences: [ConversationID: ChatAudience] = [:]

    init(at time: Date, generation: Int) {
        self.time = time
        self.generation = generation
    }

    mutating func note(
        _ seq: Int64, in id: ConversationID, _ kind: ChatLogEntry.Kind, for user: UserID? = nil
    ) {
        items.append(Item(entry: ChatLogEntry(seq: seq, conversationId: id, kind: kind), user: user))
    }
}

/// The entries of the last commits, for answering a thousand waiting polls without the database.
///
/// It is filled on the writer's queue after each commit, so it has the database's order and is never ahead of it. If
/// another process or a trigger has written rows, it starts over and returns nil.
final class ChatRecentLog: Sendable {
    /// For more entries, clients read the log page by page.
    private static let maximumItems = 500
    private static let maximumBytes = 4_000_000
    private static let maximumAudiences = 2_000

    private struct State {
        /// Without gaps: an item's index is its seq minus the first one's.
        var items: ArraySlice<ChatCommit.Item> = []
        var audiences: [ConversationID: ChatAudience] = [:]
        /// The newest log position, or nil if unknown.
        var last: Int64?
        var byteCount = 0
        /// Incremented by `drop`.
        var generation = 0

        mutating func clear() { self = State(generation: generation) }
    }

    private let state = Mutex(State())

    var last: Int64? { state.withLock(\.last) }

    var generation: Int { state.withLock(\.generation) }

    func audience(of conversation: ConversationID) -> ChatAudience? {
        state.withLock { $0.audiences[conversation] }
    }

    /// Forgets the members of conversations that are about to change, until a commit provides them.
    func dropAudiences(of conversations: Set<ConversationID>) {
        guard !conversations.isEmpty else { return }
        state.withLock { state in
            for conversation in conversations { state.audiences[conversation] = nil }
        }
    }

    /// Sets the log position after which commits are remembered. Call it before the first commit.
    func begin(at position: Int64) { state.withLock { $0.last = position } }

    /// Adds a commit's entries. Must run before the next commit begins.
    func remember(_ commit: ChatCommit) {
        guard let first = commit.items.first?.entry.seq, let last = commit.items.last?.entry.seq else {
            return
        }
        state.withLock { state in
            // Another write in the same group commit, such as deleting an account, has added rows too.
            guard commit.generation == state.generation else { return }
            if state.last.map({ $0 + 1 != first }) ?? true { state.clear() }
            for (conversation, audience) in commit.audiences { state.audiences[conversation] = audience }
            for item in commit.items {
                Self.update(&state, with: item.entry)
                state.items.append(item)
                state.byteCount += Self.size(item)
            }
            state.last = last
            while state.items.count > Self.maximumItems || state.byteCount > Self.maximumBytes,
                let oldest = state.items.popFirst()
            {
                state.byteCount -= Self.size(oldest)
            }
            if state.audiences.count > Self.maximumAudiences { state.clear() }
        }
    }

    /// Call this when memberships may have changed, or when rows were written that are not in memory.
    func drop() {
        state.withLock { state in
            state.clear()
            state.generation += 1
        }
    }

    /// Returns a user's entries after this position, or nil if the memory does not reach back that far or members are
    /// unknown.
    func page(for user: UserID, after: Int64) -> ChatLogPage? {
        state.withLock { state in
            guard let last = state.last, after <= last else { return nil }
            if after == last { return ChatLogPage(entries: [], next: last, hasMore: false) }
            guard let first = state.items.first?.entry.seq, after >= first - 1 else { return nil }
            var entries: [ChatLogEntry] = []
            for item in state.items[(state.items.startIndex + Int(after - first + 1))...] {
                if let recipient = item.user {
                    if recipient == user { entries.append(item.entry) }
                    continue
                }
                guard let audience = state.audiences[item.entry.conversationId] else { return nil }
                guard let membership = audience.members[user], membership.joinedSeq <= item.entry.seq,
                    let entry = item.entry.visible(after: membership.visibleAfter)
                else { continue }
                entries.append(entry)
            }
            return ChatLogPage(entries: entries, next: last, hasMore: false)
        }
    }

    /// Updates older entries when a message changes, including conversations that have it as their last message, so
    /// that the text of a deleted message is not sent again. Replies to it get entries of their own.
    private static func update(_ state: inout State, with entry: ChatLogEntry) {
        guard let message = entry.message, message.seq != entry.seq else { return }
        for index in state.items.indices {
            let current: ChatLogEntry.Kind
            switch state.items[index].entry.kind {
            case .message(let older) where older.seq == message.seq: current = entry.kind
            case .conversation(var conversation) where conversation.lastSeq == message.seq:
                conversation.lastMessage = message.preview
                current = .conversation(conversation)
            default: continue
            }
            state.byteCount -= size(state.items[index])
            state.items[index].entry = state.items[index].entry.replacing(current)
            state.byteCount += size(state.items[index])
        }
    }

    private static func size(_ item: ChatCommit.Item) -> Int {
        switch item.entry.kind {
        case .message(let message): 500 + message.text.utf8.count
        case .status(_, _, let ranges, _): 200 + ranges.count * 16
        case .conversation(let conversation): 500 + conversation.members.count * 100
        case .draft(let text): 200 + text.utf8.count
        default: 200
        }
    }
}
