/// Finds the route for a method and a path: literal segments before parameters, parameters before a rest.
package struct Router: Sendable {
    /// Paths without parameters, which most requests ask for.
    private var literal: [String: Endpoint] = [:]
    private var root = RouteNode()
    private var methods: Set<Method> = []

    /// Throws `RouterError` when two routes have the same method and shape, or a pattern cannot be read.
    package init(_ routes: [Route]) throws {
        for route in routes {
            let pattern = try RoutePattern(route.pattern)
            let bound = BoundRoute(route: route, parameterNames: pattern.parameterNames)
            try root.insert(bound, at: pattern.segments[...])
            if pattern.parameterNames.isEmpty {
                try literal[route.pattern, default: Endpoint()].insert(bound)
            }
            methods.insert(route.method)
        }
    }

    func match(_ method: Method, _ path: String) -> RouteMatch {
        if let route = literal[path]?.route(for: method) { return .found(route, PathParameters()) }
        if path == "*" { return method == .options ? .options(allow: Endpoint.allowed(methods)) : .malformed }
        guard let segments = Self.segments(of: path) else { return .malformed }
        var search = RouteSearch(method: method)
        root.search(segments[...], &search)
        if let (route, values) = search.found { return .found(route, route.parameters(values)) }
        guard !search.methods.isEmpty else { return .notFound }
        let allow = Endpoint.allowed(search.methods)
        return method == .options ? .options(allow: allow) : .notAllowed(allow: allow)
    }

    /// The decoded segments; a slash that is percent-encoded parts nothing. Nil if an escape is broken.
    private static func segments(of path: String) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var segments: [String] = []
        for segment in path.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let text = PercentCoding.decode(segment) else { return nil }
            segments.append(text)
        }
        return segments
    }
}
