/// A feature that keeps pages to be read: a link that stands anywhere in Roost may be saved to it.
package protocol ReadingListSaver: Sendable {
    /// Saves the page at an address, and answers at once what to tell the user, and where it is listed.
    ///
    /// - Parameter source: where the link stood: "chat"
    /// - Throws: `RoostError.invalid` in words for what is no web address
    func save(
        _ address: String, title: String?, from source: String, for user: UserID
    ) async throws -> (message: String, path: String)
}
