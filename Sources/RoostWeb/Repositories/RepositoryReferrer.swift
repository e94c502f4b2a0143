import HTTPServer
import TextFormats

/// The list that somebody came from to a repository: it stands beside it, or is gone back to.
enum RepositoryReferrer: Hashable, Sendable {
    case browse(RepositoriesQuery)
    /// No list: a link in a message, the home page or another site.
    case elsewhere
    /// The bookmarks, with their page's query.
    case bookmarks([String: String])

    /// What the bookmarks' page takes.
    private static let bookmarkFields = ["pages", "group", "sort", "text", "tag", "changed"]

    init(_ query: Query) {
        guard query["in"] == "bookmarks" else {
            self = RepositoriesQuery.isAsked(in: query) ? .browse(RepositoriesQuery(query)) : .elsewhere
            return
        }
        let pairs = Self.bookmarkFields.compactMap { name -> (String, String)? in
            guard let value = query[name], !value.isEmpty else { return nil }
            return (name, String(value.unicodeScalars.prefix(256)))
        }
        self = .bookmarks(Dictionary(pairs) { first, _ in first })
    }

    /// The list's own page.
    var listAddress: String {
        switch self {
        case .browse(let query): "/repositories\(query.suffix)"
        case .elsewhere: "/repositories"
        case .bookmarks(let fields): fields.isEmpty ? "/bookmarks" : "/bookmarks?\(Self.text(of: fields))"
        }
    }

    /// Behind the address of a repository: "?in=bookmarks&tag=x", or nothing.
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
