import TextFormats

package struct WebLink: Hashable, Sendable {
    package let address: String
    /// In lower case, with its port unless that is the scheme's default; nil for Roost's own pages.
    package let host: String?
    /// The non-empty path segments, decoded.
    package let path: [String]
    /// The first value of each name, decoded.
    package let query: [String: String]

    /// In bytes.
    package static let maximumLength = 2_048

    /// Returns nil unless the address is an HTTP address without a user name, or a path that begins with exactly one
    /// slash.
    ///
    /// - Parameter isOwnHost: returns true for a host of this Roost, such as "192.168.1.5:8080"
    package init?(_ address: String, isOwnHost: (String) -> Bool = { _ in false }) {
        guard (1...Self.maximumLength).contains(address.utf8.count) else { return nil }
        var rest = address[...]
        if address.utf8.first == UInt8(ascii: "/") {
            guard address.utf8.dropFirst().first != UInt8(ascii: "/") else { return nil }
            host = nil
        } else {
            guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")),
                ["http", "https"].contains(address[..<colon].lowercased()),
                let authority = WebOrigin(within: address)?.authority
            else { return nil }
            let start = address.utf8.index(colon, offsetBy: "://".utf8.count)
            let end = address.utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? address.endIndex
            rest = address[end...]
            host = isOwnHost(authority) ? nil : authority
        }
        self.address = address
        let page = rest.splitBytes(at: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        let parts = page.splitBytes(at: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = (parts.first ?? "").splitBytes(at: "/").map { PercentEncoding.decoded($0) }
        let fields = (parts.dropFirst().first ?? "").splitBytes(at: "&").map { field in
            let pair = field.splitBytes(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                PercentEncoding.decoded(pair[0], plusIsSpace: true),
                PercentEncoding.decoded(pair.dropFirst().first ?? "", plusIsSpace: true)
            )
        }
        query = Dictionary(fields) { first, _ in first }
    }
}
