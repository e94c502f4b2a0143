/// A request's path and decoded query in alphabetical order: what a recorded request is found by.
struct RequestKey: Hashable, Sendable {
    let path: [String]
    let query: [String]

    init(_ request: SimulatedRequest) {
        path = request.path
        query = request.query.filter { !$0.name.hasPrefix("x_cg_") }.map { "\($0.name)=\($0.value)" }.sorted()
    }

    /// - Parameter target: path and query, or a whole address.
    init(target: String) {
        self.init(SimulatedRequest(address: target))
    }
}
