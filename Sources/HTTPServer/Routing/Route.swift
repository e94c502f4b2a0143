package struct Route: Sendable {
    package let method: Method
    /// Such as "/api/v1/watchlist/{coinId}". A final "{...rest}" matches the rest of the path, including slashes.
    package let pattern: String
    /// In bytes; larger bodies are answered 413.
    package let bodyLimit: Int
    /// Nil allows every client to send up to `bodyLimit`.
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

    package typealias AsyncHandler = @Sendable (Request) async throws -> HandlerResult

    /// The handler, if it is `async`.
    package var asyncHandler: AsyncHandler? { if case .async(let handler) = handler { handler } else { nil } }

    /// The same route with another handler.
    package func handled(by handler: @escaping AsyncHandler) -> Route {
        Route(method, pattern, bodyLimit: bodyLimit, admission: admission, .async(handler))
    }
}

/// Decides from the headers whether a request with a body is allowed, before any of the body is kept.
///
/// It does not apply to requests without a body, which the handler can check itself.
package struct BodyAdmission: Sendable {
    /// Throws the error to answer with instead of calling the handler. Runs on libmicrohttpd's thread and must not
    /// block.
    let check: @Sendable (Request) throws -> Void

    package init(check: @escaping @Sendable (Request) throws -> Void) { self.check = check }
}

/// A route in the router's tree. A class, so that a lookup copies only one reference.
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

    /// GET's route also answers HEAD, unless HEAD has its own.
    func route(for method: Method) -> BoundRoute? {
        routes[method] ?? (method == .head ? routes[.get] : nil)
    }

    /// The value of `Allow`: OPTIONS is always included, and HEAD with GET.
    static func allowed(_ methods: Set<Method>) -> [Method] {
        Method.allCases.filter {
            methods.contains($0) || $0 == .options || ($0 == .head && methods.contains(.get))
        }
    }
}

package enum Handler: Sendable {
    /// Runs on libmicrohttpd's thread and must not block. For data in memory.
    case ready(@Sendable (Request) throws -> HandlerResult)
    /// Runs in a task, which is cancelled when the client leaves or the server stops. The task starts on
    /// libmicrohttpd's thread, so that an answer without suspension needs no change of thread. After its first
    /// suspension, or with a large body, it runs elsewhere.
    case async(@Sendable (Request) async throws -> HandlerResult)
    /// For long polls: runs on libmicrohttpd's thread, must not block, and answers later without a task.
    case deferred(@Sendable (Request, Responder) -> Void)
}

package enum HandlerResult: Sendable {
    case response(Response)
    case prepared(PreparedResponse)
}

package struct PathParameters: Sendable {
    private var pairs: [(name: String, value: String)]

    package init(_ pairs: [(String, String)] = []) {
        self.pairs = pairs.map { (name: $0.0, value: $0.1) }
    }

    package subscript(name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }

    mutating func append(_ name: String, _ value: String) { pairs.append((name, value)) }
}
