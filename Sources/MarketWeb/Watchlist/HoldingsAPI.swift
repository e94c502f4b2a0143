import Accounts
import HTTPServer
import Market
import RoostSupport
import RoostWeb

struct HoldingsAPI: Sendable {
    private static let path = "/api/v1/holdings"

    let site: WebContext
    let services: MarketServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(
                .get, "/api/v1/coins/{coinId}/note", api: .answers(NoteJSON.self, "Your note on a coin."),
                note),
            guarded.member(
                .put, "/api/v1/coins/{coinId}/note",
                api: .answers(NoteJSON.self, "Writes your note on a coin.").taking(
                    NoteRequest.self,
                    [
                        "note": .text(atMost: CoinNote.maximumNote),
                        "category": .text(atMost: CoinNote.maximumCategory),
                    ]), setNote),
            guarded.member(
                .get, Self.path, query: ["coin"] + Request.paging,
                api: .lists(HoldingJSON.self, "Your holdings, or those of a coin."), holdings),
            guarded.member(
                .post, Self.path,
                api: .makes(HoldingJSON.self, "Adds a holding.").taking(
                    AddRequest.self, Self.limits),
                add),
            guarded.member(.get, Self.path + "/{id}", api: .answers(HoldingJSON.self, "One holding.")) {
                reads, request, user in
                .response(API.json(HoldingJSON(try find(reads, request, user))))
            },
            guarded.member(
                .patch, Self.path + "/{id}",
                api: .answers(HoldingJSON.self, "Changes a holding, except for its coin.").taking(
                    EditRequest.self, Self.limits), edit),
            guarded.member(.delete, Self.path + "/{id}", api: .does("Removes a holding."), remove),
        ]
    }

    /// Missing fields are set to "".
    private struct NoteRequest: Decodable {
        let note, category: String?
    }

    private static let limits: KeyValuePairs<String, APILimit> = [
        "note": .text(atMost: NewHolding.maximumNote)
    ]

    private struct AddRequest: Decodable {
        let coinId, amount: String
        let price, currency, boughtOn, note: String?
    }

    /// Missing fields stay unchanged; "" clears a field.
    private struct EditRequest: Decodable {
        let amount, price, currency, boughtOn, note: String?
    }

    private var watchlist: WatchlistService { services.watchlist }

    private func note(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = request.parameters["coinId"]
        try await watchlist.checkCoin(coin, of: user.userId)
        let note = try await site.database.read { try watchlist.note($0, of: user.userId, coin: coin) }
        return .response(API.json(NoteJSON(coin, note)))
    }

    private func setNote(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = request.parameters["coinId"]
        let body = try request.body(NoteRequest.self)
        let note = try CoinNote(note: body.note ?? "", category: body.category ?? "")
        try await watchlist.setNote(note, of: coin, for: user.userId)
        return .response(API.json(NoteJSON(coin, note)))
    }

    private func holdings(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let holdings = try watchlist.holdings(reads, of: user.userId, coin: request.query["coin"])
        let page = try request.items(of: holdings) { "\($0.id)" }
        return .response(API.json(try Page(page.items.map(HoldingJSON.init), next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(AddRequest.self)
        let holding = try await watchlist.addHolding(
            NewHolding(
                coinId: body.coinId, amountText: body.amount, priceText: body.price, currency: body.currency,
                boughtOn: body.boughtOn, note: body.note),
            for: user.userId)
        var response = API.json(HoldingJSON(holding), status: 201)
        response["Location"] = "\(Self.path)/\(holding.id)"
        return .response(response)
    }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let holding = try await find(request, user)
        let body = try request.body(EditRequest.self)
        let edited = try await watchlist.editHolding(
            holding.id,
            to: NewHolding(
                coinId: holding.coinId, amountText: body.amount ?? holding.amount.plainText,
                priceText: body.price ?? holding.price?.plainText,
                currency: body.currency ?? holding.currency, boughtOn: body.boughtOn ?? holding.boughtOn,
                note: body.note ?? holding.note),
            for: user.userId)
        return .response(API.json(HoldingJSON(edited)))
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await watchlist.removeHolding(try await find(request, user).id, of: user.userId)
        return .response(Response(status: 204))
    }

    private func find(_ request: Request, _ user: User) async throws -> Holding {
        try await site.database.read { try find($0, request, user) }
    }

    private func find(_ reads: Reads, _ request: Request, _ user: User) throws -> Holding {
        try watchlist.holding(
            reads, WatchlistAddress.number(request.parameters["id"], "holding"), of: user.userId)
    }

    private struct NoteJSON: Codable {
        let coinId, note, category: String

        init(_ coinId: String, _ note: CoinNote) {
            (self.coinId, self.note, category) = (coinId, note.note, note.category)
        }
    }

    private struct HoldingJSON: Codable {
        let id, coinId, amount: String
        let price, currency, boughtOn: API.Nullable<String>
        let note: String

        init(_ holding: Holding) {
            (id, coinId, amount) = ("\(holding.id)", holding.coinId, holding.amount.plainText)
            price = API.Nullable(holding.price?.plainText)
            currency = API.Nullable(holding.currency)
            boughtOn = API.Nullable(holding.boughtOn)
            note = holding.note
        }
    }
}
