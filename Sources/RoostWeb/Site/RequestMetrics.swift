package import HTTPServer
import RoostSupport
import Synchronization

/// Counts finished requests and their durations by method, route and status.
///
/// There are as many series as routes and statuses, whatever clients send.
package final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let method: HTTPServer.Method
        let route: String
    }

    private struct Series {
        var statuses: [Int: Int] = [:]
        var durations = DurationHistogram()
    }

    private final class Shard: Sendable {
        let series = Mutex<[Key: Series]>([:])
    }

    /// The label of requests without a route.
    static let noRoute = "none"

    /// Several, so that the server's threads seldom wait for each other.
    private let shards = (0..<16).map { _ in Shard() }

    /// Called for every request, on libmicrohttpd's thread.
    package func add(_ entry: AccessEntry) {
        // A HEAD is answered by the route of GET. Routes of other methods are found only with their own.
        let method = entry.method == .head ? .get : entry.method
        let key = Key(method: entry.route == nil ? .unknown : method, route: entry.route ?? Self.noRoute)
        let index = Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))
        shards[index].series.withLock { series in
            series[key, default: Series()].statuses[entry.status, default: 0] += 1
            series[key, default: Series()].durations.add(entry.duration)
        }
    }

    var families: [MetricFamily] {
        let all = shards.flatMap { shard in shard.series.withLock { Array($0) } }
            .sorted { ($0.key.route, $0.key.method.rawValue) < ($1.key.route, $1.key.method.rawValue) }
        var requests = MetricFamily.counter(
            "roost_requests_total", "Finished requests by method, route and status.")
        var durations = MetricFamily.histogram(
            "roost_request_duration_seconds",
            "Time from the request line to the end of the answer. Long polls wait for a change.")
        for (key, series) in all {
            let method = key.route == Self.noRoute ? "any" : key.method.rawValue
            for (status, count) in series.statuses.sorted(by: { $0.key < $1.key }) {
                requests = requests.with(
                    count, ["method": method, "route": key.route, "status": "\(status)"])
            }
            durations = durations.with(series.durations, ["method": method, "route": key.route])
        }
        return [requests, durations]
    }
}

/// The sources of metrics that only the program can measure. They are added while it starts.
package final class MetricSources: Sendable {
    private let sources = Mutex<[@Sendable () -> [MetricFamily]]>([])

    package func add(_ source: @escaping @Sendable () -> [MetricFamily]) {
        sources.withLock { $0.append(source) }
    }

    var families: [MetricFamily] { sources.withLock(\.self).flatMap { $0() } }
}
