package import RoostServices

/// What a bookmark adds to a repository's row: `bookmarks/lead` stands before the picture, `bookmarks/more` under the
/// facts.
package struct BookmarkFields: Hashable, Sendable {
    package let bookmark: Bookmark
    let rowPath: String
    let bookmarkChanges: [ChangeFields]
    let bookmarkTags: [TagFields]

    /// - Parameter rowPath: the repository, as the row names it
    package init(_ bookmark: Bookmark, rowPath: String) {
        self.bookmark = bookmark
        self.rowPath = rowPath
        bookmarkChanges = bookmark.changes.map { ChangeFields(change: $0) }
        bookmarkTags = bookmark.tags.map { TagFields(tag: $0) }
    }

    var bookmarkId: Int64 { bookmark.id }
    var hasBookmarkChanges: Bool { !bookmarkChanges.isEmpty }
    var hasBookmarkTags: Bool { !bookmarkTags.isEmpty }
    var bookmarkTagText: String { BookmarkTags.text(bookmark.tags) }
    var bookmarkNote: String? { bookmark.note.isEmpty ? nil : bookmark.note }

    var bookmarkState: String? {
        switch bookmark.state {
        case .present: nil
        case .unresolved: "Not looked up at GitHub yet"
        case .gone:
            bookmark.item == nil
                ? "GitHub knows no such repository" : "No longer on GitHub; kept as it was last seen"
        }
    }
}

struct ChangeFields: Hashable {
    let change: BookmarkChange

    var newsWords: String { BookmarkChangeText.words(change) }
    var isLoss: Bool { BookmarkChangeText.isLoss(change) }
}

struct TagFields: Hashable {
    let tag: String

    var tagName: String { tag }
    var tagWord: String { PercentEncoding.encode(tag) }
}
