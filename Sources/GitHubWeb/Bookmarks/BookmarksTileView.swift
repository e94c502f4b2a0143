import GitHub
import RoostWeb

/// `/bookmarks/tile` on the home page: changed bookmarks, or the latest ones if none has changed.
struct BookmarksTileView: Sendable {
    static let limit = 5

    let bookmarkRows: [TileRow]
    private let total, changed: Int

    /// - Parameter changed: how many bookmarks have unseen changes
    init(rows: [(bookmark: Bookmark, avatar: String?)], total: Int, changed: Int) {
        bookmarkRows = rows.prefix(Self.limit).map { TileRow(bookmark: $0.bookmark, avatar: $0.avatar) }
        self.total = total
        self.changed = changed
    }

    var tile: HomeTile {
        HomeTile("Bookmarks", at: "/bookmarks/tile", topics: ["bookmarks", "pictures"], self)
    }

    var bookmarksTotal: String { NumberText.grouped(total) }
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
    var rowFacts: String? { bookmark.changes.isEmpty ? facts : nil }
    var rowStars: String? { bookmark.facts.map { NumberText.grouped($0.stars) } }

    var changes: String? {
        bookmark.changes.isEmpty
            ? nil : bookmark.changes.map(BookmarkChangeText.text).joined(separator: " · ")
    }

    private var facts: String? { bookmark.facts?.language ?? bookmark.about }
}
