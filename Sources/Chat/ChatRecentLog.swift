import RoostSupport
import Synchronization

/// Who may read a conversation now, for entries that are in memory.
struct ChatAudience: Sendable, Equatable {
    struct Membership: Sendable, Equatable {
        /// The membership's own place in the log.
        let joinedSeq: Int64
        /// Nothing up to here may be seen.
        let visibleAfter: Int64
    }

    let members: [UserID: Membership]
}

/// What one commit wrote to the log.
struct ChatCommit: Sendable {
    struct Item: Sendable {
        var entry: ChatLogEntry
        /// The only one who hears of it; nil for all members.
        let user: UserID?
    }

    /// In the order of the log, without gaps.
    var items: [Item] = []
    /// The members of each conversation that changed its members, or of which none were in memory.
    var audiences: [ConversationID: ChatAudience] = [:]
}

/// The entries of the last commits, so that a thousand waiting polls are answered without the database.
///
/// Filled on the writer's queue, commit by commit: it is never ahead of the disk nor in another order. When rows are
/// missing from it that another process or a trigger wrote, it starts again, and answers nil.
final class ChatRecentLog: Sendable {
    private static let maximumItems = 2_000
    /// Of the texts.
    private static let maximumBytes = 4_000_000
    /// More entries than that are asked from the log, page by page.
    static let maximumAnswer = 500

    private struct State {
        /// Without gaps: the place of an item is its seq minus that of the first.
        var items: ArraySlice<ChatCommit.Item> = []
        var audiences: [ConversationID: ChatAudience] = [:]
        /// The newest place in the log; nil where nothing is known.
        var last: Int64?
        var byteCount = 0
    }

    private let state = Mutex(State())

    /// The newest place that is known.
    var last: Int64? { state.withLock(\.last) }

    func audience(of conversation: ConversationID) -> ChatAudience? {
        state.withLock { $0.audiences[conversation] }
    }

    /// Forgets the members of conversations until a commit brings them: they are about to change.
    func dropAudiences(of conversations: Set<ConversationID>) {
        guard !conversations.isEmpty else { return }
        state.withLock { state in
            for conversation in conversations { state.audiences[conversation] = nil }
        }
    }

    /// Before the first commit: what comes after this place will be remembered.
    func begin(at position: Int64) { state.withLock { $0.last = position } }

    /// Adds what a commit wrote, before the next commit begins.
    func remember(_ commit: ChatCommit) {
        guard let first = commit.items.first?.entry.seq, let last = commit.items.last?.entry.seq else {
            return
        }
        state.withLock { state in
            if state.last.map({ $0 + 1 != first }) ?? true { state = State() }
            for (conversation, audience) in commit.audiences { state.audiences[conversation] = audience }
            for item in commit.items {
                Self.renew(&state, with: item.entry)
                state.items.append(item)
                state.byteCount += Self.size(item)
            }
            state.last = last
            while state.items.count > Self.maximumItems || state.byteCount > Self.maximumBytes,
                let oldest = state.items.popFirst()
            {
                state.byteCount -= Self.size(oldest)
            }
            if state.audiences.count > Self.maximumItems { state = State() }
        }
    }

    /// Drops everything: the memberships are in doubt.
    func drop() { state.withLock { $0 = State() } }

    /// What is in memory after this place for a user; nil when it does not reach back that far, or in doubt.
    func page(for user: UserID, after: Int64) -> ChatLogPage? {
        state.withLock { state in
            guard let last = state.last, after <= last else { return nil }
            if after == last { return ChatLogPage(entries: [], next: last, hasMore: false) }
            guard let first = state.items.first?.entry.seq, after >= first - 1,
                last - after <= Int64(Self.maximumAnswer)
            else { return nil }
            var entries: [ChatLogEntry] = []
            for item in state.items[(state.items.startIndex + Int(after - first + 1))...] {
                if let audienceOfOne = item.user {
                    if audienceOfOne == user { entries.append(item.entry) }
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

    /// An edited message replaces what older entries say of it, also those that have it as a conversation's last: the
    /// words of a deleted one are not told any more. Its replies come with entries of their own.
    private static func renew(_ state: inout State, with entry: ChatLogEntry) {
        guard let message = entry.message, message.seq != entry.seq else { return }
        for place in state.items.indices {
            let present: ChatLogEntry.Kind
            switch state.items[place].entry.kind {
            case .message(let older) where older.seq == message.seq: present = entry.kind
            case .conversation(var conversation) where conversation.lastSeq == message.seq:
                conversation.lastMessage = message.preview
                present = .conversation(conversation)
            default: continue
            }
            state.byteCount -= size(state.items[place])
            state.items[place].entry = state.items[place].entry.replacing(present)
            state.byteCount += size(state.items[place])
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
