import HTTPServer
import RoostServices

/// The first page: what waits in every feature that exists.
struct HomePages: Sendable {
    let site: Site

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/", home),
            guarded.member(.post, "/theme", chooseTheme),
        ]
    }

    private func home(_ request: Request, _ user: User) async throws -> Answer {
        let layout = site.layout(for: user, request, place: "/")
        let view = HomeView(
            layout: layout, pulls: PullsPages(site: site).tileView(user),
            bookmarks: try await BookmarksPages(site: site).tileForHome(user),
            watchlist: try await WatchlistPages(site: site).tileView(user),
            displays: DisplaysPages(site: site).tileView(user))
        return .response(site.html(view))
    }

    private func chooseTheme(_ request: Request, _ user: User) async throws -> Answer {
        let form = try request.form()
        guard let theme = LayoutView.Theme(rawValue: form["theme"] ?? "") else {
            throw RoostError.invalid(field: "theme", why: "The look is auto, light or dark.")
        }
        var response = Response.redirect(to: LocalPath.checked(form["return"]))
        let cookie =
            "\(Request.themeCookie)=\(theme.rawValue); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
        response.headers.append(("Set-Cookie", cookie))
        return .response(response)
    }
}
