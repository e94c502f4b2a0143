import Synchronization

/// The faults that are switched on, and for which requests.
final class FaultPlan: Sendable {
    private let state = Mutex(State())

    private struct State {
        var rules: [FaultRule] = []
        /// Grows with every clearing, so that hanging requests notice.
        var clearings = 0
    }

    init() {}

    func add(_ rule: FaultRule) {
        state.withLock { $0.rules.append(rule) }
    }

    func clear() {
        state.withLock { state in
            state.rules = []
            state.clearings += 1
        }
    }

    var rules: [FaultRule] {
        state.withLock { $0.rules }
    }

    var clearings: Int {
        state.withLock { $0.clearings }
    }

    /// The fault for a request to the path, counted down; of several the one switched on last.
    ///
    /// - Parameter isMeant: whether a fault can strike this request at all; one that cannot is not counted
    func take(for route: String, where isMeant: (Fault) -> Bool = { _ in true }) -> Fault? {
        state.withLock { state in
            let isStruck = { (rule: FaultRule) in rule.applies(to: route) && isMeant(rule.fault) }
            guard let index = state.rules.lastIndex(where: isStruck) else { return nil }
            let fault = state.rules[index].fault
            if let count = state.rules[index].count {
                state.rules[index].count = count - 1
                if count <= 1 { state.rules.remove(at: index) }
            }
            return fault
        }
    }
}

/// One fault with its reach.
struct FaultRule: Sendable, Equatable {
    let fault: Fault
    /// Paths that begin so, `/api/v3` left out: `/coins/markets`; empty for all.
    let path: String
    /// How many requests it still spoils; `nil` until cleared.
    var count: Int?

    init(_ fault: Fault, path: String = "", count: Int? = nil) {
        self.fault = fault
        let prefixes = ["/api/v3": "", "/api/graphql": "/graphql"]
        self.path =
            prefixes.first { path.hasPrefix($0.key) }.map { $0.value + path.dropFirst($0.key.count) } ?? path
        self.count = count
    }

    func applies(to route: String) -> Bool {
        count != 0 && route.hasPrefix(path)
    }
}
