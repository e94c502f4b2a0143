package import RoostServices

/// What a bookmark adds to a repository's row: `bookmarks/lead` stands before the picture, `bookmarks/more` under the
/// facts.
package struct BookmarkFields: ViewFields {
    package let bookmark: Bookmark
    private let changes, tags: [Part]

    package init(_ bookmark: Bookmark) {
        self.bookmark = bookmark
        changes = bookmark.changes.map { Part(ChangeFields(change: $0)) }
        tags = bookmark.tags.map { Part(TagFields(tag: $0)) }
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "bookmarkId": bookmark.id
        case "bookmarkState": state
        case "hasBookmarkChanges": !changes.isEmpty
        case "bookmarkChanges": changes
        case "hasBookmarkTags": !tags.isEmpty
        case "bookmarkTags": tags
        case "bookmarkTagText": BookmarkTags.text(bookmark.tags)
        case "bookmarkNote": bookmark.note.isEmpty ? nil : bookmark.note
        default: nil
        }
    }

    private var state: String? {
        switch bookmark.state {
        case .present: nil
        case .unresolved: "Not looked up at GitHub yet"
        case .gone:
            bookmark.item == nil
                ? "GitHub knows no such repository" : "No longer on GitHub; kept as it was last seen"
        }
    }
}

private struct ChangeFields: ViewFields {
    let change: BookmarkChange

    func field(_ name: String) -> Any? {
        switch name {
        case "newsWords": BookmarkChangeText.words(change)
        case "isLoss": BookmarkChangeText.isLoss(change)
        default: nil
        }
    }
}

private struct TagFields: ViewFields {
    let tag: String

    func field(_ name: String) -> Any? {
        switch name {
        case "tagName": tag
        case "tagWord": PercentEncoding.encode(tag)
        default: nil
        }
    }
}
