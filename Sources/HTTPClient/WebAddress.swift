import CCurl
import TextFormats

/// An absolute http or https URL, parsed by libcurl itself, so that both always agree.
package struct WebAddress: Equatable, Sendable {
    package let text: String
    let scheme: String
    /// In lower case; IPv6 in brackets; unusual spellings of IPv4 (`0x7f.1`) normalised.
    package let host: String
    let port: String

    /// Throws `.invalidURL`, also for an address with a user name.
    package init(_ text: String) throws(HTTPClientError) {
        try self.init([text])
    }

    func resolving(_ location: String) throws(HTTPClientError) -> WebAddress {
        try WebAddress([text, location])
    }

    func hasOrigin(of other: WebAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Scheme, host and port, without a default port: "https://example.org", "http://127.0.0.1:9000".
    package var origin: String {
        let isDefault = port == (scheme == "https" ? "443" : "80")
        return "\(scheme)://\(host)" + (isDefault ? "" : ":\(port)")
    }

    /// True for names and addresses of loopback, which a proxy could not reach.
    var isLoopback: Bool { IPAddress.isLoopback(host: host) }

    /// libcurl resolves each text against the previous ones.
    private init(_ texts: [String]) throws(HTTPClientError) {
        guard let handle = curl_url() else {
            throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue), "no memory")
        }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_DISALLOW_USER | CURLU_URLENCODE)
        for text in texts {
            guard !text.utf8.contains(0), curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK else {
                throw .invalidURL
            }
        }
        guard let text = Self.part(CURLUPART_URL, of: handle),
            let host = Self.part(CURLUPART_HOST, of: handle),
            let scheme = Self.part(CURLUPART_SCHEME, of: handle), ["http", "https"].contains(scheme),
            let port = Self.part(CURLUPART_PORT, of: handle, flags: CURLU_DEFAULT_PORT), !host.isEmpty
        else { throw .invalidURL }
        self.text = text
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: Int32 = 0) -> String? {
        var found: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &found, UInt32(flags)) == CURLUE_OK, let found else { return nil }
        defer { curl_free(found) }
        return String(cString: found)
    }
}
