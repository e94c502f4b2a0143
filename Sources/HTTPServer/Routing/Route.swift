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
