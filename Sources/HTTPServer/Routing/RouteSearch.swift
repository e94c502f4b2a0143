/// What a walk through the router's tree has met.
struct RouteSearch {
    let method: Method
    /// The parameters' values on the way to the present node.
    var values: [String] = []
    private(set) var found: (route: BoundRoute, values: [String])?
    /// Of all routes that match the path, for `Allow`.
    private(set) var methods: Set<Method> = []

    init(method: Method) { self.method = method }

    mutating func visit(_ endpoint: Endpoint) {
        guard found == nil else { return }
        methods.formUnion(endpoint.methods)
        if let route = endpoint.route(for: method) { found = (route, values) }
    }
}
