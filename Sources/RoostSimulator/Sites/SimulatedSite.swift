/// A web site with articles, reached under a name that belongs to nobody (RFC 2606, `.example`).
package struct SimulatedSite: Sendable {
    let host: String
    let name: String
    /// "en"
    let language: String
    let tagline: String
    let layout: SiteLayout
    let sections: [String]
    let accent: SitePicture.Color
    let articles: [SiteArticle]

    /// Without the site's own port: Roost is told with `article-hosts` where the name leads.
    package func address(of path: String) -> String { "http://\(host)\(path)" }

    func article(at path: String) -> SiteArticle? { articles.first { $0.path == path } }

    static let all = [
        harbourGazette, tidewrightBlog, tidewrightDocumentation, alpenkurier, riveSud, keelhouseForum,
    ]

    /// Every name that the simulator answers to; the last only leads on to the first.
    package static let hosts = all.map(\.host) + [bareGazette]

    static let bareGazette = "harbour-gazette.example"

    /// "www.harbour-gazette.example=127.0.0.1:8090,..."
    static func places(at address: String) -> String {
        hosts.map { "\($0)=\(address)" }.joined(separator: ",")
    }

    static func named(_ host: String) -> SimulatedSite? { all.first { $0.host == host } }
}

/// How a site sets its pages.
enum SiteLayout: Sendable {
    case news, blog, documentation, forum
}

/// A page that somebody would keep.
struct SiteArticle: Sendable {
    /// "/2026/09/the-harbour-wall"
    let path: String
    let title: String
    let author: String
    /// ISO 8601 with its zone.
    let published: String
    let section: String
    let summary: String
    var tags: [String] = []
    /// As `SiteMarkup` reads it; in a forum the first contribution.
    let text: String
    var comments: [SiteComment] = []
    /// A log-in wall stands before it, but not for a browser with the cookie `member`.
    var isForMembers = false
    /// Its text comes only when a browser runs the page's script.
    var isBuiltByScript = false
    var charset = SiteCharset.utf8

    /// Of its leading picture, on the same site.
    var picture: String { "/pictures/\(path.split(separator: "/").last ?? "front").png" }
}

/// What somebody says below an article, or in a thread.
struct SiteComment: Sendable {
    let author: String
    let text: String
}

/// In which bytes a page is sent, and what its header says of them.
enum SiteCharset: Sendable {
    case utf8
    /// Which only the page itself says.
    case windows1252
    /// While the header says UTF-8.
    case windows1252CalledUTF8

    /// What the page says of itself.
    var ownName: String { self == .utf8 ? "utf-8" : "windows-1252" }

    /// What the header says.
    var contentType: String {
        switch self {
        case .utf8, .windows1252CalledUTF8: "text/html; charset=utf-8"
        case .windows1252: "text/html"
        }
    }

    /// What the charset does not have becomes a question mark.
    func bytes(of text: String) -> [UInt8] {
        guard self != .utf8 else { return Array(text.utf8) }
        return text.unicodeScalars.map { scalar in
            Self.beyondLatin1[scalar] ?? UInt8(exactly: scalar.value) ?? UInt8(ascii: "?")
        }
    }

    private static let beyondLatin1: [Unicode.Scalar: UInt8] = [
        "€": 0x80, "„": 0x84, "…": 0x85, "Œ": 0x8C, "‘": 0x91, "’": 0x92, "“": 0x93, "”": 0x94, "–": 0x96,
        "—": 0x97, "œ": 0x9C,
    ]
}
