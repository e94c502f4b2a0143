import GitHub
import RoostSupport

/// A bookmark in the API, including the stored repository so that clients need not ask GitHub.
struct BookmarkJSON: Codable {
    private let fullName: String
    private let state: Bookmark.State
    private let tags: [String]
    private let note: String
    private let addedAt: JSONTime
    private let checkedAt: JSONTime?
    private let changes: [String]
    private let repository: RepositoryJSON?

    init(_ bookmark: Bookmark) {
        (fullName, state) = (bookmark.fullName, bookmark.state)
        (tags, note) = (bookmark.tags, bookmark.note)
        (addedAt, checkedAt) = (JSONTime(bookmark.addedAt), bookmark.checkedAt.map(JSONTime.init))
        changes = bookmark.changes.map(BookmarkChangeText.text)
        repository = bookmark.item.map(RepositoryJSON.init)
    }
}
