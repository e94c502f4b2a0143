import Foundation
import HTTPServer
import RoostServices

/// The screen on the wall: no session, only the secret of its link.
struct WallPages: Sendable {
    let site: Site

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.link(.get, "/display/{token}", .readyOr(cachedWall, wall)),
            guarded.link(.get, "/display/{token}/screen", .async(screen)),
            guarded.link(.get, "/display/{token}/changes", .deferred(changes)),
        ]
    }

    private func cachedWall(_ request: Request) throws -> Answer? {
        let display = try display(of: request)
        site.services.prices.want()
        guard request.query.pairs.isEmpty else { return nil }
        return site.cache.page(Self.key(display, request), stamp(display)).map(Answer.prepared)
    }

    private func wall(_ request: Request) async throws -> Answer {
        let display = try display(of: request)
        let stamp = stamp(display)
        let cursor = site.services.feed.cursor
        let page = request.query["page"].flatMap(Int.init) ?? 1
        let view = DisplayView(
            assets: site.assets, version: site.version, cursor: cursor, token: request.parameters["token"],
            screen: try await screenView(display, page: page))
        var response = site.html(view, hasForms: false)
        // The page's address is a secret: it has no business in a cache on disk.
        response["Cache-Control"] = "no-store"
        guard request.query.pairs.isEmpty else { return .response(response) }
        let prepared = PreparedResponse(response, compress: true)
        site.cache.keep(prepared, Self.key(display, request), stamp)
        return .prepared(prepared)
    }

    private func screen(_ request: Request) async throws -> Answer {
        let display = try display(of: request)
        let tag = site.tag(of: topics(display))
        return .response(site.fragment(try await screenView(display, page: 1), version: tag, for: request))
    }

    private func changes(_ request: Request, _ responder: Responder) {
        do {
            let display = try display(of: request)
            site.services.prices.want()
            site.answer(
                request, responder, whenChanged: topics(display), named: ["screen", "screen", "screen"])
        } catch {
            responder.respond(site.answer(Failure(error), to: request))
        }
    }

    private func display(of request: Request) throws -> Display {
        guard let display = site.services.displays.display(token: request.parameters["token"]) else {
            throw RoostError.notFound("This display’s link is not valid, or was withdrawn.")
        }
        site.services.displays.saw(display.id)
        return display
    }

    private func topics(_ display: Display) -> [String] {
        [Topic.prices, Topic.watchlist(display.userId), Topic.display(display.id)]
    }

    private func screenView(_ display: Display, page: Int) async throws -> DisplayScreenView {
        let list = try await site.services.watchlist.list(of: display.userId)
        return DisplayScreenView(
            freshness: FreshnessView(list.prices, isEmpty: list.entries.isEmpty, retry: nil),
            cells: list.entries.map { DisplayCell($0, in: list, currency: site.services.currency) },
            secondsPerPage: display.secondsPerPage, isRedUp: display.redIsUp, page: page)
    }

    private func stamp(_ display: Display) -> RenderCache.Stamp {
        .init(
            version: site.services.feed.version(of: topics(display)),
            second: Int(site.services.clock.now().timeIntervalSince1970))
    }

    /// The page holds its own link, so a renewed one must not find the old page.
    private static func key(_ display: Display, _ request: Request) -> String {
        "wall \(display.id) \(request.parameters["token"])"
    }
}
