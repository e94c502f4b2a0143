import HTTPServer
import TextFormats

/// The list from which a reader opened a repository. It is shown next to the repository, or linked to.
enum RepositoryReferrer: Hashable, Sendable {
    case browse(RepositoriesQuery)
    /// Opened from a message, the home page or another site.
    case elsewhere
    /// With the query of the bookmarks page.
    case bookmarks([String: String])

    private static let bookmarkFields = ["pages", "group", "sort", "text", "tag", "changed"]

    init(_ query: Query) {
        guard query["in"] == "bookmarks" else {
            self = RepositoriesQuery.isPresent(in: query) ? .browse(RepositoriesQuery(query)) : .elsewhere
            return
        }
        let pairs = Self.bookmarkFields.compactMap { name -> (String, String)? in
            guard let value = query[name], !value.isEmpty else { return nil }
            return (name, String(value.unicodeScalars.prefix(256)))
        }
        self = .bookmarks(Dictionary(pairs) { first, _ in first })
    }

    var listAddress: String {
        switch self {
        case .browse(let query): "/repositories\(query.suffix)"
        case .elsewhere: "/repositories"
        case .bookmarks(let fields): fields.isEmpty ? "/bookmarks" : "/bookmarks?\(Self.text(of: fields))"
        }
    }

    /// For example "?in=bookmarks&tag=x", or "".
    var suffix: String {
        switch self {
        case .browse(let query): query.suffix
        case .elsewhere: ""
        case .bookmarks(let fields):
            fields.isEmpty ? "?in=bookmarks" : "?in=bookmarks&\(Self.text(of: fields))"
        }
    }

    private static func text(of fields: [String: String]) -> String {
        bookmarkFields.compactMap { name in
            fields[name].map { "\(name)=\(PercentEncoding.encode($0))" }
        }
        .joined(separator: "&")
    }
}
