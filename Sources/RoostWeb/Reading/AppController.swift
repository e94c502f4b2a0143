import Accounts
import Foundation
import HTTPServer
import Reading
import RoostSupport
import TextFormats

/// What makes Roost an app that is installed and read offline: its manifest, its service worker, and what that stores.
struct AppController: Sendable {
    /// The newest unread articles, and the newest gists, that are stored for reading offline.
    private static let offlineLimit = 100

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/manifest.webmanifest", manifest),
            guarded.everyone(.get, "/sw.js", serviceWorker),
            guarded.member(.get, "/reading/offline", offline),
        ]
    }

    // MARK: Manifest (W3C Web App Manifest; Web Share Target)

    private struct Manifest: Encodable {
        struct Icon: Encodable {
            let src, sizes, type: String
            var purpose = "any"
        }

        struct ShareTarget: Encodable {
            let action, method: String
            let params: [String: String]
        }

        let id = "/"
        let name = "Roost"
        let short_name = "Roost"
        let start_url = "/reading"
        let scope = "/"
        let display = "standalone"
        let background_color = "#f7f6f3"
        let theme_color = "#f7f6f3"
        let icons: [Icon]
        let share_target: ShareTarget
    }

    private func manifest(_ request: Request) async throws -> HandlerResult {
        let icons = [
            ("icons/favicon.svg", "any", "image/svg+xml"), ("icons/app-192.png", "192x192", "image/png"),
            ("icons/app-512.png", "512x512", "image/png"),
        ].compactMap { name, sizes, type in
            site.files.address(of: name).map { Manifest.Icon(src: $0, sizes: sizes, type: type) }
        }
        let manifest = Manifest(
            icons: icons,
            share_target: .init(
                action: "/reading/share", method: "GET",
                params: ["title": "title", "text": "text", "url": "url"]))
        var response = try Response.json(manifest)
        response["Content-Type"] = "application/manifest+json"
        response["Cache-Control"] = "no-cache"
        response.etag = "\"\(site.files.version)\""
        return .response(response)
    }

    // MARK: Service worker

    /// From the root, whose pages it serves (Service Workers, section 3.4.3); a small script that loads the real one,
    /// under the address that changes with its content.
    private func serviceWorker(_ request: Request) async throws -> HandlerResult {
        guard let address = site.files.address(of: "js/sw.js") else {
            throw RoostError.notFound("This Roost has no service worker.")
        }
        var response = Response.content(
            Array("importScripts(\"\(address)\");\n".utf8), type: "text/javascript; charset=utf-8")
        response["Cache-Control"] = "no-cache"
        response["Service-Worker-Allowed"] = "/"
        response.etag = "\"\(site.files.version)\""
        return .response(response)
    }

    // MARK: What is stored

    /// What the stored pages load at once, and what their scripts load when it is used.
    private static let scripts = [
        "site", "reading", "reading-article", "reading-gist", "reading-offline", "reading-highlights",
        "reading-keys", "reading-copy", "touch", "selection", "jump", "notices",
    ]
    private static let sheets = ["roost", "reading", "reader"]
    private static let icons = [
        "archive", "chevron", "close", "favicon", "roost", "share", "star", "star-outline", "trash", "up",
    ]

    private struct Offline: Encodable {
        struct Entry: Encodable {
            let id, path: String
            /// Differs when the page has changed.
            let stamp: String
        }

        /// Whose it is: the copies of another person, or of another session, are deleted.
        let owner, version: String
        let articles, gists: [Entry]
        /// Other pages and files that belong to them.
        let assets: [String]
    }

    private func offline(_ request: Request, _ user: User) async throws -> HandlerResult {
        let articles = try await site.services.reading.list(
            ArticleFilter(), limit: Self.offlineLimit, of: user.userId)
        let additions = try await site.services.reading.additionStamps(of: articles.items)
        let gists = try await site.services.gists.list(limit: Self.offlineLimit, of: user.userId)
        let scripts = Self.scripts + site.imports.modules(of: Self.scripts)
        let names =
            Self.sheets.map { "css/\($0).css" } + Self.icons.map { "icons/\($0).svg" }
            + scripts.map { "js/\($0).js" }
        let body = Offline(
            owner: site.offlineOwner(request, user), version: site.version,
            articles: articles.items.map {
                .init(
                    id: "\($0.id)", path: "/reading/\($0.id)",
                    stamp: "\(ISO8601.milliseconds($0.updatedAt)) \(additions[$0.id] ?? "")")
            },
            gists: gists.items.map {
                .init(id: "\($0.id)", path: "/gists/\($0.id)", stamp: ISO8601.milliseconds($0.updatedAt))
            },
            assets: names.compactMap(site.files.address(of:))
                + articles.items.compactMap { $0.imageURL.map { $0 + "/small" } })
        return .response(API.json(body))
    }
}

extension WebContext {
    /// Whose copies for reading offline a browser may show: another session's are deleted.
    func offlineOwner(_ request: Request, _ user: User) -> String {
        "\(user.userId)-" + visitor(of: request).reader.replacingBytes(of: " ", with: "-")
    }
}

extension Request {
    /// The service worker stores the page: nothing secret may stand in it.
    var isForOffline: Bool { headers["X-Roost-Offline"] != nil }
}
