import Foundation
import Reading
import RoostWeb

/// `/reading/tile` on the home page: the latest unread articles.
struct ReadingTileView: Sendable {
    static let limit = 5

    let rows: [ArticleRow]
    private let counts: ReadingCounts

    init(_ items: [ArticleItem], counts: ReadingCounts, now: Date) {
        rows = items.prefix(Self.limit).map { ArticleRow($0, now: now) }
        self.counts = counts
    }

    var tile: HomeTile {
        HomeTile(
            "Reading", at: "/reading/tile", topics: ["reading"], self,
            step: FirstStep(
                "Save a page", "Read it later without clutter, even offline.", at: ReadingController.path,
                topic: "reading", isDone: hasAny))
    }

    var unreadCount: String { NumberText.grouped(counts.unread) }
    var hasRows: Bool { !rows.isEmpty }
    var hasAny: Bool { counts.all > 0 }
    var more: String? {
        counts.unread > rows.count ? NumberText.grouped(counts.unread - rows.count) : nil
    }
}
