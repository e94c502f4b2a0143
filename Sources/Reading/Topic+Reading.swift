package import RoostSupport

extension Topic {
    /// Articles, gists and shared items of a user.
    package static func reading(_ user: UserID) -> String { "reading/\(user)" }
}
