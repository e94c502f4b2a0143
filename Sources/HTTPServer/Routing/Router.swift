import TextFormats

/// Finds the route for a method and a path. Literal segments take precedence over parameters, parameters over a rest.
public struct Router: Sendable {
    /// Paths without parameters, a fast path for most requests.
    private var literal: [String: Endpoint] = [:]
    private var root = RouteNode()
    private var methods: Set<Method> = []

    /// Throws `RouterError` if two routes have the same method and pattern, or a pattern is invalid.
    public init(_ routes: [Route]) throws {
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

    /// Returns the decoded segments, or nil if an escape is invalid. A percent-encoded slash does not separate
    /// segments.
    private static func segments(of path: String) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var segments: [String] = []
        for segment in path.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let text = PercentEncoding.decode(segment) else { return nil }
            segments.append(text)
        }
        return segments
    }
}

enum RouteMatch {
    case found(BoundRoute, PathParameters)
    case options(allow: [Method])
    case notAllowed(allow: [Method])
    case notFound
    /// The path does not begin with a slash or is not properly percent-encoded.
    case malformed
}

struct RouteNode: Sendable {
    private var literals: [String: RouteNode] = [:]
    /// At most one; an array, because a struct cannot contain itself.
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

struct RouteSearch {
    let method: Method
    var values: [String] = []
    private(set) var found: (route: BoundRoute, values: [String])?
    /// The methods of all routes that match the path, for `Allow`.
    private(set) var methods: Set<Method> = []

    mutating func visit(_ endpoint: Endpoint) {
        guard found == nil else { return }
        methods.formUnion(endpoint.methods)
        if let route = endpoint.route(for: method) { found = (route, values) }
    }
}

struct RoutePattern {
    enum Segment {
        case literal(String)
        case parameter(String)
        case rest(String)
    }

    let segments: [Segment]

    init(_ pattern: String) throws {
        guard pattern.hasPrefix("/") else { throw RouterError.invalidPattern(pattern) }
        let parts = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        segments = try parts.enumerated().map { index, part in
            guard part.contains(where: { $0 == "{" || $0 == "}" }) else { return .literal(String(part)) }
            let name = part.dropFirst().dropLast()
            guard part.hasPrefix("{"), part.hasSuffix("}"), !name.isEmpty,
                !name.contains(where: { $0 == "{" || $0 == "}" })
            else { throw RouterError.invalidPattern(pattern) }
            guard name.hasPrefix("...") else { return .parameter(String(name)) }
            guard index == parts.count - 1, name.count > 3 else { throw RouterError.invalidPattern(pattern) }
            return .rest(String(name.dropFirst(3)))
        }
    }

    var parameterNames: [String] {
        segments.compactMap { segment in
            switch segment {
            case .literal: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }
}

/// Why routes cannot be put together.
public enum RouterError: Error, Equatable, CustomStringConvertible {
    /// Two patterns with the same method match the same paths.
    case duplicate(Method, String, String)
    /// A pattern that does not begin with "/", has an unclosed brace, or a rest parameter before its end.
    case invalidPattern(String)

    /// A sentence with the patterns.
    public var description: String {
        switch self {
        case .duplicate(let method, let first, let second):
            "Two routes for the same addresses: \(method.rawValue) \(first) and \(method.rawValue) \(second)."
        case .invalidPattern(let pattern): "Invalid route pattern: \(pattern)"
        }
    }
}
