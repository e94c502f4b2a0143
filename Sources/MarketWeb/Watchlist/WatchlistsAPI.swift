import Accounts
import HTTPServer
import Market
import RoostSupport
import RoostWeb
import TextFormats

/// A user's lists as JSON, and their coins as CSV files.
struct WatchlistsAPI: Sendable {
    private static let path = "/api/v1/watchlists"

    let site: WebContext
    let services: MarketServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(
                .get, Self.path, query: Request.paging,
                api: .lists(ListJSON.self, "Your lists in their order."), lists),
            guarded.member(
                .post, Self.path,
                api: .makes(ListJSON.self, "Adds an empty list.").taking(
                    AddRequest.self, Self.limits),
                add),
            guarded.member(.get, Self.path + "/{id}", api: .answers(ListJSON.self, "One list.")) {
                reads, request, user in
                .response(API.json(ListJSON(try find(reads, request, user))))
            },
            guarded.member(
                .patch, Self.path + "/{id}",
                api: .answers(ListJSON.self, "Changes or moves a list.").taking(
                    EditRequest.self, Self.limits), edit),
            guarded.member(
                .delete, Self.path + "/{id}", api: .does("Removes a list with its coins."), remove),
            guarded.member(
                .get, "/api/v1/watchlist/export",
                query: [.choice("what", WatchlistFiles.Content.self), "list"],
                api: .files(["text/csv"], "The coins of a list or your holdings as a CSV file."), export),
            guarded.member(
                .post, "/api/v1/watchlist/import", bodyLimit: WatchlistFiles.rules.uploadLimit,
                api: .answers(ImportReportJSON.self, "Imports a CSV file.").takingForm([
                    .choice("what", WatchlistFiles.Content.self), "list",
                ]), importFile),
        ]
    }

    private static let limits: KeyValuePairs<String, APILimit> = [
        "name": .text(1...WatchlistService.maximumListName)
    ]

    private struct AddRequest: Decodable {
        let name: String
    }

    /// Missing fields stay unchanged.
    private struct EditRequest: Decodable {
        let name: String?
        let sort: String?
        let move: String?
        let showsTotals: Bool?
    }

    private var watchlist: WatchlistService { services.watchlist }

    private func lists(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let page = try request.items(of: try watchlist.lists(reads, of: user.userId)) { "\($0.id)" }
        return .response(API.json(try Page(page.items.map(ListJSON.init), next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try request.body(AddRequest.self).name
        let list = try await watchlist.addList(name: name, for: user.userId)
        var response = API.json(ListJSON(list), status: 201)
        response["Location"] = "\(Self.path)/\(list.id)"
        return .response(response)
    }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try await find(request, user).id
        let body = try request.body(EditRequest.self)
        let sort = try body.sort.map(WatchlistOrder.named)
        let direction = try body.move.map(WatchlistAddress.direction)
        if let name = body.name { try await watchlist.renameList(id, to: name, for: user.userId) }
        if let sort { try await watchlist.choose(sort, for: user.userId, list: id) }
        if let shows = body.showsTotals { try await watchlist.showTotals(shows, of: id, for: user.userId) }
        if let direction { try await watchlist.moveList(id, direction, for: user.userId) }
        return .response(API.json(ListJSON(try await find(request, user))))
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await watchlist.removeList(try await find(request, user).id, of: user.userId)
        return .response(Response(status: 204))
    }

    private func export(_ request: Request, _ user: User) async throws -> HandlerResult {
        let content = try WatchlistAddress.content(request.query["what"])
        let bytes = try await services.watchlistFiles.export(
            content, of: user.userId, list: try WatchlistAddress.list(request.query["list"]))
        let day = ISO8601.seconds(site.clock.now()).prefix(10)
        return .response(.csv(bytes, named: "roost-\(content.rawValue)-\(day).csv"))
    }

    /// Takes a form with `file`, and with `what` and `list` as in `export`.
    private func importFile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let file = try form.importFile("“file” is missing.")
        let report = try await services.watchlistFiles.read(
            file.bytes, as: try WatchlistAddress.content(form["what"]), for: user.userId,
            list: try WatchlistAddress.list(form["list"]))
        return .response(API.json(ImportReportJSON(report)))
    }

    private func find(_ request: Request, _ user: User) async throws -> Watchlist {
        try await site.database.read { try find($0, request, user) }
    }

    private func find(_ reads: Reads, _ request: Request, _ user: User) throws -> Watchlist {
        guard let id = try WatchlistAddress.list(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such list.")
        }
        return try watchlist.list(reads, id, of: user.userId)
    }

    private struct ListJSON: Codable {
        let id, name: String
        let place: Int
        let sort: String
        let showsTotals: Bool

        init(_ list: Watchlist) {
            (id, name, place) = ("\(list.id)", list.name, list.position)
            (sort, showsTotals) = (list.sort.rawValue, list.showsTotals)
        }
    }
}

enum WatchlistAddress {
    /// Returns nil for empty text, which means the first list. Throws `RoostError.notFound`.
    static func list(_ text: String?) throws -> WatchlistID? {
        guard let text, !text.isEmpty else { return nil }
        return try number(text, "list")
    }

    /// Throws `RoostError.notFound`.
    static func number(_ text: String, _ what: String) throws -> Int64 {
        guard let number = Int64(text), number > 0 else {
            throw RoostError.notFound("There is no such \(what).")
        }
        return number
    }

    /// Throws `RoostError.invalid(field: "what")`.
    static func content(_ text: String?) throws -> WatchlistFiles.Content {
        guard let content = WatchlistFiles.Content(rawValue: text ?? "list") else {
            throw RoostError.invalid(field: "what", why: "“what” must be “list” or “holdings”.")
        }
        return content
    }

    /// Throws `RoostError.invalid(field: "move")`.
    static func direction(_ text: String) throws -> WatchlistService.Direction {
        guard let direction = WatchlistService.Direction(rawValue: text) else {
            throw RoostError.invalid(field: "move", why: "“move” must be “up” or “down”.")
        }
        return direction
    }
}
