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
    /// The inbox: whoever listens is looking at it.
    package static func pulls(_ user: UserID) -> String { "pulls/\(user)" }
    /// How many pull requests wait: every page shows the figure.
    package static func waiting(_ user: UserID) -> String { "waiting/\(user)" }
    /// A person's GitHub accounts and the sign-in that is under way.
    package static func github(_ user: UserID) -> String { "github/\(user)" }
    /// What is known of public repositories: lists and details.
    package static let repositories = "repositories"
    /// What this person alone sees of them: searches, private repositories, errors.
    package static func repositories(_ user: UserID) -> String { "repositories/\(user)" }
    package static func bookmarks(_ user: UserID) -> String { "bookmarks/\(user)" }
    /// Pictures that have come meanwhile.
    package static let pictures = "pictures"
    package static func display(_ id: DisplayID) -> String { "display/\(id)" }
}
