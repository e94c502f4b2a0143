/// How one user likes the inbox shown.
package struct PullChoices: Codable, Equatable, Hashable, Sendable {
    package enum Grouping: String, Codable, Sendable, CaseIterable {
        case none, repository
    }

    package enum Sort: String, Codable, Sendable, CaseIterable {
        /// The longest wait first.
        case age
        /// The latest update first.
        case update
        /// The smallest first; what has no size last.
        case size
    }

    package enum Drafts: String, Codable, Sendable, CaseIterable {
        case shown, hidden, only
    }

    package var grouping = Grouping.none
    package var sort = Sort.age
    package var drafts = Drafts.shown
    package var hidesBots = false
    /// Logins of bots that GitHub calls users and whose names do not show it, beside the known ones.
    package var botLogins: [String] = []
    /// Hours of waiting after which a row turns amber, and red.
    package var amberHours = 72
    package var redHours = 168
    /// Tell the browser of a new request, where it allows it.
    package var notifies = false
    package var sounds = false

    package init() {}
}

/// An own section: a GitHub search with a name and a place in the order.
package struct OwnSection: Codable, Equatable, Hashable, Sendable, Identifiable {
    package let id: Int64
    package let name: String
    /// GitHub's search language; `is:pr` is added where it is missing.
    package let query: String
    /// From 0.
    package let order: Int

    package init(id: Int64, name: String, query: String, order: Int) {
        self.id = id
        self.name = name
        self.query = query
        self.order = order
    }
}
