import CCurl

/// The reason why a request got no answer. A status such as 404 or 500 is an answer, not an error.
public enum HTTPClientError: Error, Equatable, Sendable {
    /// Not an absolute http or https URL, or one with a user name.
    case invalidURL
    /// A method or header that would break the request's framing. The text contains its name, not its value.
    case invalidRequest(String)
    /// The host has no address, or the name server did not respond.
    case resolve(String)
    /// The connection failed: refused, unreachable, or the proxy was not found.
    case connect(String)
    /// The TLS handshake failed.
    case tls(String)
    /// The server's certificate is not trusted: its authority, its name or its dates.
    case untrusted(String)
    /// The connect or total timeout expired; received data is dropped.
    case timeout
    /// The decompressed body or the headers exceeded this many bytes.
    case tooLarge(limit: Int)
    /// More redirects than `maximumRedirects`, if that is not 0.
    case tooManyRedirects
    /// `publicAddressesOnly` refused this address.
    case refusedAddress(String)
    /// The connection ended before the answer did.
    case aborted
    /// Not HTTP, or a body that does not match its `Content-Encoding`.
    case malformedAnswer(String)
    /// The task was cancelled.
    case cancelled
    /// `shutdown()` was called.
    case shutDown
    /// Any other libcurl error: its code (CURLcode, or CURLMcode from the loop) and message.
    case other(code: Int, String)
}

struct CurlFailure {
    let code: CURLcode
    /// From CURLOPT_ERRORBUFFER; may be empty.
    let detail: String
    let host: String
    let limit: Int

    /// The codes: https://curl.se/libcurl/c/libcurl-errors.html
    var error: HTTPClientError {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidURL
        case CURLE_COULDNT_RESOLVE_HOST: .resolve(host)
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .connect(message)
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limit: limit)
        case _ where Self.untrusted.contains(code.rawValue): .untrusted(message)
        case _ where Self.tls.contains(code.rawValue): .tls(message)
        case _ where Self.cutOff.contains(code.rawValue): .aborted
        case _ where Self.notHTTP.contains(code.rawValue): .malformedAnswer(message)
        default: .other(code: Int(code.rawValue), message)
        }
    }

    private var message: String {
        detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    }

    /// CURLE_PEER_FAILED_VERIFICATION: unknown authority, wrong name, or a certificate that is expired or not valid
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

    /// An HTTP/0.9 answer gives CURLE_UNSUPPORTED_PROTOCOL (the URL's scheme was checked before), and a trailer without
    /// a colon CURLE_BAD_FUNCTION_ARGUMENT.
    private static let notHTTP = Set(
        [
            CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_BAD_FUNCTION_ARGUMENT,
        ].map(\.rawValue))
}
