package import RoostSupport

extension PullService {
    /// Returns pull requests that one of the user's accounts has found and that have all words of the text, as in
    /// `InboxFilter`, the latest update first; also those that were put away. Without text, returns those that wait for
    /// the user.
    package func search(
        _ reads: Reads, _ text: String, for user: UserID, limit: Int
    ) throws -> [InboxItem] {
        guard !text.isBlank else {
            let items = try inbox(reads, of: user).sections.flatMap(\.items)
            return Array(items.lazy.filter(\.isTurn).prefix(limit))
        }
        var filter = InboxFilter()
        filter.text = text
        let prepared = InboxFilter.Prepared(filter)
        var found: [PullKey: InboxItem] = [:]
        for account in accounts.accounts(of: user) {
            for (key, item) in snapshot(account).pulls where found[key] == nil && prepared.matches(item) {
                found[key] = item
            }
        }
        return Array(InboxFilter.sorted(Array(found.values), by: .update).prefix(limit))
    }
}
