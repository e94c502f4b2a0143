import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import RoostWeb
import TextFormats

struct WatchlistAPI: Sendable {
    let site: WebContext
    let services: MarketServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(
                .get, "/api/v1/watchlist",
                query: ["list", .choice("sort", Self.orders), "currency"] + Request.paging,
                api: .answers(WatchlistJSON.self, "A list with prices."),
                list),
            guarded.member(
                .post, "/api/v1/watchlist",
                api: .makes(WatchlistItemJSON.self, "Adds a coin.").taking(
                    AddRequest.self, ["coinId": .text(1...WatchlistItem.maximumCoinId)]), add),
            guarded.member(
                .patch, "/api/v1/watchlist", query: ["list"],
                api: .answers(WatchlistJSON.self, "Sets your own order.").taking(OrderRequest.self), reorder),
            guarded.member(
                .get, "/api/v1/watchlist/{coinId}", query: ["list"],
                api: .answers(WatchlistItemJSON.self, "One coin of the list."), show),
            guarded.member(
                .delete, "/api/v1/watchlist/{coinId}", query: ["list"], api: .does("Removes a coin."), remove),
            guarded.member(
                .get, "/api/v1/coins", query: [APIParameter("q").required],
                api: .answers(CoinsJSON.self, "Searches all coins."), coins),
            guarded.member(
                .get, "/api/v1/prices", query: [APIParameter.texts("ids").required],
                api: .lists(PriceJSON.self, "Prices of 1 to 100 coins."), prices),
        ]
    }

    private static let orders = SortOption.allCases.flatMap { [$0.rawValue, "-" + $0.rawValue] }

    private struct AddRequest: Decodable {
        let coinId: String
        let list: String?
    }

    private struct OrderRequest: Decodable {
        let order: [String]
    }

    /// The most prices in one request; their ids fit into a URL.
    private static let priceLimit = 100

    private var watchlist: WatchlistService { services.watchlist }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let sort = try request.query["sort"].map(WatchlistOrder.named)
        let currency = try request.query["currency"].map(watchlist.supportedCurrency)
        let list = try watchlist.list(
            reads, of: user.userId, try WatchlistAddress.list(request.query["list"]), sort: sort,
            currency: currency)
        let page = try request.items(of: list.entries, id: \.item.coinId)
        let items = list.entries.map(\.item).sorted { $0.sortOrder < $1.sortOrder }
        return .response(
            API.json(try WatchlistJSON(list, page), version: API.version(of: items.map(\.coinId))))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(AddRequest.self)
        let id = try WatchlistAddress.list(body.list)
        try await watchlist.add(body.coinId, to: user.userId, list: id)
        let added = try await site.database.read { try item($0, body.coinId, of: user, list: id) }
        var response = API.json(added, status: 201)
        let query = body.list.map { "?list=\(PercentEncoding.encode($0))" } ?? ""
        response.headers.append(
            ("Location", "/api/v1/watchlist/\(PercentEncoding.encode(body.coinId))\(query)"))
        return .response(response)
    }

    private func show(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let list = try WatchlistAddress.list(request.query["list"])
        let coin = request.parameters["coinId"]
        return .response(
            API.json(try item(reads, coin, of: user, list: list), version: API.version(of: [coin])))
    }

    private func item(
        _ reads: Reads, _ coinID: String, of user: User, list id: WatchlistID?
    ) throws -> WatchlistItemJSON {
        let list = try watchlist.list(reads, of: user.userId, id)
        guard let entry = list.entries.first(where: { $0.item.coinId == coinID }) else {
            throw WatchlistError.coinNotFound
        }
        return WatchlistItemJSON(entry, currency: list.currency)
    }

    private func reorder(_ request: Request, _ user: User) async throws -> HandlerResult {
        let order = try request.body(OrderRequest.self).order
        try await watchlist.reorder(
            order, for: user.userId, list: try WatchlistAddress.list(request.query["list"]))
        return try await site.database.read { try list($0, request, user) }
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await watchlist.remove(
            request.parameters["coinId"], from: user.userId,
            list: try WatchlistAddress.list(request.query["list"]))
        return .response(Response(status: 204))
    }

    private func coins(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let query = request.query["q"] else {
            throw RoostError.invalid(field: "q", why: "Enter a name, symbol or id to search for.")
        }
        let found = services.catalog.search(query)
        let items = found.coins.map {
            CoinJSON(id: $0.coin.id, symbol: $0.coin.shownSymbol, name: $0.coin.name, rank: $0.rank)
        }
        let missingList = services.catalog.missingList
        let message: String? =
            if let missingList { missingList.message } else if found.isPending {
                "Asking CoinGecko too…"
            } else {
                items.isEmpty ? "No coin has that name, symbol or id." : nil
            }
        let isPending = found.isPending || missingList != nil
        return .response(API.json(CoinsJSON(items: items, pending: isPending, message: message)))
    }

    private func prices(_ request: Request, _ user: User) async throws -> HandlerResult {
        let ids = (request.query["ids"] ?? "").splitBytes(at: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard (1...Self.priceLimit).contains(ids.count), ids.allSatisfy(WatchlistItem.isPossible) else {
            throw RoostError.invalid(
                field: "ids", why: "Give 1 to \(Self.priceLimit) coin ids, separated by commas.")
        }
        let listedIDs = ids.filter { services.catalog.coin(id: $0) != nil }
        services.prices.watch(listedIDs)
        let snapshot = services.prices.snapshot
        let items = listedIDs.map { PriceJSON(id: $0, coin: services.catalog.coin(id: $0), snapshot) }
        return .response(API.json(Page(items)))
    }
}
