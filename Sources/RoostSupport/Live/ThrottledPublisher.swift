import Foundation
import Synchronization

/// Publishes topics to the change feed, each once a second at most.
package final class ThrottledPublisher: Sendable {
    private let feed: ChangeFeed
    private let pending = Mutex<Set<String>>([])
    private let signal = AsyncSignal()

    package init(feed: ChangeFeed) {
        self.feed = feed
    }

    package func publish(_ topics: [String]) {
        guard !topics.isEmpty else { return }
        pending.withLock { $0.formUnion(topics) }
        signal.fire()
    }

    /// Publishes what a reader's own click has changed: the page that answers it must not be the one from before.
    package func publishNow(_ topic: String) {
        publish([topic])
        flush()
    }

    /// Publishes what is pending at once.
    package func flush() {
        let topics = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        for topic in topics.sorted() { feed.publish(topic) }
    }

    /// Until cancelled.
    package func run() async {
        while !Task.isCancelled {
            await signal.wait()
            guard !Task.isCancelled else { return }
            flush()
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
