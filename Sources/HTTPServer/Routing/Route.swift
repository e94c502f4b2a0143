/// A method and a pattern of paths, with the handler that answers them.
package struct Route: Sendable {
    package let method: Method
    /// "/api/v1/watchlist/{coinId}"; "{...rest}" at the end takes the rest of the path, slashes included.
    package let pattern: String
    /// Bytes; a larger body is answered 413.
    package let bodyLimit: Int
    /// Nil: whoever asks may send up to `bodyLimit`.
    let admission: BodyAdmission?
    let handler: Handler

    package init(
        _ method: Method, _ pattern: String, bodyLimit: Int = 65_536, admission: BodyAdmission? = nil,
        _ handler: Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.bodyLimit = bodyLimit
        self.admission = admission
        self.handler = handler
    }
}

/// A route's judgement of a request that brings a body, made from the headers before any of the body is kept.
///
/// A request without a body is not judged here: there is nothing to keep, and its handler judges it.
package struct BodyAdmission: Sendable {
    /// Throws what the request is answered with in place of its handler. Runs on libmicrohttpd's own thread and must not
    /// block.
    let judge: @Sendable (Request) throws -> Void

    package init(judge: @escaping @Sendable (Request) throws -> Void) { self.judge = judge }
}

/// A route in the router's tree: a class, so that finding it copies one reference.
final class BoundRoute: Sendable {
    let route: Route
    private let parameterNames: [String]

    init(route: Route, parameterNames: [String]) {
        self.route = route
        self.parameterNames = parameterNames
    }

    func parameters(_ values: [String]) -> PathParameters {
        PathParameters(Array(zip(parameterNames, values)))
    }
}

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

/// How a route makes its answers.
package enum Handler: Sendable {
    /// Runs on libmicrohttpd's own thread and must not block: for bytes that are there.
    case ready(@Sendable (Request) throws -> HandlerResult)
    /// Runs in a task, which is cancelled when the client leaves or the server stops. It begins on libmicrohttpd's own
    /// thread: an answer that waits for nothing costs no change of thread. After its first wait it goes on elsewhere, and
    /// with a large body it begins there.
    case async(@Sendable (Request) async throws -> HandlerResult)
    /// For long polls: runs on libmicrohttpd's own thread, must not block, and answers later without a task.
    case deferred(@Sendable (Request, Responder) -> Void)
}

/// What a handler returns: a response that is made for this request, or one that was prepared for many.
package enum HandlerResult: Sendable {
    case response(Response)
    case prepared(PreparedResponse)
}

/// The decoded parameters of a path: `coinId` of `/watchlist/{coinId}`.
package struct PathParameters: Sendable {
    private var pairs: [(name: String, value: String)]

    package init(_ pairs: [(String, String)] = []) {
        self.pairs = pairs.map { (name: $0.0, value: $0.1) }
    }

    /// "" if the route has no parameter of this name.
    package subscript(name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }

    mutating func append(_ name: String, _ value: String) { pairs.append((name, value)) }
}
