import Accounts
import Chat
import RoostSupport
import RoostWeb
import TextFormats

/// Conversations, messages and people in the search of everything.
struct ChatSearchSources {
    let services: ChatServices

    var all: [SearchSource] { [conversations, people, messages] }

    private var conversations: SearchSource {
        SearchSource("conversations", "Conversations", icon: "chat") {
            [chat = services.conversations] reads, query, user in
            try chat.conversationList(reads, of: user.userId).lazy
                .filter { query.isEmpty || query.matches([$0.displayName]) }
                .prefix(query.limit).map {
                    SearchResult(
                        $0.displayName, detail: $0.conversation.isGroup ? "Group" : "One-on-one",
                        at: "/chat/\($0.id)",
                        person: PersonView(
                            name: $0.displayName, avatar: $0.displayPhotoURL, toneKey: $0.toneKey))
                }
        }
    }

    /// Leads to a new conversation, in which the person is already chosen.
    private var people: SearchSource {
        SearchSource("people", "People", icon: "person") {
            [chat = services.conversations] reads, query, user in
            guard !query.isEmpty else { return [] }
            return try chat.people(reads, for: user.userId).lazy
                .filter { query.matches([$0.name, $0.username]) }
                .prefix(query.limit).map {
                    SearchResult(
                        $0.name, detail: User.handle($0.username, for: $0.name) ?? "",
                        at: "/chat/new?participants=\($0.userId)",
                        person: PersonView(name: $0.name, avatar: $0.photoURL, toneKey: "\($0.userId)"))
                }
        }
    }

    private var messages: SearchSource {
        SearchSource(
            "messages", "Messages", icon: "chat", allAddress: { "/chat/search?q=\($0.encoded)" }
        ) { [chat = services.conversations, search = services.search] reads, query, user in
            let found = try search.search(
                reads, ChatSearchQuery(text: query.text), for: user.userId, limit: query.limit)
            guard !found.hits.isEmpty else { return [] }
            let list = try chat.conversationList(reads, of: user.userId)
            let names = Dictionary(list.map { ($0.id, $0.displayName) }) { first, _ in first }
            return found.hits.map { hit in
                SearchResult(
                    hit.senderName ?? Message.formerMember, detail: names[hit.conversationId] ?? "",
                    excerpt: hit.snippet, at: MessageView.permalink(hit.number, in: hit.conversationId))
            }
        }
    }
}
