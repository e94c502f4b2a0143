/// A method and a pattern of paths, with the handler that answers them.
package struct Route: Sendable {
    package let method: Method
    /// "/api/v1/watchlist/{coinId}"; "{...rest}" at the end takes the rest of the path, slashes included.
    package let pattern: String
    /// Bytes; a larger body is answered 413.
    package let bodyLimit: Int
    let handler: Handler

    package init(_ method: Method, _ pattern: String, bodyLimit: Int = 65_536, _ handler: Handler) {
        self.method = method
        self.pattern = pattern
        self.bodyLimit = bodyLimit
        self.handler = handler
    }
}
