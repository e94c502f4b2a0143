import CCurl

struct TransferOptions {
    let request: ClientRequest
    let address: WebAddress
    let userAgent: String
    let configuration: ClientConfiguration
    let timeLeft: Duration

    func apply(to easy: EasyHandle) throws(HTTPClientError) {
        try easy.reset()
        try easy.set(CURLOPT_URL, address.text)
        try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_NOSIGNAL, 1)
        // A resolver thread cannot be stopped. Without this option, a cancelled or timed out request waits for it, and
        // blocks the whole loop as long as the name server is silent (tested). With it, the thread is detached and
        // frees itself.
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        try easy.set(CURLOPT_ACCEPT_ENCODING, "")  // all supported encodings
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(min(request.connectTimeout, timeLeft)))
        try easy.set(CURLOPT_TIMEOUT_MS, Self.milliseconds(timeLeft))
        try applyTransport(to: easy)
        try applyMethod(to: easy)
        try easy.set(CURLOPT_USERAGENT, userAgent)
        try easy.set(headers: headerLines)
    }

    private func applyTransport(to easy: EasyHandle) throws(HTTPClientError) {
        if address.scheme == "https" {
            try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            // Wait for a connection that can be shared, instead of opening one for each request.
            try easy.set(CURLOPT_PIPEWAIT, 1)
            try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))  // or newer
            if let file = configuration.certificateAuthority { try easy.set(CURLOPT_CAINFO, file) }
        } else {
            // With PIPEWAIT here, all requests to a host would wait for the first answer's status line.
            try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        }
        if request.publicAddressesOnly, let target = configuration.hostMap[address.host] {
            // "HOST:PORT:OTHER:PORT"; an empty first port matches any (CURLOPT_CONNECT_TO(3)).
            try easy.set(CURLOPT_CONNECT_TO, lines: ["\(address.host)::\(target.text)"])
        }
        if request.publicAddressesOnly || address.isLoopback {
            try easy.set(CURLOPT_PROXY, "")  // also ignores the environment
        } else if let proxy = configuration.proxy {
            try easy.set(CURLOPT_PROXY, proxy)
        }
    }

    private func applyMethod(to easy: EasyHandle) throws(HTTPClientError) {
        if request.method == "HEAD" {
            try easy.set(CURLOPT_NOBODY, 1)
            return
        }
        // Not for HEAD, whose announced body is not sent.
        try easy.set(CURLOPT_MAXFILESIZE_LARGE, size: request.maximumBytes)
        if request.isSentOnce { try easy.set(CURLOPT_FRESH_CONNECT, 1) }
        let body = request.body ?? (request.method == "POST" ? [] : nil)
        if let body { try easy.set(body: body) }
        if request.method != (body == nil ? "GET" : "POST") {
            try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    /// "Name:" removes a header that libcurl would add; "Name;" sends an empty value.
    private var headerLines: [String] {
        var lines = request.headers.map { $0.1.isEmpty ? "\($0.0);" : "\($0.0): \($0.1)" }
        // libcurl's Expect: 100-continue takes a second with servers that do not support it.
        if request.header("Expect") == nil { lines.append("Expect:") }
        if request.header("Content-Type") == nil { lines.append("Content-Type:") }
        return lines
    }

    /// At least 1, because 0 means no limit. Rounded up, and small enough for a C `long` on every platform.
    static func milliseconds(_ duration: Duration) -> Int {
        let parts = duration.components
        guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 1 }
        let seconds = min(parts.seconds, 2_000_000)
        return max(
            1, Int(seconds) * 1_000 + Int((parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
