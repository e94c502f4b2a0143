import CCurl

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

/// What libcurl says of a transfer that failed, in our words.
struct CurlFailure {
    let code: CURLcode
    /// From CURLOPT_ERRORBUFFER; empty if libcurl wrote none.
    let detail: String
    let host: String
    let limit: Int

    /// The numbers: https://curl.se/libcurl/c/libcurl-errors.html
    var error: HTTPClientError {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidURL
        case CURLE_COULDNT_RESOLVE_HOST: .resolve(host)
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .connect(words)
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limit: limit)
        case _ where Self.untrusted.contains(code.rawValue): .untrusted(words)
        case _ where Self.tls.contains(code.rawValue): .tls(words)
        case _ where Self.cutOff.contains(code.rawValue): .aborted
        case _ where Self.notHTTP.contains(code.rawValue): .malformedAnswer(words)
        default: .other(code: Int(code.rawValue), words)
        }
    }

    private var words: String {
        detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    }

    /// CURLE_PEER_FAILED_VERIFICATION: an unknown authority, another name, a certificate that has expired or is not valid
    /// yet.
    private static let untrusted = Set(
        [
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_CRL_BADFILE,
        ].map(\.rawValue))

    private static let tls = Set(
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED,
            CURLE_USE_SSL_FAILED,
        ].map(\.rawValue))

    private static let cutOff = Set(
        [
            CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND,
            CURLE_HTTP2, CURLE_HTTP2_STREAM,
        ].map(\.rawValue))

    /// An HTTP/0.9 answer is CURLE_UNSUPPORTED_PROTOCOL: the URL's own scheme was checked before. A trailer
    /// without a colon is CURLE_BAD_FUNCTION_ARGUMENT.
    private static let notHTTP = Set(
        [
            CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_BAD_FUNCTION_ARGUMENT,
        ].map(\.rawValue))
}
