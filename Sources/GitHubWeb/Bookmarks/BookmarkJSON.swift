import GitHub
import TextFormats

/// A bookmark in the API, including the stored repository so that clients need not ask GitHub.
struct BookmarkJSON: Encodable {
    private let bookmark: Bookmark

    init(_ bookmark: Bookmark) {
        self.bookmark = bookmark
    }

    private enum CodingKeys: String, CodingKey {
        case fullName, state, tags, note, addedAt, checkedAt, changes, repository
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(bookmark.fullName, forKey: .fullName)
        try values.encode(bookmark.state, forKey: .state)
        try values.encode(bookmark.tags, forKey: .tags)
        try values.encode(bookmark.note, forKey: .note)
        try values.encode(ISO8601.seconds(bookmark.addedAt), forKey: .addedAt)
        try values.encodeIfPresent(bookmark.checkedAt.map(ISO8601.seconds), forKey: .checkedAt)
        try values.encode(bookmark.changes.map(BookmarkChangeText.text), forKey: .changes)
        try values.encodeIfPresent(bookmark.item.map(RepositoryJSON.init), forKey: .repository)
    }
}
