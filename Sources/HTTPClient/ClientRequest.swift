public import TextFormats

/// A request, with limits on what an untrusted server can cost.
public struct ClientRequest: Sendable {
    /// In upper case, as sent.
    public var method = "GET"
    /// Absolute, http or https. Spaces and non-ASCII characters are percent-encoded automatically.
    public var url: String
    /// In order; empty values are sent, too. `User-Agent` is the client's unless set here.
    public var headers: [(String, String)] = []
    /// Nil for none; not sent with HEAD.
    public var body: [UInt8]?
    /// For name resolution, connection and TLS handshake together, again for each redirect. Not counted while the
    /// request waits for a connection that another one is opening.
    public var connectTimeout: Duration = .seconds(5)
    /// From `send` to the last byte, including the wait for a connection and redirects.
    public var totalTimeout: Duration = .seconds(20)
    /// For the decompressed body; more throws `.tooLarge`.
    public var maximumBytes = 16 * 1_024 * 1_024
    /// 0 returns a 3xx as the answer. `Redirect` decides what is sent to the next address.
    public var maximumRedirects = 0
    /// For URLs from users: refuses every address that is not public, at each redirect and on reused connections, too.
    /// Proxies are not used.
    public var publicAddressesOnly = false
    /// The name under which the request is counted. There are few names, and users choose none of them.
    package var upstream = "other"
    /// With `publicAddressesOnly`: the only address that is allowed, public or not. For an address that an owner chose.
    public var allowedAddress: IPAddress?
    /// Opens a new connection. libcurl repeats a request, whatever its method, if a reused connection ends before the
    /// first byte of the answer; the server may have carried it out by then.
    public var isSentOnce = false
    /// Called with each piece of a 2xx answer's body as it arrives, decompressed. The answer has the whole body, too.
    ///
    /// Runs on the client's thread, which all requests share: must be quick and must not block. Not called after `send`
    /// has returned.
    public var onPiece: (@Sendable ([UInt8]) -> Void)?

    /// Makes a GET request.
    public init(url: String) {
        self.url = url
    }

    /// Makes a request with another method, or with a body.
    public init(_ method: String, _ url: String, headers: [(String, String)] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Asks for the body only if the entity tag (with its quotes) has changed; otherwise the answer is 304.
    public var ifNoneMatch: String? {
        get { header("If-None-Match") }
        set { replaceHeader("If-None-Match", with: newValue) }
    }

    func header(_ name: String) -> String? {
        let lowercaseName = name.lowercased()
        return headers.first { $0.0.lowercased() == lowercaseName }?.1
    }

    private mutating func replaceHeader(_ name: String, with value: String?) {
        let lowercaseName = name.lowercased()
        headers.removeAll { $0.0.lowercased() == lowercaseName }
        if let value { headers.append((name, value)) }
    }
}

extension ClientRequest {
    /// Rejects requests that could smuggle in another header or request: names and the method must be tokens (RFC 9110
    /// section 5.6.2), and values must not contain control bytes.
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
