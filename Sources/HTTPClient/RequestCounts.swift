import Synchronization

/// Counts a client's finished requests by upstream, for monitoring.
final class RequestCounts: Sendable {
    private let counts = Mutex<[RequestCount.Key: RequestCount]>([:])

    func add(
        _ result: Result<ClientResponse, HTTPClientError>, upstream: String, duration: Duration
    ) {
        let outcome: RequestCount.Outcome
        switch result {
        case .success(let response): outcome = RequestCount.Outcome(status: response.status)
        case .failure(.cancelled): return
        case .failure: outcome = .failed
        }
        let key = RequestCount.Key(upstream: upstream, outcome: outcome)
        counts.withLock { counts in
            var count = counts[key] ?? RequestCount(key: key)
            count.requests += 1
            count.duration += duration
            counts[key] = count
        }
    }

    var all: [RequestCount] { counts.withLock { Array($0.values) } }
}

/// The requests to one upstream with one kind of outcome.
package struct RequestCount: Sendable, Equatable {
    package enum Outcome: String, Sendable, Comparable {
        case informational = "1xx"
        case success = "2xx"
        case redirect = "3xx"
        case clientError = "4xx"
        case serverError = "5xx"
        /// No answer: refused, too slow, too large, not trusted and so on.
        case failed = "none"

        init(status: Int) {
            self =
                switch status {
                case ..<200: .informational
                case 200..<300: .success
                case 300..<400: .redirect
                case 400..<500: .clientError
                default: .serverError
                }
        }

        package static func < (left: Outcome, right: Outcome) -> Bool { left.rawValue < right.rawValue }
    }

    struct Key: Hashable {
        let upstream: String
        let outcome: Outcome
    }

    let key: Key
    package fileprivate(set) var requests = 0
    /// The sum for all these requests.
    package fileprivate(set) var duration = Duration.zero

    fileprivate init(key: Key) { self.key = key }

    package var upstream: String { key.upstream }
    package var outcome: Outcome { key.outcome }
}
