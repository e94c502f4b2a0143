package import RoostSupport

extension Topic {
    /// A person's GitHub accounts and the sign-in that is under way.
    package static func github(_ user: UserID) -> String { "github/\(user)" }
}
