import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct ChangeFeedTests {
    /// Collects the answers to polls.
    private final class Ear: Sendable {
        /// Cursors of the same moment differ as text: they are compared by their contents.
        struct PollAnswer: Equatable {
            let changed: [String]
            let sequence: Int?

            init(changed: [String], cursor: String, of feed: ChangeFeed) {
                self.changed = changed
                sequence = feed.sequence(in: cursor)
            }
        }

        private let cursors = Mutex<[String]>([])
        private let kept = Mutex<[PollAnswer]>([])

        var heard: [PollAnswer] { kept.withLock { $0 } }
        var lastCursor: String? { cursors.withLock(\.last) }

        func listen(
            to feed: ChangeFeed, _ topics: [String], after cursor: String?,
            atMost time: Duration = .seconds(3_600)
        ) {
            feed.wait(for: topics, after: cursor, atMost: time) { news in
                self.cursors.withLock { $0.append(news.cursor) }
                self.kept.withLock {
                    $0.append(PollAnswer(changed: news.changed, cursor: news.cursor, of: feed))
                }
            }
        }
    }

    @Test func `a poll without a cursor gets a cursor and no changes`() {
        let (feed, ear) = (ChangeFeed(), Ear())
        feed.publish("prices")
        ear.listen(to: feed, ["prices"], after: nil)
        #expect(ear.heard == [.init(changed: [], cursor: feed.cursor, of: feed)])
    }

    @Test func `a poll waits for a change of its own topics only`() {
        let (feed, ear) = (ChangeFeed(), Ear())
        ear.listen(to: feed, ["prices", "watchlist/1"], after: feed.cursor)
        feed.publish("watchlist/2")
        #expect(ear.heard.isEmpty && feed.waiting == 1)
        feed.publish("watchlist/1", "displays/1")
        #expect(ear.heard == [.init(changed: ["watchlist/1"], cursor: feed.cursor, of: feed)])
        feed.publish("prices")
        #expect(ear.heard.count == 1 && feed.waiting == 0)
    }

    @Test func `changes since the cursor are returned at once`() {
        let (feed, ear) = (ChangeFeed(), Ear())
        let cursor = feed.cursor
        feed.publish("prices")
        feed.publish("coins")
        ear.listen(to: feed, ["prices", "coins", "watchlist/1"], after: cursor)
        #expect(ear.heard == [.init(changed: ["prices", "coins"], cursor: feed.cursor, of: feed)])
    }

    @Test func `the returned cursor continues without repeating changes`() {
        let (feed, ear) = (ChangeFeed(), Ear())
        ear.listen(to: feed, ["prices"], after: feed.cursor)
        feed.publish("prices")
        ear.listen(to: feed, ["prices"], after: ear.lastCursor)
        #expect(ear.heard.count == 1 && feed.waiting == 1)
        feed.publish("prices")
        #expect(ear.heard.count == 2)
    }

    @Test func `a cursor of another start, of the future or malformed returns all topics as changed`() {
        let (feed, other) = (ChangeFeed(), ChangeFeed())
        let changed = feed.cursor.replacing(/^./) { $0.output == "A" ? "B" : "A" }
        for cursor in ["nonsense", "", "0", "boot.0", changed, other.cursor, feed.cursor(at: 999)] {
            let ear = Ear()
            ear.listen(to: feed, ["prices", "watchlist/1"], after: cursor)
            #expect(
                ear.heard == [
                    .init(changed: ["prices", "watchlist/1"], cursor: feed.cursor, of: feed)
                ])
        }
    }

    @Test func `cursors and version names do not reveal how much has changed`() {
        let feed = ChangeFeed()
        let (cursors, name) = (Set([feed.cursor, feed.cursor]), feed.versionName(of: ["mine"]))
        #expect(cursors.count == 2)
        for _ in 0..<500 { feed.publish("others") }
        #expect(feed.versionName(of: ["mine"]) == name)
        #expect(feed.cursor.utf8.count == cursors.first?.utf8.count)
        feed.publish("mine")
        let next = feed.versionName(of: ["mine"])
        #expect(next != name && next.utf8.count == name.utf8.count && !next.contains("501"))
    }

    @Test func `two starts never share a cursor`() {
        #expect(ChangeFeed().cursor != ChangeFeed().cursor)
    }

    @Test func `a poll without a wait returns at once`() {
        let (feed, ear) = (ChangeFeed(), Ear())
        let cursor = feed.cursor
        ear.listen(to: feed, ["prices"], after: cursor, atMost: .zero)
        #expect(ear.heard == [.init(changed: [], cursor: cursor, of: feed)] && feed.waiting == 0)
        feed.publish("prices")
        ear.listen(to: feed, ["prices"], after: cursor, atMost: .zero)
        #expect(ear.heard.last?.changed == ["prices"])
    }

    @Test func `a poll that times out returns no changes`() {
        let (feed, ear) = (ChangeFeed(), Ear())
        let cursor = feed.cursor
        ear.listen(to: feed, ["prices"], after: cursor, atMost: .seconds(25))
        feed.expire(now: .now + .seconds(24))
        #expect(ear.heard.isEmpty)
        feed.expire(now: .now + .seconds(26))
        #expect(ear.heard == [.init(changed: [], cursor: cursor, of: feed)])
        feed.expire(now: .now + .seconds(60))
        #expect(ear.heard.count == 1 && feed.waiting == 0)
    }

    @Test func `the running feed ends polls at their time-out and stops with its task`() async throws {
        let (feed, ear) = (ChangeFeed(), Ear())
        let run = Task { await feed.run() }
        ear.listen(to: feed, ["prices"], after: feed.cursor, atMost: .milliseconds(1))
        try await wait(for: "the time-out") { !ear.heard.isEmpty }
        run.cancel()
        await run.value
    }

    @Test func `stopping ends every poll, and every later one at once`() {
        let (feed, ear) = (ChangeFeed(), Ear())
        for _ in 0..<10 { ear.listen(to: feed, ["prices"], after: feed.cursor) }
        feed.stop()
        #expect(ear.heard.count == 10 && feed.waiting == 0)
        ear.listen(to: feed, ["prices"], after: feed.cursor)
        #expect(ear.heard.count == 11)
        #expect(ear.heard.allSatisfy { $0.changed.isEmpty })
    }

    @Test func `ten thousand polls are notified of one change, each once`() {
        let (feed, ear) = (ChangeFeed(), Ear())
        for number in 0..<10_000 {
            ear.listen(to: feed, ["prices", "watchlist/\(number % 100)"], after: feed.cursor)
        }
        #expect(feed.waiting == 10_000)
        feed.publish("watchlist/7")
        #expect(ear.heard.count == 100)
        feed.publish("prices")
        #expect(ear.heard.count == 10_000 && feed.waiting == 0)
    }

    @Test func `a value made for one poll is shared by all polls with the same key`() throws {
        let feed = ChangeFeed()
        let told = Mutex<[(key: String, news: ChangeFeed.Changes)]>([])
        for (topic, key) in [("a", "one"), ("b", "one"), ("a", "two")] {
            feed.wait(for: [topic], after: feed.cursor, atMost: .seconds(60)) { news in
                told.withLock { $0.append((key, news)) }
            }
        }
        feed.publish("a", "b")
        var made: [String] = []
        let values = told.withLock { $0 }.map { key, news in
            news.shared(key) {
                made.append(key)
                return "\(key) of \(news.cursor)"
            }
        }
        let first = told.withLock { $0.first }
        let cursor = try #require(first).news.cursor
        #expect(made.sorted() == ["one", "two"])
        #expect(values.sorted() == ["one of \(cursor)", "one of \(cursor)", "two of \(cursor)"])
        // Polls notified later do not see this change.
        told.withLock { $0 = [] }
        feed.wait(for: ["a"], after: cursor, atMost: .seconds(60)) { news in
            told.withLock { $0.append(("one", news)) }
        }
        feed.publish("a")
        let later = told.withLock { $0 }.map { one in one.news.shared("one") { one.news.cursor } }
        #expect(later.map { feed.sequence(in: $0) } == [feed.sequence(in: feed.cursor)])
    }

    @Test func `a value is not made for the first poll before the last one has been notified`() async {
        let feed = ChangeFeed()
        let told = Shared(0)
        let makers = Mutex<[Task<Int, Never>]>([])
        for number in 1...100 {
            feed.wait(for: ["prices"], after: feed.cursor, atMost: .seconds(60)) { news in
                let maker = Task.detached { news.shared("\(number)") { told.value } }
                makers.withLock { $0.append(maker) }
                told.set(told.value + 1)
            }
        }
        feed.publish("prices")
        for maker in makers.withLock({ $0 }) { #expect(await maker.value == 100) }
    }

    /// A feed in its pause after many notifications, with the cursor from those.
    private func paused(_ ear: Ear, pauseForEach: Duration) -> (feed: ChangeFeed, cursor: String) {
        let feed = ChangeFeed(pauseForEach: pauseForEach)
        for _ in 0..<Self.many { ear.listen(to: feed, ["a"], after: feed.cursor) }
        feed.publish("a")
        #expect(ear.heard.count == Self.many)
        return (feed, feed.cursor)
    }

    private static let many = ChangeFeed.pauseThreshold + 1

    @Test func `changes during the pause after many notifications are sent to all at its end`()
        async throws
    {
        let ear = Ear()
        let (feed, cursor) = paused(ear, pauseForEach: .milliseconds(5))
        feed.publish("b")
        // Late polls with an older cursor wait too.
        for _ in 0..<100 { ear.listen(to: feed, ["a", "b", "c"], after: cursor) }
        feed.publish("c")
        #expect(ear.heard.count == Self.many && feed.waiting == 100)
        let run = Task { await feed.run() }
        try await wait(for: "the end of the pause") { feed.waiting == 0 }
        run.cancel()
        await run.value
        #expect(ear.heard.count == Self.many + 100)
        #expect(
            ear.heard.dropFirst(Self.many).allSatisfy {
                $0 == .init(changed: ["b", "c"], cursor: feed.cursor, of: feed)
            })
    }

    @Test func `the pause ends once nearly all clients have polled again`() async throws {
        let ear = Ear()
        let (feed, cursor) = paused(ear, pauseForEach: .seconds(1))
        feed.publish("b")
        let run = Task { await feed.run() }
        for _ in 0..<100 { ear.listen(to: feed, ["b"], after: cursor) }
        #expect(feed.waiting == 100)
        for _ in 0..<100 { ear.listen(to: feed, ["b"], after: cursor) }
        try await wait(for: "the end of the pause") { ear.heard.count == Self.many + 200 }
        feed.publish("b")
        ear.listen(to: feed, ["b"], after: cursor)
        #expect(ear.heard.count == Self.many + 201)
        run.cancel()
        await run.value
    }

    @Test func `a late poll in the pause is answered at its end, even without further changes`() async throws
    {
        let ear = Ear()
        let feed = ChangeFeed(pauseForEach: .milliseconds(5))
        let run = Task { await feed.run() }
        let old = feed.cursor
        for _ in 0..<Self.many { ear.listen(to: feed, ["a"], after: old) }
        feed.publish("a")
        ear.listen(to: feed, ["a"], after: old)
        #expect(ear.heard.count == Self.many && feed.waiting == 1)
        try await wait(for: "the end of the pause") { ear.heard.count == Self.many + 1 }
        #expect(ear.heard.last == .init(changed: ["a"], cursor: feed.cursor, of: feed))
        run.cancel()
        await run.value
    }

    @Test func `a poll that ends in the pause returns what has changed`() {
        let ear = Ear()
        let (feed, cursor) = paused(ear, pauseForEach: .seconds(1))
        ear.listen(to: feed, ["a"], after: cursor)
        feed.publish("a")
        #expect(feed.waiting == 1)
        feed.stop()
        #expect(ear.heard.last == .init(changed: ["a"], cursor: feed.cursor, of: feed) && feed.waiting == 0)
    }

    @Test func `there is no pause after few notifications`() {
        let (feed, ear) = (ChangeFeed(pauseForEach: .seconds(1)), Ear())
        for _ in 0..<ChangeFeed.pauseThreshold { ear.listen(to: feed, ["a"], after: feed.cursor) }
        feed.publish("a")
        ear.listen(to: feed, ["a"], after: feed.cursor)
        feed.publish("a")
        #expect(ear.heard.count == ChangeFeed.pauseThreshold + 1)
    }

    @Test func `a version is that of the last change to any of its topics`() {
        let feed = ChangeFeed()
        #expect(feed.version(of: ["prices", "coins"]) == 0)
        feed.publish("prices")
        let first = feed.version(of: ["prices", "coins"])
        feed.publish("watchlist/1")
        #expect(feed.version(of: ["prices", "coins"]) == first)
        feed.publish("coins")
        #expect(feed.version(of: ["prices", "coins"]) > first)
        #expect(feed.version(of: ["prices"]) == first)
    }

    /// Reads, then follows the cursor until it sees the last state.
    private func follow(_ feed: ChangeFeed, until last: Int, _ truth: Shared<Int>) async -> Int {
        var cursor = feed.cursor
        var seen = truth.value
        while seen < last {
            let news = await withCheckedContinuation { continuation in
                feed.wait(for: ["prices"], after: cursor, atMost: .seconds(3_600)) { news in
                    continuation.resume(returning: news)
                }
            }
            cursor = news.cursor
            seen = truth.value
        }
        return seen
    }

    /// The old state plus the changes equals the current state: register, then read, then follow the cursor.
    @Test func `no change is lost between registering and reading, in any interleaving`() async {
        let feed = ChangeFeed()
        let truth = Shared(0)
        let rounds = 2_000
        let writer = Task {
            for number in 1...rounds {
                truth.set(number)
                feed.publish("prices")
                if number % 16 == 0 { await Task.yield() }
            }
        }
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { await self.follow(feed, until: rounds, truth) }
            }
            for await seen in group { #expect(seen == rounds) }
        }
        await writer.value
        #expect(feed.waiting == 0)
    }

    @Test func `topics contain their user`() {
        #expect(Topic.watchlist(3) == "watchlist/3" && Topic.displays(4) == "displays/4")
        #expect(Topic.display(5) == "display/5")
        #expect(Topic.watchlist(3) != Topic.watchlist(33))
    }

    @Test func `a poll whose client is gone is forgotten`() {
        let feed = ChangeFeed()
        let isOpen = Atomic(true)
        feed.wait(
            for: ["prices"], after: feed.cursor, atMost: .seconds(60),
            isOpen: { isOpen.load(ordering: .relaxed) }
        ) { _ in }
        feed.expire()
        #expect(feed.waiting == 1)
        isOpen.store(false, ordering: .relaxed)
        feed.expire()
        #expect(feed.waiting == 0)
    }
}
