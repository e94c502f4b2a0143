import Synchronization

/// A request as the simulator saw it.
package struct LoggedRequest: Sendable, Equatable, Encodable {
    package let method: String
    /// Path and query as sent.
    package let target: String
    /// Decoded path without `/api/v3`: `/coins/markets`.
    package let path: String
    package let userAgent: String?
    package let ifNoneMatch: String?
    /// Name of the fault that spoiled its answer.
    package let fault: String?
    /// Decoded, by name; of several values the first.
    package let query: [String: String]
    /// What was posted to GraphQL; of no other request, since forms may hold secrets.
    package let body: String?
    /// Whose token GitHub was asked with; nil: none, or no good one. The token itself is kept nowhere.
    package let login: String?

    package init(
        method: String, target: String, path: String, userAgent: String?, ifNoneMatch: String?,
        fault: String?,
        query: [String: String], body: String? = nil, login: String? = nil
    ) {
        self.method = method
        self.target = target
        self.path = path
        self.userAgent = userAgent
        self.ifNoneMatch = ifNoneMatch
        self.fault = fault
        self.query = query
        self.body = body
        self.login = login
    }
}

/// The last 10,000 requests, and how many there were of each path.
package final class RequestLog: Sendable {
    package static let limit = 10_000
    private let state = Mutex(State())

    private struct State {
        var requests: [LoggedRequest] = []
        var counts: [String: Int] = [:]
    }

    package init() {}

    package func append(_ request: LoggedRequest) {
        state.withLock { state in
            // A tenth at a time, so that a full log does not move with every request.
            if state.requests.count >= Self.limit { state.requests.removeFirst(Self.limit / 10) }
            state.requests.append(request)
            state.counts[request.path, default: 0] += 1
        }
    }

    package func clear() {
        state.withLock { $0 = State() }
    }

    package var requests: [LoggedRequest] { state.withLock { $0.requests } }

    package var counts: [String: Int] { state.withLock { $0.counts } }
}
