import Accounts
import Chat
import RoostSupport
import RoostWeb
import TextFormats

/// Conversations, people and messages in the search of everything.
struct ChatSearchSource: Sendable {
    let services: ChatServices

    var source: SearchSource {
        SearchSource([
            SearchKind("conversations", "Conversations", icon: "chat"),
            SearchKind("people", "People", icon: "person"),
            SearchKind("messages", "Messages", icon: "chat") { "/chat/search?q=\($0.encoded)" },
        ]) { reads, query, user in
            let conversations = try services.conversations.conversationList(reads, of: user.userId)
            return [
                self.conversations(conversations, query), try people(reads, query, user),
                try messages(reads, query, user, in: conversations),
            ]
        }
    }

    /// The latest conversations if nothing has been typed.
    private func conversations(
        _ conversations: [ConversationSummary], _ query: SiteSearchQuery
    ) -> [SearchResult] {
        conversations.lazy.filter { query.isEmpty || query.matches([$0.displayName]) }
            .prefix(query.limit).map {
                SearchResult(
                    $0.displayName, detail: $0.conversation.isGroup ? "Group" : "One-on-one",
                    at: "/chat/\($0.id)",
                    person: PersonView(name: $0.displayName, avatar: $0.displayPhotoURL, toneKey: $0.toneKey))
            }
    }

    /// Leads to a new conversation, in which the person is already chosen.
    private func people(_ reads: Reads, _ query: SiteSearchQuery, _ user: User) throws -> [SearchResult] {
        guard !query.isEmpty else { return [] }
        return try services.conversations.people(reads, for: user.userId).lazy
            .filter { query.matches([$0.name, $0.username]) }
            .prefix(query.limit).map {
                SearchResult(
                    $0.name, detail: User.handle($0.username, for: $0.name) ?? "",
                    at: "/chat/new?participants=\($0.userId)",
                    person: PersonView(name: $0.name, avatar: $0.photoURL, toneKey: "\($0.userId)"))
            }
    }

    private func messages(
        _ reads: Reads, _ query: SiteSearchQuery, _ user: User, in conversations: [ConversationSummary]
    ) throws -> [SearchResult] {
        let found = try services.search.search(
            reads, ChatSearchQuery(text: query.text), for: user.userId, limit: query.limit)
        return found.hits.map { hit in
            SearchResult(
                hit.senderName ?? Message.formerMember,
                detail: conversations.first { $0.id == hit.conversationId }?.displayName ?? "",
                excerpt: hit.snippet, at: MessageView.permalink(hit.number, in: hit.conversationId))
        }
    }
}
