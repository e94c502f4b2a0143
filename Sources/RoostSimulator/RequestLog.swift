import Synchronization

/// A request as the simulator saw it.
struct LoggedRequest: Sendable, Equatable, Encodable {
    let method: String
    /// Path and query as sent.
    let target: String
    /// Decoded path without `/api/v3`: `/coins/markets`.
    let path: String
    let userAgent: String?
    let ifNoneMatch: String?
    /// Name of the fault that spoiled its answer.
    let fault: String?
    /// Decoded, by name; of several values the first.
    let query: [String: String]
    /// What was posted to GraphQL; of no other request, since forms may hold secrets.
    let body: String?
    /// Whose token GitHub was asked with; nil: none, or no good one. The token itself is kept nowhere.
    let login: String?

    init(
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
final class RequestLog: Sendable {
    static let limit = 10_000
    private let state = Mutex(State())

    private struct State {
        var requests: [LoggedRequest] = []
        var counts: [String: Int] = [:]
    }

    init() {}

    func append(_ request: LoggedRequest) {
        state.withLock { state in
            // A tenth at a time, so that a full log does not move with every request.
            if state.requests.count >= Self.limit { state.requests.removeFirst(Self.limit / 10) }
            state.requests.append(request)
            state.counts[request.path, default: 0] += 1
        }
    }

    func clear() {
        state.withLock { $0 = State() }
    }

    var requests: [LoggedRequest] { state.withLock { $0.requests } }

    var counts: [String: Int] { state.withLock { $0.counts } }
}
