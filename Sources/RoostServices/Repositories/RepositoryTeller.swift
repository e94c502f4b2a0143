import Foundation
import Synchronization

/// Tells the change feed of news, each topic once a second at most.
final class RepositoryTeller: Sendable {
    private let feed: ChangeFeed
    private let pending = Mutex<Set<String>>([])
    private let bell = WakeUp()

    init(feed: ChangeFeed) {
        self.feed = feed
    }

    func tell(_ topics: [String]) {
        guard !topics.isEmpty else { return }
        pending.withLock { $0.formUnion(topics) }
        bell.ring()
    }

    /// Tells what a reader's own click has changed: the page that answers it must not be the one from before.
    func tellNow(_ topic: String) {
        tell([topic])
        flush()
    }

    /// Tells what is pending at once.
    func flush() {
        let topics = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        for topic in topics.sorted() { feed.publish(topic) }
    }

    /// Until cancelled.
    func run() async {
        while !Task.isCancelled {
            await bell.wait()
            guard !Task.isCancelled else { return }
            flush()
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
