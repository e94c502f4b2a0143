/// A feature with conversations to which alerts can be posted.
package protocol AlertDelivery: Sendable {
    func conversations(_ reads: Reads, of user: UserID) throws -> [AlertConversation]

    /// The topics that the conversations' names depend on.
    func topics(of user: UserID) -> [String]

    /// Posts a text in the name of the user's alerts; answers after the commit.
    ///
    /// - Parameters:
    ///   - id: a UUID, the same for each attempt, so that nothing is posted twice
    ///   - link: a path within Roost that the text is about, such as "/coins/bitcoin"
    /// - Throws: `RoostError.notFound` if the user is not a member; `.unavailable`, `.storageFull` and `.tooMany` if it
    ///   can be tried again
    func deliver(
        _ text: String, id: String, link: String, to conversation: String, for user: UserID
    ) async throws
}

package struct AlertConversation: Sendable, Equatable {
    package let id: String
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
