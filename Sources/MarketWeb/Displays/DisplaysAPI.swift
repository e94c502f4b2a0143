import Accounts
import HTTPServer
import Market
import RoostSupport
import RoostWeb
import TextFormats

/// Wall displays as JSON: settings, links, commands and pairing.
struct DisplaysAPI: Sendable {
    private static let path = "/api/v1/displays"

    let site: WebContext
    let services: MarketServices
    private var displays: DisplayService { services.displays }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(
                .get, Self.path, query: Request.paging, api: .lists(DisplayJSON.self, "Your displays."), list),
            guarded.member(
                .post, Self.path,
                api: .makes(DisplayJSON.self, "Adds a display with a link of its own.").taking(
                    AddRequest.self, ["name": .text(1...DisplayService.maximumName)]), add),
            guarded.member(
                .post, Self.path + "/pair",
                api: .makes(DisplayJSON.self, "Makes the screen with this code a display.").taking(
                    PairRequest.self,
                    [
                        "code": .text(DisplayPairing.length...DisplayPairing.maximumTypedLength),
                        "name": .text(atMost: DisplayService.maximumName),
                    ]), pair),
            guarded.member(.get, one, api: .answers(DisplayJSON.self, "One display."), show),
            guarded.member(
                .patch, one,
                api: .answers(DisplayJSON.self, "Changes the name and the settings.").taking(
                    DisplayChange.self,
                    [
                        "name": .text(1...DisplayService.maximumName),
                        "coins": .list(0...DisplaySettings.maximumCoins),
                        "perPage": .number(0...DisplaySettings.maximumPerPage),
                        "secondsPerPage": .number(DisplaySettings.possibleSeconds),
                        "dimming": .number(DisplaySettings.possibleDimming),
                        "headline": .text(atMost: DisplaySettings.maximumHeadline),
                    ]), change),
            guarded.member(.delete, one, api: .does("Removes a display.")) { request, user in
                try await displays.remove(Self.id(request), of: user.userId)
                return .response(Response(status: 204))
            },
            guarded.member(
                .get, one + "/link", api: .answers(LinkJSON.self, "The secret address of a display."), link),
            guarded.member(
                .post, one + "/link",
                api: .answers(LinkJSON.self, "Replaces the address of a display.").withSecret("address")
            ) { request, user in
                try await displays.renewLink(Self.id(request), of: user.userId)
                return try await site.database.read { try link($0, request, user) }
            },
            guarded.member(
                .post, one + "/command",
                api: .does("Shows the name on the screen, or reloads it.").taking(CommandRequest.self),
                command),
            guarded.member(
                .post, one + "/sign-out", api: .does("Signs out all screens and replaces the address.")
            ) { request, user in
                try await displays.signOut(Self.id(request), of: user.userId)
                return .response(Response(status: 204))
            },
        ]
    }

    private struct AddRequest: Decodable {
        let name: String
    }

    private struct PairRequest: Decodable {
        let code: String
        /// An existing display; without one, a new display is made.
        let display, name: String?
    }

    private struct CommandRequest: Decodable {
        let kind: DisplayCommand.Kind
    }

    private struct LinkJSON: Codable {
        let address: String
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let now = site.clock.now()
        let page = try request.items(of: try displays.displays(reads, of: user.userId)) { "\($0.id)" }
        return .response(
            API.json(try Page(page.items.map { DisplayJSON($0, now: now) }, next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let created = try await displays.add(try request.body(AddRequest.self).name, for: user.userId)
        return try await made(created.display.id, user)
    }

    private func pair(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(PairRequest.self)
        let existing = try body.display.map { try WatchlistAddress.number($0, "display") }
        let id = try await services.displayPairings.claim(
            body.code, for: existing.map { .existing($0) } ?? .new(name: body.name ?? ""), by: user.userId,
            from: site.visitors.caller(of: request).address)
        return try await made(id, user)
    }

    private func made(_ id: DisplayID, _ user: User) async throws -> HandlerResult {
        let display = try await displays.display(id, of: user.userId)
        var response = API.json(DisplayJSON(display, now: site.clock.now()), status: 201)
        response["Location"] = "\(Self.path)/\(id)"
        return .response(response)
    }

    private func show(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        answer(try displays.display(reads, Self.id(request), of: user.userId))
    }

    /// The version leaves out when a screen was last seen, and what it reported.
    private func answer(_ display: Display) -> HandlerResult {
        let settings = "\(display.settings)"
        return .response(
            API.json(
                DisplayJSON(display, now: site.clock.now()),
                version: API.version(of: [display.name, settings])))
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await displays.display(Self.id(request), of: user.userId)
        let body = try request.body(DisplayChange.self)
        let settings = try body.changed(display.settings)
        try await check(settings.listId, of: display, user)
        _ = try settings.currency.map(services.watchlist.supportedCurrency)
        try await displays.change(
            display.id, of: user.userId, name: body.name ?? display.name, settings: settings)
        return answer(try await displays.display(display.id, of: user.userId))
    }

    /// Throws `RoostError.invalid` unless the list is the user's own. Accepts the saved list even if it was deleted.
    private func check(_ list: Int64?, of display: Display, _ user: User) async throws {
        guard let list, list != display.settings.listId else { return }
        let lists = try await site.database.read { try services.watchlist.lists($0, of: user.userId) }
        guard lists.contains(where: { $0.id == list }) else {
            throw RoostError.invalid(field: "list", why: "There is no such list.")
        }
    }

    private func link(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let display = try displays.display(reads, Self.id(request), of: user.userId)
        guard let token = try displays.token(reads, of: display.id, for: user.userId) else {
            throw RoostError.notFound("The link can’t be read. Make a new one.")
        }
        return .response(
            API.json(LinkJSON(address: site.link(to: "/display/\(token)", for: request).address)))
    }

    private func command(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await displays.display(Self.id(request), of: user.userId)
        try await displays.send(
            try request.body(CommandRequest.self).kind, to: display.id, of: user.userId)
        return .response(Response(status: 204))
    }

    private static func id(_ request: Request) throws -> DisplayID {
        try WatchlistAddress.number(request.parameters["id"], "display")
    }
}
