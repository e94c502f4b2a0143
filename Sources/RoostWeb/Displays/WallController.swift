import Foundation
import HTTPServer
import Market
import RoostSupport

/// The wall's own pages: without a session, opened by the secret of the link or by the key of a paired screen.
struct WallController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.linkedPage(
                "/display", for: .everyone, read: keyed, want: opened, settings: settings, topics: topics,
                otherwise: pair, wall),
            guarded.link(.get, "/display/paired", .deferred(paired)),
            guarded.linkedPage(
                "/display/{token}", read: linked, want: opened, settings: settings, topics: topics,
                otherwise: refuse, wall),
        ]
            + [(path: "/display", read: keyed), (path: "/display/{token}", read: linked)].flatMap { screen in
                [
                    guarded.linkedPage(
                        screen.path + "/screen", part: "screen", read: screen.read, want: asked,
                        settings: settings, topics: topics, otherwise: refuse, fragment),
                    guarded.link(
                        .get, screen.path + "/changes",
                        .deferred { request, responder in changes(request, responder, screen.read) }),
                ]
            }
    }

    private func wall(_ request: Request, _ display: Display) async throws -> RenderedPage {
        let cursor = site.services.feed.cursor
        let page = request.query["page"].flatMap(Int.init) ?? 1
        let token = request.parameters["token"]
        let view = DisplayView(
            assets: site.assets, version: site.version, cursor: cursor,
            address: "/display" + (token.isEmpty ? "" : "/\(token)"),
            screen: try await screenView(display, display.settings, page: page))
        return RenderedPage(response: site.html(view, hasForms: false), isRepeatable: true)
    }

    /// The screen's content alone: it is the same for all displays of the same settings.
    private func fragment(_ request: Request, _ display: Display) async throws -> RenderedPage {
        let version = "\(site.tag(of: topics(display)))-\(settings(display))"
        let view = try await screenView(display, display.settings, page: 1)
        return RenderedPage(
            response: site.fragment(view, version: version, for: request), isRepeatable: true)
    }

    /// The display is read in a task: a deferred handler must not wait.
    private func changes(
        _ request: Request, _ responder: Responder,
        _ read: @escaping @Sendable (Request) async throws -> Display?
    ) {
        Task {
            do {
                guard let display = try await read(request) else { throw Self.ended }
                asked(request, display)
                // A page of an earlier version does not say what it has done: it would be told without end.
                let done = request.query["done"].flatMap(Int.init)
                let displays = site.services.displays
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

    // MARK: Who asks

    private static let ended = RoostError.notFound("This display’s link is not valid, or was withdrawn.")

    @Sendable private func linked(_ request: Request) async throws -> Display? {
        try await display(.link(request.parameters["token"]))
    }

    @Sendable private func keyed(_ request: Request) async throws -> Display? {
        guard let key = cookie(.display, of: request) else { return nil }
        return try await display(.key(key))
    }

    private func display(_ access: DisplayAccess) async throws -> Display? {
        if let known = site.services.displays.recentDisplay(access) { return known }
        return try await site.services.displays.display(access)
    }

    private func refuse(_ request: Request) async throws -> HandlerResult { throw Self.ended }

    private func cookie(_ cookie: SiteCookie, of request: Request) -> String? {
        request.cookies[cookie.name(isSecure: site.forwarding.caller(of: request).isSecure)]
    }

    /// A screen has loaded the page.
    private func opened(_ request: Request, _ display: Display) {
        site.services.displays.markSeen(display)
        site.services.displays.noteLoad(of: display)
        site.services.prices.want(in: currency(display))
    }

    /// A screen asks on, and says what it is.
    private func asked(_ request: Request, _ display: Display) {
        site.services.displays.markSeen(display, screen: report(request))
        site.services.prices.want(in: currency(display))
    }

    /// Nil for a page that does not say of which version it is.
    private func report(_ request: Request) -> ScreenReport? {
        guard let version = request.query["version"], (1...80).contains(version.utf8.count),
            version == version.sanitized
        else { return nil }
        let reloads = request.query["reloads"].flatMap(Int.init) ?? 0
        return ScreenReport(
            version: version, address: site.forwarding.caller(of: request).address,
            reloads: min(max(reloads, 0), 1_000_000_000))
    }

    private func currency(_ display: Display) -> String {
        DisplayContent.currency(of: display, settings: display.settings, in: site.services)
    }

    /// What the page shows of the display itself.
    private func settings(_ display: Display) -> String {
        "\(display.userId)-\(currency(display))-\(display.settings.hashValue)"
    }

    private func topics(_ display: Display) -> [String] {
        [site.services.prices.topic(in: currency(display)), Topic.watchlist(display.userId)]
    }

    func screenView(
        _ display: Display, _ settings: DisplaySettings, page: Int
    ) async throws -> DisplayScreenView {
        let content = try await DisplayContent(of: display, settings: settings, in: site.services)
        return DisplayScreenView(
            freshness: FreshnessView(content.prices, isEmpty: content.entries.isEmpty, retry: nil),
            cells: content.cells, settings: settings, totals: content.totals, page: page)
    }
}

/// A screen without a key shows a code until somebody has typed it.
extension WallController {
    /// Shows the screen's code, or makes one; where it was typed, the screen gets its key.
    private func pair(_ request: Request) async throws -> HandlerResult {
        let pairings = site.services.displayPairings
        if let secret = cookie(.pairing, of: request),
            let pairing = try await pairings.pairing(secret: secret)
        {
            guard pairing.isClaimed else { return .response(page(pairing, request)) }
            if let key = try await pairings.redeem(secret: secret) {
                var response = Response.redirect(to: "/display")
                set(key, in: &response, for: request)
                return .response(response)
            }
        }
        // A program that only looks whether there is such a page needs no code.
        guard request.method == .get else { return .response(Response.html("")) }
        let begun = try await pairings.begin(from: site.forwarding.caller(of: request).address)
        var response = page(begun.pairing, request)
        let isSecure = site.forwarding.caller(of: request).isSecure
        response.headers.append(SiteCookie.pairing.header(begun.secret, isSecure: isSecure))
        return .response(response)
    }

    private func page(_ pairing: DisplayPairing, _ request: Request) -> Response {
        let view = PairView(
            assets: site.assets, code: pairing.shownCode,
            link: site.link(to: "/displays?code=\(pairing.code)", for: request))
        return site.html(view, hasForms: false)
    }

    private func set(_ key: String, in response: inout Response, for request: Request) {
        let isSecure = site.forwarding.caller(of: request).isSecure
        response.headers.append(SiteCookie.display.header(key, isSecure: isSecure))
        response.headers.append(SiteCookie.pairing.header(nil, isSecure: isSecure))
        response["Cache-Control"] = "no-store"
    }

    /// The long poll of a screen that shows a code: answers with the key once it was typed. A screen that has a key gets
    /// the same again, for another 400 days.
    private func paired(_ request: Request, _ responder: Responder) {
        Task {
            do {
                if let key = cookie(.display, of: request), try await display(.key(key)) != nil {
                    responder.respond(pairedResponse(request, key: key))
                    return
                }
                // Taken before the disk is read: what happens meanwhile is heard of.
                let cursor = site.services.feed.cursor
                guard let secret = cookie(.pairing, of: request),
                    let pairing = try await site.services.displayPairings.pairing(secret: secret)
                else { throw RoostError.notFound("This code has ended.") }
                guard !pairing.isClaimed, request.query["wait"] != "0" else {
                    responder.respond(try await pairedResponse(request, secret: secret))
                    return
                }
                site.services.feed.wait(
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
        pairedResponse(request, key: try await site.services.displayPairings.redeem(secret: secret))
    }

    private func pairedResponse(_ request: Request, key: String?) -> Response {
        var response = API.json(PairedJSON(isPaired: key != nil))
        if let key { set(key, in: &response, for: request) }
        return response
    }
}
