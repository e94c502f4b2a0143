/// One segment's place in the router's tree.
struct RouteNode: Sendable {
    private var literals: [String: RouteNode] = [:]
    /// At most one: an array, since a struct cannot hold itself.
    private var parameter: [RouteNode] = []
    private var endpoint = Endpoint()
    private var rest = Endpoint()

    mutating func insert(_ route: BoundRoute, at segments: ArraySlice<RoutePattern.Segment>) throws {
        switch segments.first {
        case nil: try endpoint.insert(route)
        case .literal(let text):
            try literals[text, default: RouteNode()].insert(route, at: segments.dropFirst())
        case .parameter:
            if parameter.isEmpty { parameter.append(RouteNode()) }
            try parameter[0].insert(route, at: segments.dropFirst())
        case .rest: try rest.insert(route)
        }
    }

    func search(_ segments: ArraySlice<String>, _ search: inout RouteSearch) {
        guard let segment = segments.first else { return search.visit(endpoint) }
        literals[segment]?.search(segments.dropFirst(), &search)
        guard search.found == nil, !segment.isEmpty else { return }
        if let parameter = parameter.first {
            search.values.append(segment)
            parameter.search(segments.dropFirst(), &search)
            search.values.removeLast()
        }
        guard search.found == nil else { return }
        search.values.append(segments.joined(separator: "/"))
        search.visit(rest)
        search.values.removeLast()
    }
}
