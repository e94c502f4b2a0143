import Accounts
import HTTPServer
import RoostSupport

/// The home page, and the choice of colours.
struct HomeFeature: Feature {
    let places = [NavigationPlace("Home", at: "/", icon: "home")]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] { HomeController(site: guarded.site).routes(guarded) }
}

/// The first page: what waits in every feature that exists.
struct HomeController: Sendable {
    /// What waits for an answer comes first. Other tiles follow.
    private static let order = [
        "Pull requests", "Chat", "Reading", "Watchlist", "Alerts", "Bookmarks", "Displays",
    ]

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/", topics: { topics($1) + [Topic.members] }, want: want, home),
            guarded.member(.get, "/first-steps", firstSteps),
            guarded.member(.post, "/first-steps/hide", hideFirstSteps),
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
        let tiles = try await tiles(user)
        let steps = try await steps(request, user, tiles)
        let sorted = tiles.sorted { Self.rank($0) < Self.rank($1) }
        return site.rendered(HomeView(layout: layout, steps: steps, tiles: sorted))
    }

    private func tiles(_ user: User) async throws -> [HomeTile] {
        var tiles: [HomeTile] = []
        for feature in site.features {
            if let tile = try await feature.tile(for: user, in: site) { tiles.append(tile) }
        }
        return tiles
    }

    private static func rank(_ tile: HomeTile) -> Int { order.firstIndex(of: tile.name) ?? order.count }

    /// None if they are hidden, or if only an invitation is left: one person can use Roost alone.
    private func steps(_ request: Request, _ user: User, _ tiles: [HomeTile]) async throws -> FirstStepsView {
        var steps = tiles.compactMap(\.step)
        guard !request.hidesFirstSteps, steps.contains(where: { !$0.isDone }) else {
            return .none
        }
        for feature in site.features {
            if let step = try await feature.firstStep(for: user, in: site) { steps.append(step) }
        }
        return FirstStepsView(steps: steps)
    }

    private func firstSteps(_ request: Request, _ user: User) async throws -> HandlerResult {
        let version = site.tag(of: topics(user) + [Topic.members], for: user)
        let view = try await steps(request, user, try await tiles(user))
        return .response(site.fragment(view, version: version, for: request))
    }

    private func hideFirstSteps(_ request: Request, _ user: User) async throws -> HandlerResult {
        var response = Response.redirect(to: "/")
        response.headers.append(("Set-Cookie", Self.cookie(Request.firstStepsCookie, "hidden")))
        return .response(response)
    }

    /// For a year.
    private static func cookie(_ name: String, _ value: String) -> String {
        "\(name)=\(value); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
    }

    private func chooseTheme(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        guard let theme = LayoutView.Theme(rawValue: form["theme"] ?? "") else {
            throw RoostError.invalid(field: "theme", why: "The look is auto, light or dark.")
        }
        var response = Response.redirect(to: ReturnURL(form[ReturnURL.field], else: "/").address)
        response.headers.append(("Set-Cookie", Self.cookie(Request.themeCookie, theme.rawValue)))
        return .response(response)
    }
}
