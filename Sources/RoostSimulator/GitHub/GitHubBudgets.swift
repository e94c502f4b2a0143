import Synchronization

/// GitHub's primary rate limits: requests and GraphQL points per hour, searches per minute.
///
/// Source: docs.github.com, "Rate limits for the REST API" and "... for the GraphQL API".
final class GitHubBudgets: Sendable {
    struct Window: Sendable, Equatable {
        let limit: Int
        var used: Int
        let resetsAt: Int

        var remaining: Int { max(0, limit - used) }
        var resetSecond: Int { resetsAt / 1000 }
    }

    static let resources = ["core", "search", "graphql"]

    private let clock: SimulatorClock
    private let state = Mutex(State())

    private struct State {
        var windows: [String: Window] = [:]
        /// Overrides of GitHub's limits (5,000, 30 and 5,000, or 60 and 10), by "login/resource".
        var limits: [String: Int] = [:]
    }

    init(clock: SimulatorClock) {
        self.clock = clock
    }

    /// - Parameter cost: 0 only reads the window
    func spend(_ cost: Int, on resource: String, by login: String?) -> Window {
        let now = clock.now()
        return state.withLock { state in
            let key = "\(login ?? "")/\(resource)"
            let limit = state.limits[key] ?? Self.limit(resource, isSignedIn: login != nil)
            var window =
                state.windows[key].flatMap { $0.resetsAt > now && $0.limit == limit ? $0 : nil }
                ?? Window(
                    limit: limit, used: 0,
                    resetsAt: now + (resource == "search" ? 60_000 : Timestamp.hour))
            window.used += cost
            state.windows[key] = window
            return window
        }
    }

    /// Sets the remaining amount until the reset. A nil login means signed-out callers.
    func setRemaining(_ remaining: Int, of resource: String, to login: String?) {
        let window = spend(0, on: resource, by: login)
        state.withLock { state in
            state.windows["\(login ?? "")/\(resource)"] = Window(
                limit: window.limit, used: max(0, window.limit - remaining), resetsAt: window.resetsAt)
        }
    }

    func setLimit(_ limit: Int?, of resource: String, to login: String?) {
        state.withLock { $0.limits["\(login ?? "")/\(resource)"] = limit }
    }

    func restore() { state.withLock { $0 = State() } }

    private static func limit(_ resource: String, isSignedIn: Bool) -> Int {
        switch resource {
        case "search": isSignedIn ? 30 : 10
        case "graphql": isSignedIn ? 5_000 : 0
        default: isSignedIn ? 5_000 : 60
        }
    }
}
