/// An answer made once and given many times, such as a page's last render or a static file.
///
/// Holds what libmicrohttpd sends, plain, compressed and as a 304, so that answering copies nothing.
package final class PreparedResponse: Sendable {
    package let response: Response
    let compress: Bool

    /// `response` must have a body of bytes, or none; with `compress` a client that takes gzip gets gzip.
    package init(_ response: Response, compress: Bool = true) {
        self.response = response
        self.compress = compress
    }
}
