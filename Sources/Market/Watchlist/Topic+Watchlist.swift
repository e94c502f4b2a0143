package import RoostSupport

extension Topic {
    package static func watchlist(_ user: UserID) -> String { "watchlist/\(user)" }
}
