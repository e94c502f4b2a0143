import Accounts
import RoostServices

/// A link that a feature has in the navigation.
struct NavigationPlace: Sendable {
    /// How much waits there, for one user.
    struct Count: Sendable {
        /// Where the count is fetched.
        let address: String
        /// The topic of the count, as pages name it.
        let topic: String
        /// Throws what the database throws.
        let waiting: @Sendable (Services, User) async throws -> Int
        /// The figure as it was last read, for a page that cannot wait for the disk; nil where it is not known.
        let lastWaiting: @Sendable (Services, User) -> Int?
        /// Whether it counts unread messages: the tab's icon shows them too.
        var isUnreadTotal = false
        /// Whether someone waits for an answer: the tab's title counts only that, and no backlog.
        var isInTitle = true
    }

    let name: String
    /// The name on narrow screens; nil for the name itself.
    let short: String?
    let address: String
    /// The id of a symbol in `Public/icons/roost.svg`.
    let icon: String
    let count: Count?
    /// Whether phones have it in their "More" menu: a tab bar has room for five.
    let isFolded: Bool

    init(
        _ name: String, short: String? = nil, at address: String, icon: String, count: Count? = nil,
        isFolded: Bool = false
    ) {
        self.name = name
        self.short = short
        self.address = address
        self.icon = icon
        self.count = count
        self.isFolded = isFolded
    }
}

/// A link of the navigation as a page shows it.
struct NavigationItem: Sendable {
    let place: NavigationPlace
    let count: Int?
    let isCurrent: Bool

    /// All links, with the current one marked.
    ///
    /// - Parameters:
    ///   - current: the address of the current place; nil on a page that belongs to none
    ///   - counts: by address; nil shows none
    static func all(
        _ places: [NavigationPlace], current: String?, counts: [String: Int] = [:]
    ) -> [NavigationItem] {
        places.map { place in
            NavigationItem(
                place: place, count: counts[place.address], isCurrent: place.address == current)
        }
    }

    var name: String { place.name }
    var address: String { place.address }

    var isFolded: Bool { place.isFolded }
    var icon: String { place.icon }
    var countAddress: String? { place.count?.address }
    var countTopic: String? { place.count?.topic }
    /// How much of it the tab's title counts.
    var waiting: Int { isInTitle ? count ?? 0 : 0 }
    var isInTitle: Bool { place.count?.isInTitle ?? false }
    var isUnreadTotal: Bool { place.count?.isUnreadTotal ?? false }
    var statusCount: Int? { place.count == nil ? count : nil }
    var countText: String { (count ?? 0) > 0 ? "\(count ?? 0)" : "" }
}
