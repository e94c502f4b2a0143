import Foundation
import Reading
import RoostWeb

/// `/reading/tile` on the home page: the unread articles, latest first.
struct ReadingTileView: Sendable {
    static let kind = TileKind("reading", "Next to read")

    let rows: [ArticleRow]
    private let counts: ReadingCounts
    private let ready: Int

    /// - Parameter ready: the number of articles that became readable since the previous visit
    init(
        _ items: [ArticleItem], counts: ReadingCounts, ready: Int = 0, now: Date,
        limit: Int = TileScope().rows
    ) {
        self.ready = ready
        rows = items.prefix(limit).map { ArticleRow($0, now: now) }
        self.counts = counts
    }

    var tile: HomeTile {
        HomeTile(
            Self.kind, topics: ["reading"], self, sentences: sentences,
            step: FirstStep(
                "Save a page", "Read it later without clutter, even offline.", at: ReadingController.path,
                topic: "reading", isDone: hasAny))
    }

    private var sentences: [String] {
        ready > 0 ? [CountText.of(ready, "article") + (ready == 1 ? " is ready." : " are ready.")] : []
    }

    var unreadCount: String { NumberText.grouped(counts.unread) }
    var hasRows: Bool { !rows.isEmpty }
    var hasAny: Bool { counts.all > 0 }
    var more: String? {
        counts.unread > rows.count ? NumberText.grouped(counts.unread - rows.count) : nil
    }
}
