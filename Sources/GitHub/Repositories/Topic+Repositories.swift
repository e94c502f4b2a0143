package import RoostSupport

extension Topic {
    /// What is known of public repositories: lists and details.
    package static let repositories = "repositories"
    /// What this person alone sees of them: searches, private repositories, errors.
    package static func repositories(_ user: UserID) -> String { "repositories/\(user)" }
}
