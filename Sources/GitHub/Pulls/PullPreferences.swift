package import RoostSupport

package struct PullPreferences: Preferences, Hashable {
    package enum Grouping: String, Codable, Sendable, CaseIterable {
        case none, repository
    }

    package enum Sort: String, Codable, Sendable, CaseIterable {
        case age
        case update
        /// Smallest first; unknown sizes last.
        case size
    }

    package enum Drafts: String, Codable, Sendable, CaseIterable {
        case shown, hidden, only
    }

    /// How the lines of a change are arranged.
    package enum Diffs: String, Codable, Sendable, CaseIterable {
        /// In one column.
        case unified
        /// The old file next to the new one.
        case split
    }

    /// Whether changes that are only whitespace count as changes.
    package enum Whitespace: String, Codable, Sendable, CaseIterable {
        case shown, hidden
    }

    package static let name = "pulls"

    package var grouping = Grouping.none
    package var sort = Sort.age
    package var drafts = Drafts.shown
    package var diffs = Diffs.unified
    package var whitespace = Whitespace.shown
    package var hidesBots = false
    /// Logins of further bots that GitHub lists as users.
    package var botLogins: [String] = []
    package var amberHours = 72
    package var redHours = 168
    /// Show browser notifications for new requests, if the browser allows it.
    package var notifies = false
    package var sounds = false
    /// Ids of folded sections.
    package var collapsed: Set<String> = []
    /// Whether the team's wall screens may show what waits for this user.
    package var isOnWalls = false

    package init() {}

    static let (hours, maximumBots) = (1...8_760, 50)

    static func isLogin(_ text: String) -> Bool {
        text.wholeMatch(of: #/[A-Za-z0-9_.-]{1,39}(\[bot\])?/#) != nil
    }

    /// Without values that the form refuses: imported preferences were not checked.
    var possible: PullPreferences {
        var choices = self
        if !Self.hours.contains(amberHours) || !(amberHours...Self.hours.upperBound).contains(redHours) {
            let standard = PullPreferences()
            (choices.amberHours, choices.redHours) = (standard.amberHours, standard.redHours)
        }
        choices.botLogins = Array(botLogins.lazy.filter(Self.isLogin).prefix(Self.maximumBots))
        return choices
    }
}

/// A user's own section: a named GitHub search.
package struct OwnSection: Equatable, Hashable, Sendable, Identifiable {
    package private(set) var id: Int64
    package private(set) var name: String
    /// GitHub's search syntax. `is:pr` is added if missing.
    package private(set) var query: String
    package private(set) var order: Int
}

extension OwnSection: ColumnRecord {
    package init() { self.init(id: 0, name: "", query: "", order: 0) }

    /// `order` is the index among the user's sections, whatever numbers the table has.
    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("name", &name)
        try columns.column("query", &query)
    }

    func moved(to order: Int) -> OwnSection {
        OwnSection(id: id, name: name, query: query, order: order)
    }
}
