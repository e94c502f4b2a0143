package import RoostSupport

/// Finds messages by their words, in one conversation or all of the reader's.
package final class ChatSearchService: Sendable {
    package static let pageSize = 20

    private let store: ChatSearchStore

    package init(store: ChatSearchStore) {
        self.store = store
    }

    /// The newest first. Only what the user may read now is found: nothing of conversations that he has left or was
    /// removed from, nothing from before he came unless it was shown to him, and no deleted message.
    ///
    /// A query without words finds what its filters say; one without any finds nothing. Throws `RoostError.notFound` for
    /// a conversation that is not the user's, and `.invalid(field: "cursor")`.
    package func search(
        _ query: ChatSearchQuery, for user: UserID, limit: Int = ChatSearchService.pageSize
    ) async throws -> ChatSearchPage {
        let limit = min(max(1, limit), 100)
        let hits = try await store.hits(query, for: user, limit: limit)
        // The last hit's conversation and number: they are on the page already, and its seq must not be.
        let last = hits.count > limit ? hits[limit - 1] : nil
        return ChatSearchPage(
            hits: Array(hits.prefix(limit)), next: last.map { "\($0.conversationId).\($0.number)" })
    }
}
