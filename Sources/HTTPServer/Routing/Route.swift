/// A handler for a method and the paths that match a pattern.
public struct Route: Sendable {
    /// GET also answers HEAD, unless another route does.
    public let method: Method
    /// Such as "/api/v1/watchlist/{coinId}". A final "{...rest}" matches the rest of the path, including slashes.
    public let pattern: String
    /// In bytes; larger bodies are answered 413.
    public let bodyLimit: Int
    /// Nil allows every client to send up to `bodyLimit`.
    let admission: BodyAdmission?
    let handler: Handler

    /// Makes a route. `Router` checks its pattern.
    ///
    /// - Parameters:
    ///   - pattern: such as "/coins/{id}"; see `pattern`
    ///   - bodyLimit: in bytes
    ///   - admission: checks a request before its body is received; nil receives every body
    public init(
        _ method: Method, _ pattern: String, bodyLimit: Int = 65_536, admission: BodyAdmission? = nil,
        _ handler: Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.bodyLimit = bodyLimit
        self.admission = admission
        self.handler = handler
    }

    /// The function of an asynchronous route.
    public typealias AsyncHandler = @Sendable (Request) async throws -> HandlerResult

    /// The handler, if it is `async`.
    public var asyncHandler: AsyncHandler? { if case .async(let handler) = handler { handler } else { nil } }

    /// The same route with another handler.
    public func handled(by handler: @escaping AsyncHandler) -> Route {
        Route(method, pattern, bodyLimit: bodyLimit, admission: admission, .async(handler))
    }
}

/// Decides from the headers whether a request with a body is allowed, before any of the body is kept.
///
/// It does not apply to requests without a body, which the handler can check itself.
public struct BodyAdmission: Sendable {
    /// Throws the error to answer with instead of calling the handler. Runs on libmicrohttpd's thread and must not
    /// block.
    let check: @Sendable (Request) throws -> Void

    /// - Parameter check: throws the error to answer with; runs on libmicrohttpd's thread and must not block
    public init(check: @escaping @Sendable (Request) throws -> Void) { self.check = check }
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

/// How a route answers: at once, in a task, or later.
///
/// A thrown `RequestError` is answered with its status, any other error with 500.
public enum Handler: Sendable {
    /// Runs on libmicrohttpd's thread and must not block. For data in memory.
    case ready(@Sendable (Request) throws -> HandlerResult)
    /// Runs in a task, which is cancelled when the client leaves or the server stops. The task starts on
    /// libmicrohttpd's thread, so that an answer without suspension needs no change of thread. After its first
    /// suspension, or with a large body, it runs elsewhere.
    case async(@Sendable (Request) async throws -> HandlerResult)
    /// For long polls: runs on libmicrohttpd's thread, must not block, and answers later without a task.
    case deferred(@Sendable (Request, Responder) -> Void)
}

/// A handler's answer.
public enum HandlerResult: Sendable {
    case response(Response)
    /// For answers that many requests share.
    case prepared(PreparedResponse)
}

/// The values of a route's parameters, percent-decoded.
public struct PathParameters: Sendable {
    private var pairs: [(name: String, value: String)]

    /// Makes parameters for tests of handlers.
    public init(_ pairs: [(String, String)] = []) {
        self.pairs = pairs.map { (name: $0.0, value: $0.1) }
    }

    /// The value of a parameter; "" if the pattern has none of this name.
    public subscript(name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }

    mutating func append(_ name: String, _ value: String) { pairs.append((name, value)) }
}
