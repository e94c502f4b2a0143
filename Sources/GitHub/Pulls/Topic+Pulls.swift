package import RoostSupport

extension Topic {
    /// The inbox: whoever listens is looking at it.
    package static func pulls(_ user: UserID) -> String { "pulls/\(user)" }
    /// How many pull requests wait: every page shows the figure.
    package static func waiting(_ user: UserID) -> String { "waiting/\(user)" }
}
