import Foundation
import RoostServices
import RoostWeb
import Testing

@Suite struct PullRowCacheTests {
    private let cache = PullRowCache()

    /// Whether the row had to be rendered.
    private func renders(_ item: InboxItem, avatar: String? = nil, at now: Date = PullSample.now) -> Bool {
        var isRendered = false
        _ = cache.row(item, avatar: avatar, now: now) { _ in
            isRendered = true
            return "row"
        }
        return isRendered
    }

    @Test func `a row is rendered once, until its pull request or its picture changes`() throws {
        let item = try PullSample.item()
        #expect(renders(item))
        #expect(!renders(item))
        #expect(renders(item, avatar: "/pictures/1"))
        #expect(!renders(item, avatar: "/pictures/1"))
        let changes: [(inout InboxItem) -> Void] = [
            { $0.reasons = [] }, { $0.pressure = .red }, { $0.waitingSince += 1 },
        ]
        for change in changes {
            var other = item
            change(&other)
            #expect(renders(other, avatar: "/pictures/1"))
        }
        #expect(renders(try PullSample.item(title: "Another")))
    }

    @Test func `a row is rendered again when the words for one of its ages are others`() throws {
        let item = try PullSample.item(waited: 3_590, updated: 7_200)
        #expect(renders(item))
        #expect(!renders(item, at: PullSample.now + 9))
        #expect(renders(item, at: PullSample.now + 10), "59 min became 1 h")
        #expect(!renders(item, at: PullSample.now + 3_000))
        #expect(renders(item, at: PullSample.now + 3_600), "2 h ago became 3 h ago")
    }

    @Test func `two accounts that see the same pull request do not share its row`() throws {
        let item = try PullSample.item()
        let other = InboxItem(
            accountId: 2, key: item.key, pull: item.pull, reasons: item.reasons,
            waitingSince: item.waitingSince, pressure: item.pressure)
        #expect(renders(item) && renders(other) && !renders(item))
    }
}
