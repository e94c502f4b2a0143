import Foundation
import HTTPServer
import Market
import RoostSupport
import RoostWeb

/// The wall's pages. They need no session: a secret link or the key of a paired screen opens them.
struct WallController: Sendable {
    let site: WebContext
    let services: MarketServices
    let pulls: any WallPulls

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.link(.get, "/display/paired", .deferred(paired))]
            + [WallPage.Secret.key, .link].flatMap { secret in
                [
                    guarded.linkedPage(secret.path, WallPage(wall: self, secret: secret, part: nil)),
                    guarded.linkedPage(
                        secret.path + "/screen", WallPage(wall: self, secret: secret, part: "screen")),
                    guarded.link(
                        .get, secret.path + "/changes",
                        .deferred { request, responder in changes(request, responder, secret) }),
                ]
            }
    }

    fileprivate func page(_ reads: Reads, _ request: Request, _ display: Display) throws -> RenderedPage {
        let page = request.query["page"].flatMap(Int.init) ?? 1
        let token = request.parameters["token"]
        return try formats(of: display).use {
            let view = DisplayView(
                assets: site.assets.address, version: site.assets.version,
                cursor: site.feed.cursor(at: reads.feedPosition),
                address: "/display" + (token.isEmpty ? "" : "/\(token)"),
                screen: try screenView(reads, display, display.settings, page: page))
            return RenderedPage(response: site.html(view, hasForms: false), isRepeatable: true)
        }
    }

    /// The live part only. Displays with equal settings share it.
    fileprivate func fragment(_ reads: Reads, _ request: Request, _ display: Display) throws -> RenderedPage {
        let version = "\(site.tag(of: topics(display)))-\(settings(display))"
        return try formats(of: display).use {
            let view = try screenView(reads, display, display.settings, page: 1)
            return RenderedPage(
                response: site.fragment(view, version: version, for: request), isRepeatable: true)
        }
    }

    /// Numbers are in the owner's format. The date has the display's language and the screen's time zone.
    func formats(of display: Display) -> Formats {
        var preferences = FormatPreferences()
        preferences.numbers = site.identity.accounts.formats(of: display.userId).numbers
        return Formats(preferences)
    }

    /// Reads the display in a task, because a deferred handler must not wait.
    private func changes(_ request: Request, _ responder: Responder, _ secret: WallPage.Secret) {
        Task {
            do {
                guard let display = try await display(of: request, secret) else { throw Self.invalidLink }
                recordPoll(request, display)
                if display.settings.hasPulls { try await pulls.watch() }
                // Pages of older versions do not acknowledge commands; they would get the same ones forever.
                let done = request.query["done"].flatMap(Int.init)
                let displays = services.displays
                let waiting = displays.commands(for: display, done: done)
                let topics = topics(display) + [Topic.display(display.id)]
                site.answer(
                    request, responder, whenChanged: topics, named: topics.map { _ in "screen" },
                    hasNews: done != nil && !waiting.isEmpty
                ) { _ in
                    let commands = displays.commands(for: display, done: done)
                    return commands.isEmpty ? [] : [Self.content(commands)]
                }
            } catch {
                responder.respond(site.answer(Failure(error), to: request))
            }
        }
    }

    private static func content(_ commands: [DisplayCommand]) -> PollContent {
        PollContent(name: "commands", key: commands.map { "\($0.number)" }.joined(separator: "+")) {
            (try? JSONEncoder().encode(commands)).map(Array.init) ?? Array("[]".utf8)
        }
    }

    // MARK: Access

    fileprivate static let invalidLink = RoostError.notFound("This display’s link is invalid or was revoked.")

    fileprivate func display(of request: Request, _ secret: WallPage.Secret) async throws -> Display? {
        switch secret {
        case .link: return try await display(.link(request.parameters["token"]))
        case .key:
            guard let key = cookie(.display, of: request) else { return nil }
            return try await display(.key(key))
        }
    }

    private func display(_ access: DisplayAccess) async throws -> Display? {
        if let cached = services.displays.recentDisplay(access) { return cached }
        return try await services.displays.display(access)
    }

    private func cookie(_ cookie: SiteCookie, of request: Request) -> String? {
        request.cookies[cookie.name(isSecure: site.visitors.caller(of: request).isSecure)]
    }

    fileprivate func recordLoad(_ request: Request, _ display: Display) {
        services.displays.markSeen(display)
        services.displays.noteLoad(of: display)
        services.prices.watch(in: currency(display))
    }

    /// Records a poll with the screen's report.
    fileprivate func recordPoll(_ request: Request, _ display: Display) {
        services.displays.markSeen(display, screen: report(request))
        services.prices.watch(in: currency(display))
    }

    /// Returns nil if the page does not report a valid version.
    private func report(_ request: Request) -> ScreenReport? {
        guard let version = request.query["version"], (1...80).contains(version.utf8.count),
            version == version.sanitized
        else { return nil }
        let reloads = request.query["reloads"].flatMap(Int.init) ?? 0
        return ScreenReport(
            version: version, address: site.visitors.caller(of: request).address,
            reloads: min(max(reloads, 0), 1_000_000_000))
    }

    private func currency(_ display: Display) -> String {
        DisplayContent.currency(of: display, settings: display.settings, in: services)
    }

    /// Part of the cache key: what the page shows of the display's own settings.
    fileprivate func settings(_ display: Display) -> String {
        "\(display.userId)-\(currency(display))-\(display.settings.hashValue)\(formats(of: display).tag)"
    }

    fileprivate func topics(_ display: Display) -> [String] {
        let parts = display.settings.shownTodayParts
        let owner = parts.isEmpty ? nil : site.identity.accounts.cachedUser(display.userId)
        return [services.prices.topic(in: currency(display)), Topic.watchlist(display.userId)]
            + (display.settings.hasPulls ? [pulls.topic] : [])
            + (owner.map { site.features.tileTopics(for: $0, of: parts) } ?? [])
    }

    func screenView(
        _ reads: Reads, _ display: Display, _ settings: DisplaySettings, page: Int
    ) throws -> DisplayScreenView {
        let content = try DisplayContent(reads, of: display, settings: settings, in: services)
        let kinds = settings.pages
        let now = content.prices.now
        let team = settings.hasPulls ? try pulls.list(reads) : nil
        let prices = FreshnessView(content.prices, isEmpty: content.entries.isEmpty, retry: nil)
        let freshness: FreshnessView? =
            switch kinds.first {
            case .pulls: team?.freshness(at: now)
            case .headline: nil
            case .coins, .today, nil: prices
            }
        return DisplayScreenView(
            freshness: freshness, cells: kinds.contains(.coins) ? content.cells : [],
            pulls: kinds.contains(.pulls) ? team : nil,
            changes: kinds.contains(.today)
                ? try changes(reads, display, settings, content.entries, team, now: now) : nil,
            settings: settings, totals: kinds.contains(.coins) ? content.totals : nil, page: page, now: now)
    }

    /// What changed since yesterday and is on walls anyway, and what the display's owner allows in addition.
    private func changes(
        _ reads: Reads, _ display: Display, _ settings: DisplaySettings, _ entries: [WatchlistEntry],
        _ team: WallPullList?, now: Date
    ) throws -> [TodayLine] {
        let since = now.addingTimeInterval(-TodayLine.period)
        let moves = CoinMove.all(of: entries).prefix(TodayLine.limit).map(\.line)
        var parts = [team?.changes(since: since) ?? [], Array(moves)]
        let allowed = settings.shownTodayParts
        if !allowed.isEmpty, let owner = try site.identity.accounts.user(reads, display.userId) {
            parts += try site.features.today(reads, for: owner, in: site, since: since, of: allowed)
        }
        return TodayLine.balanced(parts)
    }
}

extension DisplaySettings {
    /// True if the screen shows something about the team's pull requests.
    var hasPulls: Bool { pages.contains(.pulls) || pages.contains(.today) }

    /// The keys of the features whose changes the screen shows.
    var shownTodayParts: Set<String> {
        pages.contains(.today) ? Set(todayParts.map(\.rawValue)) : []
    }
}

extension WallController {
    /// Shows the screen's pairing code, or a new one. Once the code was entered, gives the screen its key.
    fileprivate func pair(_ request: Request) async throws -> HandlerResult {
        let pairings = services.displayPairings
        if let secret = cookie(.pairing, of: request),
            let pairing = try await pairings.pairing(secret: secret)
        {
            guard pairing.isClaimed else { return .response(codePage(pairing, request)) }
            if let key = try await pairings.redeem(secret: secret) {
                var response = Response.redirect(to: "/display")
                set(key, in: &response, for: request)
                return .response(response)
            }
        }
        // A HEAD request should not use up a code.
        guard request.method == .get else { return .response(Response.html("")) }
        let started = try await pairings.begin(from: site.visitors.caller(of: request).address)
        var response = codePage(started.pairing, request)
        let isSecure = site.visitors.caller(of: request).isSecure
        response.headers.append(SiteCookie.pairing.header(started.secret, isSecure: isSecure))
        return .response(response)
    }

    private func codePage(_ pairing: DisplayPairing, _ request: Request) -> Response {
        let view = PairView(
            assets: site.assets.address, code: pairing.shownCode,
            link: site.link(to: "/displays?code=\(pairing.code)", for: request))
        return site.html(view, hasForms: false)
    }

    private func set(_ key: String, in response: inout Response, for request: Request) {
        let isSecure = site.visitors.caller(of: request).isSecure
        response.headers.append(SiteCookie.display.header(key, isSecure: isSecure))
        response.headers.append(SiteCookie.pairing.header(nil, isSecure: isSecure))
        response["Cache-Control"] = "no-store"
    }

    /// Waits until the screen's code is entered, then answers with the key. A screen that already has a key gets it
    /// again, which extends the cookie by 400 days.
    private func paired(_ request: Request, _ responder: Responder) {
        Task {
            do {
                if let key = cookie(.display, of: request), try await display(.key(key)) != nil {
                    responder.respond(pairedResponse(request, key: key))
                    return
                }
                // Take the cursor before reading the database, so that a concurrent claim is noticed.
                let cursor = site.feed.cursor
                guard let secret = cookie(.pairing, of: request),
                    let pairing = try await services.displayPairings.pairing(secret: secret)
                else { throw RoostError.notFound("This code has expired.") }
                guard !pairing.isClaimed, request.query["wait"] != "0" else {
                    responder.respond(try await pairedResponse(request, secret: secret))
                    return
                }
                site.feed.wait(
                    for: [pairing.topic], after: cursor,
                    atMost: .milliseconds(Int.random(in: 25_000...30_000)), isOpen: { responder.isOpen }
                ) { _ in
                    Task {
                        do { responder.respond(try await pairedResponse(request, secret: secret)) } catch {
                            responder.respond(site.answer(Failure(error), to: request))
                        }
                    }
                }
            } catch {
                responder.respond(site.answer(Failure(error), to: request))
            }
        }
    }

    private struct PairedJSON: Encodable {
        let isPaired: Bool
    }

    private func pairedResponse(_ request: Request, secret: String) async throws -> Response {
        pairedResponse(request, key: try await services.displayPairings.redeem(secret: secret))
    }

    private func pairedResponse(_ request: Request, key: String?) -> Response {
        var response = API.json(PairedJSON(isPaired: key != nil))
        if let key { set(key, in: &response, for: request) }
        return response
    }
}

/// The page of a screen, or the live part of it.
private struct WallPage: LinkedPage {
    enum Secret {
        case link
        /// The cookie of a paired screen.
        case key

        var path: String { self == .link ? "/display/{token}" : "/display" }
    }

    let wall: WallController
    let secret: Secret
    let part: String?

    var audience: Audience { isPairing ? .everyone : .link }

    /// True if a screen without the secret gets a pairing code.
    private var isPairing: Bool { secret == .key && part == nil }

    func content(for request: Request) async throws -> Display? {
        try await wall.display(of: request, secret)
    }

    func refresh(_ display: Display, for request: Request) {
        if part == nil { wall.recordLoad(request, display) } else { wall.recordPoll(request, display) }
    }

    func settings(of display: Display) -> String { wall.settings(display) }

    func topics(of display: Display) -> [String] { wall.topics(display) }

    func render(_ reads: Reads, _ display: Display, for request: Request) throws -> RenderedPage {
        try part == nil ? wall.page(reads, request, display) : wall.fragment(reads, request, display)
    }

    func refuse(_ request: Request) async throws -> HandlerResult {
        guard isPairing else { throw WallController.invalidLink }
        return try await wall.pair(request)
    }
}
