import CCurl

/// The options of one hop.
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
        // A resolver thread cannot be stopped. Without this a request that is cancelled or out of time waits
        // for it, and the whole loop with it (tried: as long as the name server is silent); with it the
        // thread is left behind and frees itself.
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        try easy.set(CURLOPT_ACCEPT_ENCODING, "")  // every encoding built in
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
            // Rather wait for a connection that may be shared than open one for each request.
            try easy.set(CURLOPT_PIPEWAIT, 1)
            try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))  // at least
            if let file = configuration.certificateAuthority { try easy.set(CURLOPT_CAINFO, file) }
        } else {
            // With PIPEWAIT here, all requests to a host would wait for the first answer's status line.
            try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        }
        if request.publicAddressesOnly, let target = configuration.hostMap[address.host] {
            // "HOST:PORT:OTHER:PORT", of which the first port may be any (CURLOPT_CONNECT_TO(3)).
            try easy.set(CURLOPT_CONNECT_TO, lines: ["\(address.host)::\(target.text)"])
        }
        if request.publicAddressesOnly || address.isLoopback {
            try easy.set(CURLOPT_PROXY, "")  // the environment's neither
        } else if let proxy = configuration.proxy {
            try easy.set(CURLOPT_PROXY, proxy)
        }
    }

    private func applyMethod(to easy: EasyHandle) throws(HTTPClientError) {
        if request.method == "HEAD" {
            try easy.set(CURLOPT_NOBODY, 1)
            return
        }
        // For HEAD the announced length costs nothing.
        try easy.set(CURLOPT_MAXFILESIZE_LARGE, size: request.maximumBytes)
        let body = request.body ?? (request.method == "POST" ? [] : nil)
        if let body { try easy.set(body: body) }
        if request.method != (body == nil ? "GET" : "POST") {
            try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    /// A line "Name:" takes out what libcurl would put in by itself; "Name;" sends an empty value.
    private var headerLines: [String] {
        var lines = request.headers.map { $0.1.isEmpty ? "\($0.0);" : "\($0.0): \($0.1)" }
        // libcurl's Expect: 100-continue costs a second with servers that do not know it.
        if request.header("Expect") == nil { lines.append("Expect:") }
        if request.header("Content-Type") == nil { lines.append("Content-Type:") }
        return lines
    }

    /// At least 1, since 0 would mean no limit; rounded up, and within a C `long` on every platform.
    static func milliseconds(_ duration: Duration) -> Int {
        let parts = duration.components
        guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 1 }
        let seconds = min(parts.seconds, 2_000_000)
        return max(
            1, Int(seconds) * 1_000 + Int((parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
