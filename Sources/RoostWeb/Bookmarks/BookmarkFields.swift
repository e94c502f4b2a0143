package import RoostServices

/// What a bookmark adds to a repository's row: `bookmarks/lead` stands before the picture, `bookmarks/more` under the
/// facts.
package struct BookmarkFields: ViewFields {
    package let bookmark: Bookmark

    package init(_ bookmark: Bookmark) {
        self.bookmark = bookmark
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "bookmarkId": bookmark.id
        case "bookmarkTags": bookmark.tags
        default: nil
        }
    }
}
