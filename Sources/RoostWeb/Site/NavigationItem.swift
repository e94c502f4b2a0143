package import Accounts
package import RoostSupport

package struct NavigationEntry: Sendable {
    /// The number of items that wait for the user.
    package struct Count: Sendable {
        package let address: String
        package let topic: String
        /// Throws database errors.
        package let waiting: @Sendable (Reads, User) throws -> Int
        /// The last known count, for pages that must not wait for the database; nil if unknown.
        package let lastWaiting: @Sendable (User) -> Int?
        /// True if it counts unread messages, which also mark the tab's icon.
        package let isUnreadTotal: Bool
        /// True if someone waits for an answer. The tab's title counts only those, not a backlog.
        package let isInTitle: Bool

        package init(
            address: String, topic: String, waiting: @escaping @Sendable (Reads, User) throws -> Int,
            lastWaiting: @escaping @Sendable (User) -> Int? = { _ in nil }, isUnreadTotal: Bool = false,
            isInTitle: Bool = true
        ) {
            self.address = address
            self.topic = topic
            self.waiting = waiting
            self.lastWaiting = lastWaiting
            self.isUnreadTotal = isUnreadTotal
            self.isInTitle = isInTitle
        }
    }

    package let name: String
    /// The name on narrow screens, or nil to use `name`.
    package let short: String?
    package let address: String
    /// The id of a symbol in `Public/icons/roost.svg`.
    package let icon: String
    /// The key that leads there after `g`, or nil for none. No two entries have the same.
    package let key: String?
    package let count: Count?
    /// True if phones show it in the "More" menu: a tab bar has room for five.
    package let isFolded: Bool
    /// The keys that open it from any page: "Ctrl K".
    package let shortcut: String?

    package init(
        _ name: String, short: String? = nil, at address: String, icon: String, key: String? = nil,
        count: Count? = nil, isFolded: Bool = false, shortcut: String? = nil
    ) {
        self.name = name
        self.short = short
        self.address = address
        self.icon = icon
        self.key = key
        self.count = count
        self.isFolded = isFolded
        self.shortcut = shortcut
    }
}

package struct NavigationItem: Sendable {
    package let entry: NavigationEntry
    package let count: Int?
    package let isCurrent: Bool

    /// Returns all links, marking the one at the address `current`. The counts are by address.
    package static func all(
        _ entries: [NavigationEntry], current: String?, counts: [String: Int] = [:]
    ) -> [NavigationItem] {
        entries.map { entry in
            NavigationItem(
                entry: entry, count: counts[entry.address], isCurrent: entry.address == current)
        }
    }

    var countAddress: String? { entry.count?.address }
    var countTopic: String? { entry.count?.topic }
    /// The part of the count that the tab's title includes.
    package var waiting: Int { isInTitle ? count ?? 0 : 0 }
    package var isInTitle: Bool { entry.count?.isInTitle ?? false }
    package var isUnreadTotal: Bool { entry.count?.isUnreadTotal ?? false }
    var statusCount: Int? { entry.count == nil ? count : nil }
    var countText: String { (count ?? 0) > 0 ? "\(count ?? 0)" : "" }
}
