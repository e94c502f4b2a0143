/// One request, with the limits that bound what a stranger's server can cost us.
package struct ClientRequest: Sendable {
    package var method = "GET"
    /// Absolute, http or https. Spaces and letters outside ASCII are percent-encoded on the way.
    package var url: String
    /// In order; an empty value is sent as such. `User-Agent` is the client's, unless one is named here.
    package var headers: [(String, String)] = []
    /// `nil` sends none; not sent with HEAD.
    package var body: [UInt8]?
    /// For name, connection and TLS handshake together, anew after each redirect; does not run while the
    /// request waits for a connection that another one is making.
    var connectTimeout: Duration = .seconds(5)
    /// From `send` to the last byte, the wait for a connection and redirects included.
    package var totalTimeout: Duration = .seconds(20)
    /// Of the body after gzip, brotli or zstd are undone.
    package var maximumBytes = 16 * 1_024 * 1_024
    /// 0: a 3xx is simply the answer. Otherwise see `Redirect` for what goes along.
    package var maximumRedirects = 0
    /// For URLs that users name: refuses every address that is not public, on the connected socket of each
    /// redirect and of each reused connection; proxies are left out.
    package var publicAddressesOnly = false

    package init(url: String) {
        self.url = url
    }

    package init(_ method: String, _ url: String, headers: [(String, String)] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Asks for the body only if the entity tag (with its quotes) is no longer this one: else the answer is
    /// 304.
    package var ifNoneMatch: String? {
        get { header("If-None-Match") }
        set { replaceHeader("If-None-Match", with: newValue) }
    }

    func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.0.lowercased() == wanted }?.1
    }

    private mutating func replaceHeader(_ name: String, with value: String?) {
        let wanted = name.lowercased()
        headers.removeAll { $0.0.lowercased() == wanted }
        if let value { headers.append((name, value)) }
    }
}

extension ClientRequest {
    /// Refuses what could smuggle a second header or request: names and the method are tokens
    /// (RFC 9110 section 5.6.2), values have no control bytes.
    func validate() throws(HTTPClientError) {
        guard Self.isToken(method) else { throw .invalidRequest("the method is not a token") }
        for (name, value) in headers {
            guard Self.isToken(name) else { throw .invalidRequest("a header's name is not a token") }
            guard Self.isHeaderValue(value) else {
                throw .invalidRequest("the value of \(name) has control bytes")
            }
            guard !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
                throw .invalidRequest("\(name) follows from the body")
            }
        }
    }

    static func isHeaderValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }

    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: tokenMarks.contains(byte)
                }
            }
    }
}
