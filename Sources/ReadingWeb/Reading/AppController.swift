import Accounts
import Foundation
import HTTPServer
import Reading
import RoostSupport
import RoostWeb
import TextFormats

/// Makes articles readable offline: service worker, and the list of pages to store.
struct AppController: Sendable {
    /// The numbers of newest unread articles and of newest gists stored offline.
    private static let offlineLimit = 100

    let site: WebContext
    let services: ReadingServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/sw.js", serviceWorker),
            guarded.member(.get, "/reading/offline", offline),
        ]
    }

    // MARK: Service worker

    /// The worker is at the root, because its path limits the pages it controls (Service Workers, section 3.4.3). This
    /// small script imports the real one, whose address changes with its content.
    private func serviceWorker(_ request: Request) async throws -> HandlerResult {
        guard let address = site.assets.files.address(of: "js/sw.js") else {
            throw RoostError.notFound("This Roost has no service worker.")
        }
        var response = Response.content(
            Array("importScripts(\"\(address)\");\n".utf8), type: "text/javascript; charset=utf-8")
        response["Cache-Control"] = "no-cache"
        response["Service-Worker-Allowed"] = "/"
        response.etag = "\"\(site.assets.files.version)\""
        return .response(response)
    }

    // MARK: Offline copies

    /// Everything that the stored pages load, at once or later.
    private static let scripts = [
        "site", "formats", "reading", "reading-article", "reading-gist", "reading-offline",
        "reading-offline-state",
        "reading-highlights", "reading-keys", "article-keys", "key-list", "reading-copy", "touch",
        "selection",
        "jump", "notices",
    ]
    private static let sheets = ["tokens", "roost", "reading", "reader", "keys"]
    private static let icons = [
        "archive", "back", "chevron", "close", "favicon", "roost", "share", "star", "star-outline", "trash",
        "up",
    ]

    private struct Offline: Encodable {
        struct Entry: Encodable {
            let id, path: String
            let stamp: String
        }

        let owner, version: String
        let articles, gists: [Entry]
        let assets: [String]
    }

    private func offline(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let articles = try services.articles.list(
            reads, ArticleFilter(), limit: Self.offlineLimit, of: user.userId)
        let additions = try services.articles.additionStamps(reads, of: articles.items)
        let gists = try services.gists.list(reads, limit: Self.offlineLimit, of: user.userId)
        let scripts = Self.scripts + site.assets.imports.modules(of: Self.scripts)
        let names =
            Self.sheets.map { "css/\($0).css" } + Self.icons.map { "icons/\($0).svg" }
            + scripts.map { "js/\($0).js" }
        let body = Offline(
            owner: site.offlineOwner(request, user), version: site.assets.version,
            articles: articles.items.map {
                .init(
                    id: "\($0.id)", path: "/reading/\($0.id)",
                    stamp:
                        "\(ISO8601.milliseconds($0.updatedAt)) \(additions[$0.id] ?? "")\(Formats.current.tag)"
                )
            },
            gists: gists.items.map {
                .init(
                    id: "\($0.id)", path: "/gists/\($0.id)",
                    stamp: ISO8601.milliseconds($0.updatedAt) + Formats.current.tag)
            },
            assets: names.compactMap(site.assets.files.address(of:))
                + articles.items.compactMap { $0.imageURL.map { $0 + "/small" } })
        return .response(API.json(body))
    }
}

extension WebContext {
    /// Identifies the session whose offline copies a browser may show. It deletes all others.
    func offlineOwner(_ request: Request, _ user: User) -> String {
        "\(user.userId)-" + visitors.visitor(of: request).reader.replacingBytes(of: " ", with: "-")
    }
}

extension Request {
    /// True if the service worker stores the response, which then must not contain secrets.
    var isForOffline: Bool { headers["X-Roost-Offline"] != nil }
}
