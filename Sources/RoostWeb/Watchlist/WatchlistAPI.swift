import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import TextFormats

/// The watchlist, the coin search and prices as JSON.
struct WatchlistAPI: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/api/v1/watchlist", list),
            guarded.member(.post, "/api/v1/watchlist", add),
            guarded.member(.patch, "/api/v1/watchlist", reorder),
            guarded.member(.delete, "/api/v1/watchlist/{coinId}", remove),
            guarded.member(.get, "/api/v1/coins", coins),
            guarded.member(.get, "/api/v1/prices", prices),
        ]
    }

    private struct AddRequest: Decodable {
        let coinId: String
        let list: String?
    }

    private struct OrderRequest: Decodable {
        let order: [String]
    }

    /// One request asks for so many prices at most: their ids fit into an address.
    private static let priceLimit = 100

    private var watchlist: WatchlistService { site.services.watchlist }

    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let sort = try request.query["sort"].map(WatchlistOrder.named)
        let currency = try request.query["currency"].map(watchlist.known)
        let list = try await watchlist.list(
            of: user.userId, try WatchlistAddress.list(request.query["list"]), sort: sort, currency: currency)
        return .response(API.json(WatchlistJSON(list)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.json(AddRequest.self, field: "coinId")
        let id = try WatchlistAddress.list(body.list)
        try await watchlist.add(body.coinId, to: user.userId, list: id)
        let list = try await watchlist.list(of: user.userId, id)
        guard let entry = list.entries.first(where: { $0.item.coinId == body.coinId }) else {
            throw WatchlistError.coinNotFound
        }
        var response = API.json(WatchlistItemJSON(entry, currency: list.currency), status: 201)
        let query = body.list.map { "?list=\(PercentEncoding.encode($0))" } ?? ""
        response.headers.append(
            ("Location", "/api/v1/watchlist/\(PercentEncoding.encode(body.coinId))\(query)"))
        return .response(response)
    }

    private func reorder(_ request: Request, _ user: User) async throws -> HandlerResult {
        let order = try request.json(OrderRequest.self, field: "order").order
        try await watchlist.reorder(
            order, for: user.userId, list: try WatchlistAddress.list(request.query["list"]))
        return try await list(request, user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await watchlist.remove(
            request.parameters["coinId"], from: user.userId,
            list: try WatchlistAddress.list(request.query["list"]))
        return .response(Response(status: 204))
    }

    private func coins(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let query = request.query["q"] else {
            throw RoostError.invalid(field: "q", why: "What is to be searched for is missing.")
        }
        let found = site.services.catalog.search(query)
        let items = found.coins.map {
            CoinJSON(id: $0.coin.id, symbol: $0.coin.shownSymbol, name: $0.coin.name, rank: $0.rank)
        }
        let missingList = site.services.catalog.missingList
        let message: String? =
            if let missingList { missingList.words } else if found.isAsking { "Asking CoinGecko too…" } else {
                items.isEmpty ? "No coin by that name, symbol or id." : nil
            }
        let isPending = found.isAsking || missingList != nil
        return .response(API.json(CoinsJSON(items: items, pending: isPending, message: message)))
    }

    private func prices(_ request: Request, _ user: User) async throws -> HandlerResult {
        let ids = (request.query["ids"] ?? "").splitBytes(at: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard (1...Self.priceLimit).contains(ids.count), ids.allSatisfy(WatchlistItem.isPossible) else {
            throw RoostError.invalid(
                field: "ids", why: "Name 1 to \(Self.priceLimit) coins by their ids, parted by commas.")
        }
        let known = ids.filter { site.services.catalog.coin(id: $0) != nil }
        site.services.prices.want(known)
        let snapshot = site.services.prices.snapshot
        let items = known.map { PriceJSON(id: $0, coin: site.services.catalog.coin(id: $0), snapshot) }
        return .response(API.json(API.List(items)))
    }
}
