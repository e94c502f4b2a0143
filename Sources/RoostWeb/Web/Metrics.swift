import Synchronization

/// What `/metrics` counts of the requests.
final class Metrics: Sendable {
    private let byStatus = Mutex<[Int: Int]>([:])

    func count(status: Int) { byStatus.withLock { $0[status, default: 0] += 1 } }

    var counts: [(status: Int, count: Int)] {
        byStatus.withLock { $0.map { ($0.key, $0.value) } }.sorted { $0.0 < $1.0 }
    }
}
