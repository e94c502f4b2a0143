import Synchronization
import TextFormats

/// The scheme, host and port of a web address (RFC 6454).
package struct WebOrigin: Equatable, Sendable {
    /// Of the text that it is read from, in bytes.
    package static let maximumLength = 300

    package let isSecure: Bool
    /// In lower case: a name, an IPv4 address, or an IPv6 address in brackets.
    package let host: String
    /// Nil for the scheme's default port.
    package let port: Int?

    // Created once, because that takes longer than matching. A regex is not Sendable.
    private static let form = Mutex(
        #/^(?:(https?)://)?([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/*$/#)
    private static let start = Mutex(
        #/^[A-Za-z]+://[^/?#]+/#.matchingSemantics(.unicodeScalar))

    /// Reads "git.example.org", "git.example.org:8443" and "http://127.0.0.1:8093/"; the default scheme is https.
    /// Returns nil if there is a path, a user name or an invalid character.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ $0 < 0x80 }),
            let match = Self.form.withLock({ form in
                text.lowercased().wholeMatch(of: form).map {
                    (scheme: $0.1.map(String.init), host: String($0.2), port: $0.3.map(String.init))
                }
            })
        else { return nil }
        let isSecure = match.scheme != "http"
        let port = match.port.flatMap { Int($0) }
        if let port, !(1...65_535).contains(port) { return nil }
        self.isSecure = isSecure
        host = match.host
        self.port = port == (isSecure ? 443 : 80) ? nil : port
    }

    package init?(within url: String) {
        let start = Self.start.withLock { url.firstMatch(of: $0).map { String($0.output) } }
        guard let start else { return nil }
        self.init(start)
    }

    package var authority: String { host + (port.map { ":\($0)" } ?? "") }
    /// Without a trailing slash.
    package var text: String { (isSecure ? "https://" : "http://") + authority }

    package var isLoopback: Bool { IPAddress.isLoopback(host: host) }

    /// True for two or more labels of letters, digits and hyphens (RFC 1123, section 2.1). The last label is not a
    /// number, unlike in an IPv4 address.
    package var isDNSName: Bool {
        let labels = host.splitBytes(at: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.count >= 2, labels.last?.contains(where: \.isLetter) == true
        else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        }
    }
}
