/// The names of what can change; a name with a user or a display in it is heard by that one only.
package enum Topic {
    package static let prices = "prices"
    package static let coins = "coins"
    package static func watchlist(_ user: UserID) -> String { "watchlist/\(user)" }
    package static func displays(_ user: UserID) -> String { "displays/\(user)" }
    /// A person's own account: profile, sessions and tokens.
    package static func account(_ user: UserID) -> String { "account/\(user)" }
    /// Everybody's accounts and the join links, for owners.
    package static let members = "members"
    package static func display(_ id: DisplayID) -> String { "display/\(id)" }
}
