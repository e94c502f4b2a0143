import Foundation
import Synchronization

/// Publishes each topic to the change feed at most once an interval.
package final class ThrottledPublisher: Sendable {
    private let feed: ChangeFeed
    private let interval: Duration
    private let pending = Mutex<Set<String>>([])
    private let signal = AsyncSignal()

    package init(feed: ChangeFeed, interval: Duration = .seconds(1)) {
        self.feed = feed
        self.interval = interval
    }

    package func publish(_ topics: [String]) {
        guard !topics.isEmpty else { return }
        pending.withLock { $0.formUnion(topics) }
        signal.fire()
    }

    /// Publishes a reader's own change immediately, so that the next page shows it.
    package func publishNow(_ topic: String) {
        publish([topic])
        flush()
    }

    package func flush() {
        let topics = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        for topic in topics.sorted() { feed.publish(topic) }
    }

    package func run() async {
        while !Task.isCancelled {
            await signal.wait()
            guard !Task.isCancelled else { return }
            flush()
            try? await Task.sleep(for: interval)
        }
    }
}
