package import RoostSupport

extension Topic {
    /// A person's own account: profile, sessions and tokens.
    package static func account(_ user: UserID) -> String { "account/\(user)" }
    /// Everybody's accounts and the join links, for owners.
    package static let members = "members"
}
