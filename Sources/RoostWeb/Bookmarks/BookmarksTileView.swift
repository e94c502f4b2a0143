package import RoostServices

/// `/bookmarks/tile`: what has changed on bookmarked repositories, in brief, on the home page; the latest ones where
/// nothing has.
package struct BookmarksTileView: TemplateView {
    package static let template = "bookmarks/tile"
    /// More rows than these are not shown.
    package static let limit = 5

    private let rows: [Part]
    private let total, changed: Int

    /// - Parameters:
    ///   - rows: with the address of the owner's picture; at most `limit` are shown
    ///   - total: how many bookmarks there are
    ///   - changed: how many of them have changes that were not seen
    package init(rows: [(bookmark: Bookmark, avatar: String?)], total: Int, changed: Int) {
        self.rows = rows.prefix(Self.limit).map { Part(TileRow(bookmark: $0.bookmark, avatar: $0.avatar)) }
        self.total = total
        self.changed = changed
    }

    package static var sample: BookmarksTileView {
        BookmarksTileView(
            rows: Bookmark.samples.map { (bookmark: $0, avatar: nil) }, total: 231,
            changed: Bookmark.samples.count)
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "bookmarksTotal": Figure.grouped(total)
        case "hasBookmarks": total > 0
        case "changedCount": changed > 0 ? Figure.grouped(changed) : nil
        case "bookmarkRows": rows
        case "moreChanged": changed > rows.count ? Figure.grouped(changed - rows.count) : nil
        default: nil
        }
    }
}

private struct TileRow: ViewFields {
    let bookmark: Bookmark
    let avatar: String?

    func field(_ name: String) -> Any? {
        switch name {
        case "rowKey": bookmark.key
        case "rowName": bookmark.fullName
        case "rowPath": bookmark.shownName.path
        case "initials": Initials(bookmark.shownName.owner, limit: 1).text
        case "avatar": avatar
        case "rowChanges": changes
        case "rowFacts": bookmark.changes.isEmpty ? facts : nil
        case "rowStars": bookmark.facts.map { Figure.grouped($0.stars) }
        default: nil
        }
    }

    private var changes: String? {
        bookmark.changes.isEmpty
            ? nil : bookmark.changes.map(BookmarkChangeText.words).joined(separator: " · ")
    }

    private var facts: String? { bookmark.facts?.language ?? bookmark.about }
}
