import GitHub
import RoostWeb

/// `/bookmarks/tile` on the home page: bookmarks with unseen changes.
struct BookmarksTileView: Sendable {
    static let kind = TileKind("bookmarks", "Bookmarks that moved")

    let bookmarkRows: [TileRow]
    private let total, changed: Int

    /// - Parameter changed: how many bookmarks have unseen changes
    init(
        rows: [(bookmark: Bookmark, avatar: String?)], total: Int, changed: Int, limit: Int = TileScope().rows
    ) {
        bookmarkRows = rows.prefix(limit).map { TileRow(bookmark: $0.bookmark, avatar: $0.avatar) }
        self.total = total
        self.changed = changed
    }

    var tile: HomeTile {
        HomeTile(
            Self.kind, topics: ["bookmarks", "pictures"], self,
            sentences: changed > 0 ? [CountText.of(changed, "bookmark") + " moved."] : [])
    }

    var hasChanges: Bool { changed > 0 }
    var hasBookmarks: Bool { total > 0 }
    var changedCount: String? { changed > 0 ? NumberText.grouped(changed) : nil }
    var moreChanged: String? {
        changed > bookmarkRows.count ? NumberText.grouped(changed - bookmarkRows.count) : nil
    }
}

struct TileRow: Pictured {
    let bookmark: Bookmark
    let avatar: String?

    var initials: String { Initials(bookmark.shownName.owner, limit: 1).text }
    var tone: Int { Tone.of(bookmark.shownName.owner) }
    var rowStars: String? { bookmark.facts.map { NumberText.grouped($0.stars) } }

    var changes: String { bookmark.changes.map(BookmarkChangeText.text).joined(separator: " · ") }
}
