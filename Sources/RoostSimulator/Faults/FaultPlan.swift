import Synchronization

final class FaultPlan: Sendable {
    private let state = Mutex(State())

    private struct State {
        var rules: [FaultRule] = []
        /// Increases with every clearing, so that hanging requests notice it.
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

    /// Returns the fault for a request to the path, most recently added first, and decrements its count.
    ///
    /// - Parameter canApply: whether a fault can apply to this request; others are not counted
    func consumeFault(for route: String, where canApply: (Fault) -> Bool = { _ in true }) -> Fault? {
        state.withLock { state in
            let matches = { (rule: FaultRule) in rule.applies(to: route) && canApply(rule.fault) }
            guard let index = state.rules.lastIndex(where: matches) else { return nil }
            let fault = state.rules[index].fault
            if let count = state.rules[index].count {
                state.rules[index].count = count - 1
                if count <= 1 { state.rules.remove(at: index) }
            }
            return fault
        }
    }
}

struct FaultRule: Sendable, Equatable {
    let fault: Fault
    /// A prefix of paths without `/api/v3`, like `/coins/markets`; empty for all.
    let path: String
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
