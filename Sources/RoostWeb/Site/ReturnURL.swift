import HTTPServer
import TextFormats

/// The page to return to after a form or a sign-in: path and query on this server, never another site's address.
package struct ReturnURL: Equatable, Sendable {
    package static let field = "back"
    private static let maximumBytes = 1_000

    /// Without the query: "/bookmarks".
    package let path: String
    /// Percent-encoded: "tag=to%20read".
    private var fields: [String]

    /// - Parameter fallback: used if the text is not an address of this server
    package init(_ text: String?, else fallback: String) {
        self = text.flatMap(ReturnURL.init(checking:)) ?? ReturnURL(trusted: fallback)
    }

    /// Returns nil for anything except a path of this server. Browsers treat "//host" and "/\host" as other sites'
    /// addresses, and ignore control characters.
    private init?(checking text: String) {
        guard text.utf8.starts(with: "/".utf8), !text.utf8.starts(with: "//".utf8),
            !text.containsBytes("\\"), text.utf8.count <= Self.maximumBytes,
            text.utf8.allSatisfy({ (33...126).contains($0) })
        else { return nil }
        self.init(trusted: text)
        // A page answers 400 if its query cannot be decoded.
        guard (try? Query(parsing: query)) != nil else { return nil }
    }

    /// Drops the fragment, and the ticket of a notice that the page has already shown.
    private init(trusted text: String) {
        let page = text.splitBytes(at: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let parts = page.splitBytes(at: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        fields = parts.count > 1 ? parts[1].splitBytes(at: "&").map(String.init) : []
        remove(FlashStore.field)
    }

    /// "tag=to%20read&pages=2", or "" without parameters.
    package var query: String { fields.joined(separator: "&") }

    package var address: String { query.isEmpty ? path : "\(path)?\(query)" }

    package mutating func remove(_ name: String) {
        fields.removeAll { (try? Query(parsing: $0))?.pairs.first?.name == name }
    }
}

/// A percent-encoded segment of a path. Ids of other services may contain spaces, brackets and slashes.
package struct PathSegment: Sendable, CustomStringConvertible {
    package let description: String

    /// Also encodes "." and "..", which browsers would resolve.
    package init(_ raw: String) {
        description =
            Self.isOnlyDots(raw) ? raw.replacingBytes(of: ".", with: "%2E") : PercentEncoding.encode(raw)
    }

    /// True if the text needs no encoding.
    package static func isPlain(_ raw: String) -> Bool { !isOnlyDots(raw) && PercentEncoding.isPlain(raw) }

    private static func isOnlyDots(_ raw: String) -> Bool { raw == "." || raw == ".." }
}
