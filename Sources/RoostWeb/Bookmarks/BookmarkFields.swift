import GitHub
import TextFormats

/// What a bookmark adds to a repository's row, under the facts.
struct BookmarkFields: Hashable, Sendable {
    let bookmark: Bookmark
    let rowPath: String
    let editQuery: String?
    let bookmarkChanges: [ChangeFields]
    let bookmarkTags: [TagFields]

    /// - Parameters:
    ///   - rowPath: the repository, as the row names it
    ///   - back: path and query of the page that shows the row
    init(_ bookmark: Bookmark, rowPath: String, back: String = "/bookmarks") {
        self.bookmark = bookmark
        self.rowPath = rowPath
        editQuery = back == "/bookmarks" ? nil : "?back=\(PercentEncoding.encode(back))"
        bookmarkChanges = bookmark.changes.map { ChangeFields(change: $0) }
        bookmarkTags = bookmark.tags.map { TagFields(tag: $0) }
    }

    var bookmarkId: Int64 { bookmark.id }
    var hasBookmarkChanges: Bool { !bookmarkChanges.isEmpty }
    var hasBookmarkTags: Bool { !bookmarkTags.isEmpty }
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

/// The box that selects a bookmark, before its row's picture.
struct BookmarkSelectBox: Sendable {
    let bookmarkId: Int64
    let rowPath: String

    /// - Parameter rowPath: the repository, as the row names it
    init(_ bookmark: Bookmark, rowPath: String) {
        bookmarkId = bookmark.id
        self.rowPath = rowPath
    }
}

extension RepositoryRow {
    /// A bookmark's row, with its tags and note.
    init(_ bookmark: Bookmark, avatar: String?, query: String = "", back: String = "/bookmarks") {
        let name = bookmark.shownName
        // Neither template uses anything of the page.
        let context = TemplateContext(assets: "")
        self.init(
            key: bookmark.key, name: name, item: bookmark.item, avatar: avatar, isBookmarked: true,
            isGone: bookmark.state == .gone, query: query,
            selectBox: RenderedView(
                BookmarkSelectBox(bookmark, rowPath: name.description), in: context, capacity: 512),
            extras: RenderedView(
                BookmarkFields(bookmark, rowPath: name.description, back: back), in: context, capacity: 1_024)
        )
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
