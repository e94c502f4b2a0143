import HTTPServer
import TextFormats

/// The page that a form or a sign-in leads back to: path and query on this server, never another site's address.
struct ReturnURL: Equatable, Sendable {
    /// The form field that carries it.
    static let field = "back"
    private static let maximumBytes = 1_000

    /// "/bookmarks": without the query.
    let path: String
    /// As written in the address: "tag=to%20read".
    private var fields: [String]

    /// - Parameters:
    ///   - text: as a form or an address carries it
    ///   - fallback: the page to lead to if the text is not an address of this server
    init(_ text: String?, else fallback: String) {
        self = text.flatMap(ReturnURL.init(checking:)) ?? ReturnURL(trusted: fallback)
    }

    /// Nil for anything but a path of this server: browsers take "//host" and "/\host" for other sites' addresses, and
    /// skip control characters.
    private init?(checking text: String) {
        guard text.utf8.starts(with: "/".utf8), !text.utf8.starts(with: "//".utf8),
            !text.containsBytes("\\"), text.utf8.count <= Self.maximumBytes,
            text.utf8.allSatisfy({ (33...126).contains($0) })
        else { return nil }
        self.init(trusted: text)
        // A page whose query cannot be decoded answers 400.
        guard (try? Query(parsing: query)) != nil else { return nil }
    }

    /// The fragment is dropped, and so is the notice that the page has shown already.
    private init(trusted text: String) {
        let page = text.splitBytes(at: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let parts = page.splitBytes(at: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        fields = parts.count > 1 ? parts[1].splitBytes(at: "&").map(String.init) : []
        remove(FlashStore.field)
    }

    /// "tag=to%20read&pages=2": "" if there is none.
    var query: String { fields.joined(separator: "&") }

    /// Path and query.
    var address: String { query.isEmpty ? path : "\(path)?\(query)" }

    /// Removes a field of the query.
    mutating func remove(_ name: String) {
        fields.removeAll { (try? Query(parsing: $0))?.pairs.first?.name == name }
    }
}

/// One segment of an address's path, percent-encoded: other people’s ids hold spaces, brackets and slashes.
struct PathSegment: Sendable, CustomStringConvertible {
    let description: String

    /// "." and ".." are encoded, too: browsers resolve them.
    init(_ raw: String) {
        description =
            Self.isOnlyDots(raw) ? raw.replacingBytes(of: ".", with: "%2E") : PercentEncoding.encode(raw)
    }

    /// Whether the segment is the text itself.
    static func isPlain(_ raw: String) -> Bool { !isOnlyDots(raw) && PercentEncoding.isPlain(raw) }

    private static func isOnlyDots(_ raw: String) -> Bool { raw == "." || raw == ".." }
}
