package import RoostSupport

extension Topic {
    package static func bookmarks(_ user: UserID) -> String { "bookmarks/\(user)" }
}
