import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import RoostWeb
import TextFormats

struct WatchlistController: Sendable {
    private static let path = "/watchlist"

    let site: WebContext
    let services: MarketServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            // No `refresh:` here: rendering requests prices itself, and a rendered page is reused for at most a second.
            guarded.page("/watchlist", topics: { topics($1) + [Topic.coins] }, page),
            guarded.fragment("/watchlist/rows", topics: { topics($1) }) {
                try list($0, of: $2, WatchlistQuery($1.query)).view
            },
            guarded.tile(WatchlistTileView.kind, topics: topics, tileView),
            guarded.member(.get, "/watchlist/coins", coinList),
            guarded.member(.post, "/watchlist", add),
            guarded.member(.post, "/watchlist/sort", sort),
            guarded.member(.post, "/watchlist/refresh", refresh),
            guarded.member(.post, "/watchlist/coins/refresh", refreshCoinList),
            guarded.member(.post, "/watchlist/{coinId}/move", move),
            guarded.member(.post, "/watchlist/{coinId}/remove", remove),
            guarded.member(.post, "/watchlist/{coinId}/undo", undo),
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> WatchlistView {
        let query = WatchlistQuery(request.query)
        let search = try search(reads, for: request.query["q"] ?? "", in: query.list, user)
        return try view(reads, request, user, query, search)
    }

    private func coinList(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.coins], for: user)
        let view = CoinListView(services.catalog.missingList)
        return .response(site.fragment(view, version: tag, for: request))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let coinId = form["coinId"] ?? ""
        let list = WatchlistQuery(form).list
        do {
            try await services.watchlist.add(coinId, to: user.userId, list: list)
            let notice = try await site.database.read { try addedNotice($0, coinId, list, user) }
            // Keep the search results, so that more of them can be added.
            var page = Self.back(form)
            if let typed = form["q"], !typed.isBlank {
                page += (page.containsBytes("?") ? "&" : "?") + "q=\(PercentEncoding.encode(typed))"
            }
            return site.redirect(to: page, showing: notice, to: user)
        } catch  where form[ReturnURL.field] == nil {
            // Pages without the search box show the error themselves.
            let refused = try FormError(error, about: "coinId")
            let typed = form["q"] ?? coinId
            return refused.answer(
                try await site.html { reads in
                    let search = CoinSearchView(
                        query: typed, results: try search(reads, for: typed, in: list, user).results,
                        missingList: services.catalog.missingList, error: refused.message, listId: list)
                    return try view(reads, request, user, WatchlistQuery(list: list), search)
                })
        }
    }

    private func sort(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let sort = try WatchlistOrder.named(form["sort"] ?? "")
        try await services.watchlist.choose(sort, for: user.userId, list: WatchlistQuery(form).list)
        return site.answer(request, page: Self.back(form), to: user)
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let currency = try await services.watchlist.currency(of: user.userId)
        switch services.prices.retry(in: currency) {
        case .started: return site.answer(request, page: Self.path, to: user)
        case .mustWait:
            return site.answer(request, page: Self.path, showing: waitNotice(currency), to: user)
        }
    }

    private func refreshCoinList(_ request: Request, _ user: User) async throws -> HandlerResult {
        switch services.catalog.retry() {
        case .started: return site.answer(request, page: Self.path, to: user)
        case .mustWait: return site.answer(request, page: Self.path, showing: coinListNotice, to: user)
        }
    }

    private func move(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        guard let direction = WatchlistService.Direction(rawValue: form["direction"] ?? "") else {
            throw RoostError.invalid(field: "direction", why: "A coin moves up or down.")
        }
        try await services.watchlist.move(
            request.parameters["coinId"], direction, for: user.userId, list: WatchlistQuery(form).list)
        return site.answer(request, page: Self.back(form), to: user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coinId = request.parameters["coinId"]
        let (form, list) = try Self.named(in: request)
        try await services.watchlist.remove(coinId, from: user.userId, list: list)
        return site.answer(
            request, page: Self.back(form, list), showing: removedNotice(coinId, list), removed: coinId,
            to: user)
    }

    private func undo(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (form, list) = try Self.named(in: request)
        try await services.watchlist.undoRemove(
            request.parameters["coinId"], for: user.userId, list: list)
        return site.answer(request, page: Self.back(form, list), to: user)
    }

    /// Reads the list from the form, or from the query that the "Undo" form posts to.
    private static func named(in request: Request) throws -> (form: Form, list: WatchlistID?) {
        let form = try request.form()
        return (form, WatchlistQuery(form).list ?? WatchlistQuery(request.query).list)
    }

    private static func back(_ form: Form, _ list: WatchlistID? = nil) -> String {
        let own = WatchlistQuery(list: WatchlistQuery(form).list ?? list).address
        return ReturnURL(form[ReturnURL.field], else: own).address
    }
}

extension WatchlistController {
    /// Follows all currencies, because the user's own is known only after a database query.
    func topics(_ user: User) -> [String] {
        [
            Topic.allPrices, Topic.watchlist(user.userId), Topic.pictures, Topic.alerts(user.userId),
        ]
    }

    func tileView(_ reads: Reads, _ user: User, _ scope: TileScope) throws -> WatchlistTileView {
        let list = try services.watchlist.list(reads, of: user.userId, first: scope.rows)
        let entries = Array(list.entries.prefix(scope.rows))
        let context = WatchlistRow.ListContext(
            prices: list.prices, count: entries.count, logo: services.logos.logo)
        let rows = entries.indices.map { WatchlistRow(entries[$0], at: $0, in: context) }
        return WatchlistTileView(
            rows: rows, count: list.count, freshness: freshness(of: list),
            redIsUp: list.preferences.redIsUp, priceTopic: services.prices.topic(in: list.currency),
            limit: scope.rows, sentence: CoinMove.largest(of: entries)?.text)
    }

    private func list(
        _ reads: Reads, of user: User, _ query: WatchlistQuery
    ) throws -> (view: WatchlistRowsView, currency: String) {
        let list = try services.watchlist.list(reads, of: user.userId, query.list)
        let columns = ColumnVisibility.visibilities(of: list.preferences.columns, sort: list.sort.option)
        let entries =
            query.category.map { category in list.entries.filter { $0.note.category == category } }
            ?? list.entries
        let isMyOrder = list.sort == .mine && query.category == nil && !query.isGrouped
        let context = WatchlistRow.ListContext(
            prices: list.prices, count: entries.count, columns: columns, isMyOrder: isMyOrder,
            bells: try AlertsController(site: site, services: services).bells(reads, user),
            logo: services.logos.logo)
        let rows = entries.indices.map { WatchlistRow(entries[$0], at: $0, in: context) }
        let view = WatchlistRowsView(
            freshness: freshness(of: list), sort: list.sort, rows: rows, query: query,
            preferences: list.preferences, lists: list.lists, current: list.list.id,
            categories: Self.categories(of: list), totals: list.totals, currency: list.currency)
        return (view, list.currency)
    }

    /// Sorted by name.
    private static func categories(of list: WatchlistService.List) -> [(name: String, count: Int)] {
        let named = list.entries.map(\.note.category).filter { !$0.isEmpty }
        return Dictionary(grouping: named) { $0 }.map { ($0.key, $0.value.count) }
            .sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    }

    private func freshness(of list: WatchlistService.List) -> FreshnessView {
        FreshnessView(list.prices, isEmpty: list.entries.isEmpty, retry: "/watchlist/refresh")
    }

    private func view(
        _ reads: Reads, _ request: Request, _ user: User, _ query: WatchlistQuery, _ search: CoinSearchView
    ) throws -> WatchlistView {
        let layout = try site.layout(reads, for: user, request, currentEntry: "/watchlist")
        let list = try list(reads, of: user, query)
        return WatchlistView(
            layout: layout, list: list.view, search: search, warning: services.prices.warning,
            priceTopic: services.prices.topic(in: list.currency))
    }

    private func search(
        _ reads: Reads, for query: String, in list: WatchlistID?, _ user: User
    ) throws -> CoinSearchView {
        let catalog = services.catalog
        guard !query.isEmpty else {
            return CoinSearchView(missingList: catalog.missingList, listId: list)
        }
        let found = catalog.search(query)
        let listed = try services.watchlist.coinIds(reads, of: user.userId, list: list)
        let results = found.coins.map { ranked in
            CoinResult(
                coinId: ranked.coin.id, name: ranked.coin.name, symbol: ranked.coin.shownSymbol,
                rank: ranked.rank,
                isListed: listed.contains(ranked.coin.id))
        }
        return CoinSearchView(
            query: query, results: results, isPending: found.isPending, missingList: catalog.missingList,
            listId: list)
    }

    private func addedNotice(
        _ reads: Reads, _ coinId: String, _ id: WatchlistID?, _ user: User
    ) throws -> NoticeView? {
        let list = try services.watchlist.list(reads, of: user.userId, id)
        guard let index = list.entries.firstIndex(where: { $0.item.coinId == coinId }) else { return nil }
        let name = list.lists.count < 2 ? "your watchlist" : "“\(list.list.name)”"
        let row = list.entries.count < 2 ? "" : ", row \(index + 1) of \(list.entries.count)"
        return NoticeView(
            text: "\(list.entries[index].name) was added to \(name)\(row).",
            undo: "/watchlist/\(PathSegment(coinId))/remove" + WatchlistQuery(list: id).text)
    }

    private func removedNotice(_ coinId: String, _ list: WatchlistID?) -> NoticeView {
        let name = services.catalog.coin(id: coinId)?.name ?? coinId
        return NoticeView(
            text: "\(name) was removed from your watchlist.",
            undo: "/watchlist/\(PathSegment(coinId))/undo" + WatchlistQuery(list: list).text)
    }

    private var coinListNotice: NoticeView? {
        services.catalog.missingList?.reason.map { NoticeView(text: $0, isProblem: true) }
    }

    private func waitNotice(_ currency: String) -> NoticeView? {
        let status = services.prices.snapshot(in: currency).status
        let reason = status.usedUpReason ?? status.error?.message(source: PriceRefresher.source)
        return reason.map { NoticeView(text: $0, isProblem: true) }
    }
}
