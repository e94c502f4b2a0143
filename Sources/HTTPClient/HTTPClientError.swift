/// Why a request got no answer; a status such as 404 or 500 is an answer, not an error.
package enum HTTPClientError: Error, Equatable, Sendable {
    /// Not an absolute http or https URL, or one with a user name in it.
    case invalidURL
    /// A method or header that would break the request's framing; the text names it, never its value.
    case invalidRequest(String)
    /// The host has no address, or the name server did not say.
    case resolve(String)
    /// No connection could be made: refused, unreachable, or a proxy that is not found.
    case connect(String)
    /// The handshake failed.
    case tls(String)
    /// The certificate does not prove the host, or there is nothing to judge it by.
    case untrusted(String)
    /// The connect or the total timeout ran out; what had arrived is dropped.
    case timeout
    /// The decoded body (or the headers) passed this many bytes.
    case tooLarge(limit: Int)
    /// One more redirect than `maximumRedirects`, if that is not 0.
    case tooManyRedirects
    /// `publicAddressesOnly` refused this address, or the name resolved to it.
    case refusedAddress(String)
    /// The connection was reset or closed before the whole answer had come.
    case aborted
    /// Not HTTP, or a body that does not decode as its `Content-Encoding` says.
    case malformedAnswer(String)
    /// The Swift task was cancelled.
    case cancelled
    /// `shutdown()` was called.
    case shutDown
    /// A libcurl result with no case of its own: its number (CURLcode, or CURLMcode from the loop) and words.
    case other(code: Int, String)
}
