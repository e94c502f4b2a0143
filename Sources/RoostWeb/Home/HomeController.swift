import HTTPServer
import RoostServices

/// The home page, and the choice of colours.
struct HomeFeature: Feature {
    let places = [NavigationPlace("Home", at: "/", icon: "home")]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] { HomeController(site: guarded.site).routes(guarded) }
}

/// The first page: what waits in every feature that exists.
struct HomeController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/", topics: { topics($1) }, want: want, home),
            guarded.member(.post, "/theme", chooseTheme),
        ]
    }

    private func topics(_ user: User) -> [String] { site.features.flatMap { $0.tileTopics(for: user) } }

    /// Looking at the tiles is demand for what they show.
    private func want(_ user: User) {
        for topic in topics(user) {
            for feature in site.features { feature.want(topic, for: user, in: site.services) }
        }
    }

    private func home(_ request: Request, _ user: User) async throws -> RenderedPage {
        // Its cursor is taken before the tiles are read: what changes meanwhile is heard of.
        let layout = try await site.layout(for: user, request, place: "/")
        var tiles: [HomeTile] = []
        for feature in site.features {
            if let tile = try await feature.tile(for: user, in: site) { tiles.append(tile) }
        }
        return site.rendered(HomeView(layout: layout, tiles: tiles))
    }

    private func chooseTheme(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        guard let theme = LayoutView.Theme(rawValue: form["theme"] ?? "") else {
            throw RoostError.invalid(field: "theme", why: "The look is auto, light or dark.")
        }
        var response = Response.redirect(to: ReturnURL(form[ReturnURL.field], else: "/").address)
        let cookie =
            "\(Request.themeCookie)=\(theme.rawValue); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
        response.headers.append(("Set-Cookie", cookie))
        return .response(response)
    }
}
