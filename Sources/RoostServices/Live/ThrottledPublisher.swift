import Foundation
import Synchronization

/// Publishes topics to the change feed, each once a second at most.
final class ThrottledPublisher: Sendable {
    private let feed: ChangeFeed
    private let pending = Mutex<Set<String>>([])
    private let signal = AsyncSignal()

    init(feed: ChangeFeed) {
        self.feed = feed
    }

    func publish(_ topics: [String]) {
        guard !topics.isEmpty else { return }
        pending.withLock { $0.formUnion(topics) }
        signal.fire()
    }

    /// Publishes what a reader's own click has changed: the page that answers it must not be the one from before.
    func publishNow(_ topic: String) {
        publish([topic])
        flush()
    }

    /// Publishes what is pending at once.
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
            await signal.wait()
            guard !Task.isCancelled else { return }
            flush()
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
