import Foundation
import Reading
import RoostWeb
import TextFormats

struct GistsView: PageView, Sendable {
    static let scripts = ["reading"]

    let layout: LayoutView
    let offlineOwner: String
    let list: GistsListView
    let readingTabs: ReadingTabs

    init(layout: LayoutView, offlineOwner: String, list: GistsListView, shared: Int = 0) {
        self.layout = layout
        self.offlineOwner = offlineOwner
        self.list = list
        readingTabs = ReadingTabs(.gists, shared: shared)
    }
}

/// `/gists/list`: the live part of the page.
struct GistsListView: Sendable {
    let rows: [GistRow]
    private let total: Int
    private let next: String?
    private let cursor: String?

    init(_ page: GistPage, cursor: String?, next: String?, now: Date) {
        rows = page.items.map { GistRow($0, now: now) }
        total = page.total
        self.next = next
        self.cursor = cursor
    }

    var hasRows: Bool { !rows.isEmpty }
    var moreAddress: String? { next.map { "/gists?cursor=\(PercentEncoding.encode($0))" } }
    var totalText: String? {
        guard next == nil else { return nil }
        return total == 1 ? "That is all: 1 gist." : "That is all: \(NumberText.grouped(total)) gists."
    }
    var fragmentAddress: String {
        "/gists/list" + (cursor.map { "?cursor=\(PercentEncoding.encode($0))" } ?? "")
    }
}

struct GistRow: Sendable {
    private static let excerptLength = 280

    let item: GistItem
    private let now: Date

    init(_ item: GistItem, now: Date) {
        self.item = item
        self.now = now
    }

    var gistPath: String { "/gists/\(item.id)" }
    var title: String { item.title.sanitized }
    var category: String { (item.category ?? Article.standardCategory).sanitized }
    var updatedTime: String { ISO8601.seconds(item.updatedAt) }
    var updatedAgo: String { RelativeTime.ago(item.updatedAt, now: now) }
    var isShared: Bool { item.shareToken != nil }
    var articlePath: String? { item.articleId.map { "/reading/\($0)" } }
    var excerpt: String {
        let text = item.content.sanitized
        let start = text.prefix(Self.excerptLength)
        return start.endIndex < text.endIndex ? "\(start)…" : text
    }
}
