import Accounts
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

struct HomeFeature: Feature {
    let navigationEntries = [
        NavigationEntry("Home", at: "/", icon: "home", key: "h"),
        NavigationEntry(
            "Search", at: SearchController.path, icon: "search", isFolded: true, shortcut: "Ctrl K"),
    ]

    let searchCommands = [
        SearchCommand("Light theme", or: "colours colors", at: "/theme", posting: .init("theme", "light")),
        SearchCommand("Dark theme", or: "colours colors", at: "/theme", posting: .init("theme", "dark")),
        SearchCommand(
            "Theme of the system", or: "colours colors auto", at: "/theme", posting: .init("theme", "auto")),
    ]
    private let visits = HomeVisits()

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        HomeController(site: guarded.site, visits: visits).routes(guarded)
            + TodayController(site: guarded.site).routes(guarded)
    }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case HomeController.topic, Topic.home(user.userId): [Topic.home(user.userId)]
        default: nil
        }
    }
}

struct HomeController: Sendable {
    /// The page's name of the topic of the tiles' arrangement.
    static let topic = "home"
    /// Tiles that wait for an answer come first. Tiles not listed here come last.
    private static let order = ["pulls", "chat", "reading", "watchlist", "alerts", "bookmarks", "displays"]

    let site: WebContext
    let visits: HomeVisits

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/", topics: { topics($1) }, refresh: noteView, home),
            guarded.fragment("/home/summary", topics: { topics($1) }) { reads, _, user in
                visits.note(user.userId, in: site)
                return HomeSummaryView(tiles: try tiles(reads, user))
            },
            guarded.fragment("/first-steps", topics: { topics($1) }) {
                try steps($0, $1, $2, try tiles($0, $2))
            },
            guarded.member(.post, "/first-steps/hide", hideFirstSteps),
            guarded.member(.post, "/theme", chooseTheme),
        ]
    }

    private func topics(_ user: User) -> [String] {
        site.features.tileTopics(for: user) + [Topic.members, Topic.home(user.userId)]
    }

    /// Refreshes the data of the tiles, because the user is looking at them.
    private func noteView(by user: User) {
        site.features.requestRefresh(of: topics(user), for: user)
        visits.note(user.userId, in: site)
    }

    /// All kinds of tiles in the standard order.
    static func kinds(_ site: WebContext) -> [TileKind] {
        func rank(_ kind: TileKind) -> Int { order.firstIndex(of: kind.key) ?? order.count }
        return site.features.tileKinds.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
    }

    /// Reads the tiles that the user has not hidden, in their order.
    private func tiles(_ reads: Reads, _ user: User) throws -> [HomeTile] {
        let preferences = try reads.preferences(HomePreferences.self, of: user.userId)
        let previous = try reads.preferences(HomeVisit.self, of: user.userId)
            .previousVisit(at: site.clock.now())
        return try preferences.arranged(Self.kinds(site)).filter { !preferences.hidden.contains($0.key) }
            .compactMap { kind in
                let scope = TileScope(rows: preferences.size(of: kind).rows, previousVisit: previous)
                return try site.features.tile(kind, reads, for: user, in: site, scope)
            }
    }

    private func home(_ reads: Reads, _ request: Request, _ user: User) throws -> HomeView {
        let preferences = try reads.preferences(HomePreferences.self, of: user.userId)
        let tiles = try tiles(reads, user)
        let layout = try site.layout(reads, for: user, request, currentEntry: "/")
        return HomeView(
            layout: layout, steps: try steps(reads, request, user, tiles), tiles: tiles,
            preferences: preferences)
    }

    /// Returns none if they are hidden or only an invitation is left, since one person can use Roost alone.
    private func steps(_ reads: Reads, _ request: Request, _ user: User, _ tiles: [HomeTile]) throws
        -> FirstStepsView
    {
        // In the order of the navigation, whatever the order of the tiles.
        let kinds = site.features.tileKinds
        var steps = kinds.compactMap { kind in tiles.first { $0.kind == kind }?.step }
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
