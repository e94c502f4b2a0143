import Foundation

/// An address that stands in somebody's text, in its parts.
package struct WebLink: Hashable, Sendable {
    /// As it stands in the text.
    package let address: String
    /// In lower case, with its port unless that is the scheme's own; nil: one of Roost's own pages.
    package let host: String?
    /// What stands between the path's slashes, decoded, without what is empty.
    package let path: [String]
    /// The first value of each name, decoded.
    package let query: [String: String]

    /// In bytes; what is longer is no link.
    package static let maximumLength = 2_048

    /// Nil for what is neither an address over HTTP nor a path that begins with one slash, and for an address with a
    /// user's name in it.
    ///
    /// - Parameter isOwnHost: whether this Roost is reached under a host ("192.168.1.5:8080")
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
        path = (parts.first ?? "").splitBytes(at: "/").map { Self.decoded($0) }
        let fields = (parts.dropFirst().first ?? "").splitBytes(at: "&").map { field in
            let pair = field.splitBytes(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                Self.decoded(pair[0], isForm: true), Self.decoded(pair.dropFirst().first ?? "", isForm: true)
            )
        }
        query = Dictionary(fields) { first, _ in first }
    }

    /// What is no percent-encoding stays as it is.
    ///
    /// - Parameter isForm: a plus is a blank there
    private static func decoded(_ text: Substring, isForm: Bool = false) -> String {
        let text = isForm ? text.replacingBytes(of: "+", with: "%20") : String(text)
        return text.removingPercentEncoding ?? text
    }
}
