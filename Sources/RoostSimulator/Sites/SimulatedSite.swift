/// A web site with articles under a reserved name (RFC 2606, `.example`).
package struct SimulatedSite: Sendable {
    let host: String
    let name: String
    let language: String
    let tagline: String
    let layout: SiteLayout
    let sections: [String]
    let accent: SitePicture.Color
    let articles: [SiteArticle]

    /// Returns a URL without port; the setting `article-hosts` maps the name to the simulator's address.
    package func address(of path: String) -> String { "http://\(host)\(path)" }

    func article(at path: String) -> SiteArticle? { articles.first { $0.path == path } }

    static let all = [
        harbourGazette, tidewrightBlog, tidewrightDocumentation, alpenkurier, riveSud, keelhouseForum,
    ]

    /// All names that the simulator answers to. The last only redirects to the first.
    package static let hosts = all.map(\.host) + [harbourGazetteAlias]

    static let harbourGazetteAlias = "harbour-gazette.example"

    /// Returns "www.harbour-gazette.example=127.0.0.1:8090,..."
    static func hostMappings(at address: String) -> String {
        hosts.map { "\($0)=\(address)" }.joined(separator: ",")
    }

    static func named(_ host: String) -> SimulatedSite? { all.first { $0.host == host } }
}

enum SiteLayout: Sendable {
    case news, blog, documentation, forum
}

struct SiteArticle: Sendable {
    /// "/2026/09/the-harbour-wall"
    let path: String
    let title: String
    let author: String
    /// ISO 8601 with time zone.
    let published: String
    let section: String
    let summary: String
    var tags: [String] = []
    /// Markup for `SiteMarkup`; in a forum the first post.
    let text: String
    var comments: [SiteComment] = []
    /// Whether it is behind a login wall for browsers without the cookie `member`.
    var isForMembers = false
    /// Whether its text only appears after the page's script has run.
    var isBuiltByScript = false
    var charset = SiteCharset.utf8

    var picture: String { "/pictures/\(path.split(separator: "/").last ?? "front").png" }
}

struct SiteComment: Sendable {
    let author: String
    let text: String
}

/// The raw values are those of the files in `Articles`.
enum SiteCharset: String, Sendable {
    case utf8 = ""
    /// Declared only in the page.
    case windows1252 = "windows-1252"
    /// The header wrongly declares UTF-8.
    case windows1252CalledUTF8 = "windows-1252 called utf-8"

    var ownName: String { self == .utf8 ? "utf-8" : "windows-1252" }

    var contentType: String {
        switch self {
        case .utf8, .windows1252CalledUTF8: "text/html; charset=utf-8"
        case .windows1252: "text/html"
        }
    }

    /// Encodes the text; characters missing in the charset become question marks.
    func bytes(of text: String) -> [UInt8] {
        guard self != .utf8 else { return Array(text.utf8) }
        return text.unicodeScalars.map { scalar in
            Self.windows1252Codes[scalar] ?? UInt8(exactly: scalar.value) ?? UInt8(ascii: "?")
        }
    }

    private static let windows1252Codes: [Unicode.Scalar: UInt8] = [
        "€": 0x80, "„": 0x84, "…": 0x85, "Œ": 0x8C, "‘": 0x91, "’": 0x92, "“": 0x93, "”": 0x94, "–": 0x96,
        "—": 0x97, "œ": 0x9C,
    ]
}
