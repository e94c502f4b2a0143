/// The routes of one shape of path, by method.
struct Endpoint: Sendable {
    private var routes: [Method: BoundRoute] = [:]

    var methods: some Sequence<Method> { routes.keys }

    mutating func insert(_ route: BoundRoute) throws {
        let method = route.route.method
        if let other = routes[method] {
            throw RouterError.duplicate(method, other.route.pattern, route.route.pattern)
        }
        routes[method] = route
    }

    /// HEAD is answered by GET's route, unless it has its own.
    func route(for method: Method) -> BoundRoute? {
        routes[method] ?? (method == .head ? routes[.get] : nil)
    }

    /// What `Allow` says: HEAD comes with GET, OPTIONS with everything.
    static func allowed(_ methods: Set<Method>) -> [Method] {
        Method.allCases.filter {
            methods.contains($0) || $0 == .options || ($0 == .head && methods.contains(.get))
        }
    }
}
