import Foundation
import HTTPServer
import RoostServices

/// The wall's own pages: without a session, opened by the secret of the link.
struct WallController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.linkedPage(
                "/display/{token}", read: display, want: want, settings: settings, topics: topics, wall),
            guarded.link(.get, "/display/{token}/screen", .async(screen)),
            guarded.link(.get, "/display/{token}/changes", .deferred(changes)),
        ]
    }

    private func wall(_ request: Request, _ display: Display) async throws -> RenderedPage {
        let cursor = site.services.feed.cursor
        let page = request.query["page"].flatMap(Int.init) ?? 1
        let view = DisplayView(
            assets: site.assets, version: site.version, cursor: cursor, token: request.parameters["token"],
            screen: try await screenView(display, page: page))
        return RenderedPage(response: site.html(view, hasForms: false), isRepeatable: true)
    }

    private func screen(_ request: Request) async throws -> HandlerResult {
        let display = try await display(of: request)
        want(display)
        let version = "\(site.tag(of: topics(display)))-\(settings(display))"
        return .response(
            site.fragment(try await screenView(display, page: 1), version: version, for: request))
    }

    /// The display is read in a task: a deferred handler must not wait.
    private func changes(_ request: Request, _ responder: Responder) {
        Task {
            do {
                let display = try await display(of: request)
                want(display)
                site.answer(
                    request, responder, whenChanged: topics(display), named: ["screen", "screen", "screen"])
            } catch {
                responder.respond(site.answer(Failure(error), to: request))
            }
        }
    }

    private func display(of request: Request) async throws -> Display {
        let token = request.parameters["token"]
        if let known = site.services.displays.recentDisplay(token: token) { return known }
        guard let display = try await site.services.displays.display(token: token) else {
            throw RoostError.notFound("This display’s link is not valid, or was withdrawn.")
        }
        return display
    }

    private func want(_ display: Display) {
        site.services.displays.markSeen(display)
        site.services.prices.want()
    }

    /// What the page shows of the display itself.
    private func settings(_ display: Display) -> String {
        "\(display.userId)-\(display.secondsPerPage)-\(display.redIsUp)"
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
}
