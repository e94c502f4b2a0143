package import RoostSupport

/// Finds messages in one or all of the user's conversations.
package final class ChatSearchService: Sendable {
    package static let pageSize = 20
    package static let maximumPageSize = 100

    private let database: Database

    init(database: Database) { self.database = database }

    /// Returns matches, newest first. Only finds what the user may read now: no conversations that they have left, no
    /// messages from before they joined unless those were shown to them, and no deleted messages.
    ///
    /// A query without words only applies its filters; a query without either finds nothing. Throws
    /// `RoostError.notFound` if the user isn't a member of the query's conversation, and `.invalidCursor`.
    package func search(
        _ reads: Reads, _ query: ChatSearchQuery, for user: UserID, limit: Int = ChatSearchService.pageSize
    ) throws -> ChatSearchPage {
        let limit = min(max(1, limit), Self.maximumPageSize)
        guard !query.phrases.isEmpty || query.from != nil || query.hasImage else {
            return ChatSearchPage(hits: [], next: nil)
        }
        let hits = try reads.searchHits(query, for: user, limit: limit)
        let last = hits.count > limit ? hits[limit - 1] : nil
        return ChatSearchPage(
            hits: Array(hits.prefix(limit)),
            next: last.map { ChatSearchPosition(conversation: $0.conversationId, number: $0.number) })
    }

    package func search(
        _ query: ChatSearchQuery, for user: UserID, limit: Int = ChatSearchService.pageSize
    ) async throws -> ChatSearchPage {
        try await database.read { try search($0, query, for: user, limit: limit) }
    }
}
