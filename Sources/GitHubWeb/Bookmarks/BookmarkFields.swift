import GitHub
import RoostWeb
import TextFormats

/// A bookmark's own part of a repository row, below the facts.
struct BookmarkFields: Hashable, Sendable {
    let bookmark: Bookmark
    let rowPath: String
    let editQuery: String?
    let bookmarkChanges: [ChangeFields]
    let bookmarkTags: [TagFields]

    init(_ bookmark: Bookmark, rowPath: String, back: String = "/bookmarks") {
        self.bookmark = bookmark
        self.rowPath = rowPath
        editQuery = back == "/bookmarks" ? nil : "?back=\(PercentEncoding.encode(back))"
        bookmarkChanges = bookmark.changes.map { ChangeFields(change: $0) }
        bookmarkTags = bookmark.tags.map { TagFields(tag: $0) }
    }

    var hasBookmarkChanges: Bool { !bookmarkChanges.isEmpty }
    var hasBookmarkTags: Bool { !bookmarkTags.isEmpty }
    var bookmarkNote: String? { bookmark.note.isEmpty ? nil : bookmark.note }

    var bookmarkState: String? {
        switch bookmark.state {
        case .present: nil
        case .unresolved: "Not checked on GitHub yet"
        case .gone:
            bookmark.item == nil
                ? "Not found on GitHub" : "No longer on GitHub; shown as last seen"
        }
    }
}

struct BookmarkSelectBox: Sendable {
    let bookmarkId: Int64
    let rowPath: String

    init(_ bookmark: Bookmark, rowPath: String) {
        bookmarkId = bookmark.id
        self.rowPath = rowPath
    }
}

extension RepositoryRow {
    init(_ bookmark: Bookmark, avatar: String?, query: String = "", back: String = "/bookmarks") {
        let name = bookmark.shownName
        // Neither template uses the asset address.
        let context = TemplateContext(assets: "")
        self.init(
            key: bookmark.key, name: name, item: bookmark.item, avatar: avatar, isBookmarked: true,
            isMissing: bookmark.state == .gone, query: query,
            selectBox: RenderedView(
                BookmarkSelectBox(bookmark, rowPath: name.description), in: context, capacity: 512),
            extras: RenderedView(
                BookmarkFields(bookmark, rowPath: name.description, back: back), in: context, capacity: 1_024)
        )
    }
}

struct ChangeFields: Hashable {
    let change: BookmarkChange

    var changeText: String { BookmarkChangeText.text(change) }
    var isLoss: Bool { BookmarkChangeText.isLoss(change) }
}

struct TagFields: Hashable {
    let tag: String

    var encodedTag: String { PercentEncoding.encode(tag) }
}
