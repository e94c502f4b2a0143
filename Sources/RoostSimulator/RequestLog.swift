import Synchronization

struct LoggedRequest: Sendable, Equatable, Encodable {
    let method: String
    let target: String
    /// Decoded path without `/api/v3`: `/coins/markets`.
    let path: String
    let userAgent: String?
    let ifNoneMatch: String?
    /// Name of the fault that replaced the response.
    let fault: String?
    /// Decoded; the first value of each name.
    let query: [String: String]
    /// The body of a GraphQL request. Nil for all other requests, because forms may contain secrets.
    var body: String?
    /// The login of the GitHub token used, or nil without a valid one. The token itself is not stored.
    var login: String?
}

/// The last 10,000 requests, and a count per path.
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
            // Removes a tenth at a time, so that a full log does not shift on every request.
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
