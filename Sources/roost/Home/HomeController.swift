import Accounts
import HTTPServer
import RoostSupport
import RoostWeb

struct HomeFeature: Feature {
    let navigationEntries = [
        NavigationEntry("Home", at: "/", icon: "home"),
        NavigationEntry(
            "Search", at: SearchController.path, icon: "search", isFolded: true, keys: "Ctrl K"),
    ]

    let searchCommands = [
        SearchCommand("Light theme", or: "colours colors", at: "/theme", posting: .init("theme", "light")),
        SearchCommand("Dark theme", or: "colours colors", at: "/theme", posting: .init("theme", "dark")),
        SearchCommand(
            "Theme of the system", or: "colours colors auto", at: "/theme", posting: .init("theme", "auto")),
    ]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] { HomeController(site: guarded.site).routes(guarded) }
}

struct HomeController: Sendable {
    /// Tiles that wait for an answer come first. Tiles not listed here come last.
    private static let order = [
        "Pull requests", "Chat", "Reading", "Watchlist", "Alerts", "Bookmarks", "Displays",
    ]

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/", topics: { topics($1) + [Topic.members] }, refresh: requestRefresh, home),
            guarded.fragment("/first-steps", topics: { topics($1) + [Topic.members] }) {
                try steps($0, $1, $2, try site.features.tiles($0, for: $2, in: site))
            },
            guarded.member(.post, "/first-steps/hide", hideFirstSteps),
            guarded.member(.post, "/theme", chooseTheme),
        ]
    }

    private func topics(_ user: User) -> [String] { site.features.tileTopics(for: user) }

    /// Refreshes the data of the tiles, because the user is looking at them.
    private func requestRefresh(for user: User) {
        site.features.requestRefresh(of: topics(user), for: user)
    }

    private func home(_ reads: Reads, _ request: Request, _ user: User) throws -> HomeView {
        let tiles = try site.features.tiles(reads, for: user, in: site)
        let steps = try steps(reads, request, user, tiles)
        let sorted = tiles.sorted { Self.rank($0) < Self.rank($1) }
        let layout = try site.layout(reads, for: user, request, currentEntry: "/")
        return HomeView(layout: layout, steps: steps, tiles: sorted)
    }

    private static func rank(_ tile: HomeTile) -> Int { order.firstIndex(of: tile.name) ?? order.count }

    /// Returns none if they are hidden or only an invitation is left, since one person can use Roost alone.
    private func steps(_ reads: Reads, _ request: Request, _ user: User, _ tiles: [HomeTile]) throws
        -> FirstStepsView
    {
        var steps = tiles.compactMap(\.step)
        guard !request.hidesFirstSteps, steps.contains(where: { !$0.isDone }) else {
            return .none
        }
        steps += try site.features.firstSteps(reads, for: user, in: site)
        return FirstStepsView(steps: steps)
    }

    private func hideFirstSteps(_ request: Request, _ user: User) async throws -> HandlerResult {
        var response = Response.redirect(to: "/")
        response.headers.append(("Set-Cookie", Self.cookie(Request.firstStepsCookie, "hidden")))
        return .response(response)
    }

    private static func cookie(_ name: String, _ value: String) -> String {
        "\(name)=\(value); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
    }

    private func chooseTheme(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        guard let theme = LayoutView.Theme(rawValue: form["theme"] ?? "") else {
            throw RoostError.invalid(field: "theme", why: "The theme is auto, light or dark.")
        }
        var response = Response.redirect(to: ReturnURL(form[ReturnURL.field], else: "/").address)
        response.headers.append(("Set-Cookie", Self.cookie(Request.themeCookie, theme.rawValue)))
        return .response(response)
    }
}
