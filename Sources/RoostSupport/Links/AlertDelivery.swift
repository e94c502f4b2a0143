/// A feature with conversations to which an alert that fired can be posted.
package protocol AlertDelivery: Sendable {
    /// The conversations that this user may name, the newest first.
    func conversations(of user: UserID) async throws -> [AlertConversation]

    /// Posts a text in the name of the user's alerts; answers after the commit.
    ///
    /// - Parameters:
    ///   - id: a UUID, the same for each attempt: what was posted is not posted again
    ///   - link: an address of Roost's own that the text is about: "/coins/bitcoin"
    /// - Throws: `RoostError.notFound` where the user is no member (any more), `.unavailable`, `.storageFull` and
    ///   `.tooMany` where it may be tried again
    func deliver(
        _ text: String, id: String, link: String, to conversation: String, for user: UserID
    ) async throws
}

/// A conversation that an alert may be posted to.
package struct AlertConversation: Sendable, Equatable {
    package let id: String
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
