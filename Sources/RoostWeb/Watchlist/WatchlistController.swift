import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import TextFormats

/// The watchlist as pages and forms.
struct WatchlistController: Sendable {
    private static let path = "/watchlist"

    /// The marks of coins that have alerts, by coin.
    typealias Bells = @Sendable (User, WebContext) async throws -> [String: RenderedView]

    let site: WebContext
    let bells: Bells

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            // Rendering asks for its prices: no page is kept for longer than a second.
            guarded.page("/watchlist", topics: { topics($1) + [Topic.coins] }, page),
            guarded.member(.get, "/watchlist/rows", rows),
            guarded.member(.get, "/watchlist/tile", tile),
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

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        let query = WatchlistQuery(request.query)
        let search = try await search(for: request.query["q"] ?? "", in: query.list, user)
        return site.rendered(try await view(request, user, query, search))
    }

    private func rows(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: topics(user), for: user)
        let list = try await list(of: user, WatchlistQuery(request.query))
        return .response(site.fragment(list.view, version: tag, for: request))
    }

    private func tile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: topics(user), for: user)
        return .response(site.fragment(try await tileView(user), version: tag, for: request))
    }

    private func coinList(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.coins], for: user)
        let view = CoinListView(site.services.catalog.missingList)
        return .response(site.fragment(view, version: tag, for: request))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let coinId = form["coinId"] ?? ""
        let list = WatchlistQuery(form).list
        do {
            try await site.services.watchlist.add(coinId, to: user.userId, list: list)
            let notice = try await addedNotice(coinId, list, user)
            // What was found stays in sight, so that more of it can be added.
            var page = Self.back(form)
            if let typed = form["q"], !typed.isBlank {
                page += (page.containsBytes("?") ? "&" : "?") + "q=\(PercentEncoding.encode(typed))"
            }
            return site.redirect(to: page, showing: notice, to: user)
        } catch {
            let failure = Failure(error)
            // A page that has no search box says so itself.
            let isOwnPage = form[ReturnURL.field] == nil
            guard isOwnPage, error is WatchlistError || failure.field != nil else { throw error }
            let typed = form["q"] ?? coinId
            let found = try await search(for: typed, in: list, user)
            let search = CoinSearchView(
                query: typed, results: found.results, missingList: site.services.catalog.missingList,
                error: failure.message, listId: list)
            let view = try await view(request, user, WatchlistQuery(list: list), search)
            return .response(site.html(view, status: failure.status))
        }
    }

    private func sort(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let sort = try WatchlistOrder.named(form["sort"] ?? "")
        try await site.services.watchlist.choose(sort, for: user.userId, list: WatchlistQuery(form).list)
        return site.answer(request, page: Self.back(form), to: user)
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let currency = try await site.services.watchlist.currency(of: user.userId)
        switch site.services.prices.retry(in: currency) {
        case .started: return site.answer(request, page: Self.path, to: user)
        case .mustWait:
            return site.answer(request, page: Self.path, showing: waitNotice(currency), to: user)
        }
    }

    private func refreshCoinList(_ request: Request, _ user: User) async throws -> HandlerResult {
        switch site.services.catalog.retry() {
        case .started: return site.answer(request, page: Self.path, to: user)
        case .mustWait: return site.answer(request, page: Self.path, showing: coinListNotice, to: user)
        }
    }

    private func move(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        guard let direction = WatchlistService.Direction(rawValue: form["direction"] ?? "") else {
            throw RoostError.invalid(field: "direction", why: "A coin moves up or down.")
        }
        try await site.services.watchlist.move(
            request.parameters["coinId"], direction, for: user.userId, list: WatchlistQuery(form).list)
        return site.answer(request, page: Self.back(form), to: user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coinId = request.parameters["coinId"]
        let (form, list) = try Self.named(in: request)
        try await site.services.watchlist.remove(coinId, from: user.userId, list: list)
        return site.answer(
            request, page: Self.back(form, list), showing: removedNotice(coinId, list), gone: coinId,
            to: user)
    }

    private func undo(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (form, list) = try Self.named(in: request)
        try await site.services.watchlist.undoRemove(
            request.parameters["coinId"], for: user.userId, list: list)
        return site.answer(request, page: Self.back(form, list), to: user)
    }

    /// The list that a form names, or the address that it is sent to, as that of "Undo" does.
    private static func named(in request: Request) throws -> (form: Form, list: WatchlistID?) {
        let form = try request.form()
        return (form, WatchlistQuery(form).list ?? WatchlistQuery(request.query).list)
    }

    /// The page to go back to: the one that the form names, or the list that it is about.
    private static func back(_ form: Form, _ list: WatchlistID? = nil) -> String {
        let own = WatchlistQuery(list: WatchlistQuery(form).list ?? list).address
        return ReturnURL(form[ReturnURL.field], else: own).address
    }
}

/// How the watchlist's views are filled.
extension WatchlistController {
    /// Of the user's lists; their currency is only known on the disk.
    func topics(_ user: User) -> [String] {
        [
            Topic.allPrices, Topic.watchlist(user.userId), Topic.pictures, Topic.alerts(user.userId),
        ]
    }

    func tileView(_ user: User) async throws -> WatchlistTileView {
        let list = try await site.services.watchlist.list(
            of: user.userId, first: WatchlistTileView.limit)
        let rows = list.entries.prefix(WatchlistTileView.limit).map {
            WatchlistRow($0, in: list, logo: logo(of: $0))
        }
        return WatchlistTileView(
            rows: rows, count: list.count, freshness: freshness(of: list),
            redIsUp: list.choices.redIsUp, priceTopic: site.services.prices.topic(in: list.currency))
    }

    private func list(
        of user: User, _ query: WatchlistQuery
    ) async throws -> (view: WatchlistRowsView, currency: String) {
        let list = try await site.services.watchlist.list(of: user.userId, query.list)
        let places = ColumnPlace.places(of: list.choices.columns, sort: list.sort.option)
        let entries = list.entries.filter { query.category == nil || $0.note.category == query.category }
        let isMyOrder = list.sort == .mine && query.category == nil && !query.isGrouped
        let last = entries.count - 1
        let bells = try await bells(user, site)
        let rows = entries.enumerated().map { place, entry in
            WatchlistRow(
                entry, in: list, places: places, logo: logo(of: entry), isFirst: place == 0,
                isLast: place == last, isMyOrder: isMyOrder, bell: bells[entry.item.coinId])
        }
        let view = WatchlistRowsView(
            freshness: freshness(of: list), sort: list.sort, rows: rows, query: query,
            choices: list.choices, lists: list.lists, current: list.list.id,
            categories: Self.categories(of: list), totals: list.totals, currency: list.currency)
        return (view, list.currency)
    }

    /// The categories of a list's coins by name, with their numbers of coins.
    private static func categories(of list: WatchlistService.List) -> [(name: String, count: Int)] {
        let named = list.entries.map(\.note.category).filter { !$0.isEmpty }
        return Dictionary(grouping: named) { $0 }.map { ($0.key, $0.value.count) }
            .sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    }

    private func logo(of entry: WatchlistEntry) -> String? {
        entry.quote.flatMap { site.services.logos.logo(of: $0) }
    }

    private func freshness(of list: WatchlistService.List) -> FreshnessView {
        FreshnessView(list.prices, isEmpty: list.entries.isEmpty, retry: "/watchlist/refresh")
    }

    private func view(
        _ request: Request, _ user: User, _ query: WatchlistQuery, _ search: CoinSearchView
    ) async throws -> WatchlistView {
        let layout = try await site.layout(for: user, request, place: "/watchlist")
        let list = try await list(of: user, query)
        return WatchlistView(
            layout: layout, list: list.view, search: search, warning: site.services.prices.warning,
            priceTopic: site.services.prices.topic(in: list.currency))
    }

    private func search(
        for query: String, in list: WatchlistID?, _ user: User
    ) async throws -> CoinSearchView {
        let catalog = site.services.catalog
        guard !query.isEmpty else {
            return CoinSearchView(missingList: catalog.missingList, listId: list)
        }
        let found = catalog.search(query)
        let listed = try await site.services.watchlist.coinIds(of: user.userId, list: list)
        let results = found.coins.map { ranked in
            CoinResult(
                coinId: ranked.coin.id, name: ranked.coin.name, symbol: ranked.coin.shownSymbol,
                rank: ranked.rank,
                isListed: listed.contains(ranked.coin.id))
        }
        return CoinSearchView(
            query: query, results: results, isAsking: found.isAsking, missingList: catalog.missingList,
            listId: list)
    }

    /// Says where the coin stands now, and takes it away again.
    private func addedNotice(
        _ coinId: String, _ id: WatchlistID?, _ user: User
    ) async throws -> NoticeView? {
        let list = try await site.services.watchlist.list(of: user.userId, id)
        guard let place = list.entries.firstIndex(where: { $0.item.coinId == coinId }) else { return nil }
        let name = list.lists.count < 2 ? "your watchlist" : "“\(list.list.name)”"
        let row = list.entries.count < 2 ? "" : ", row \(place + 1) of \(list.entries.count)"
        return NoticeView(
            text: "\(list.entries[place].name) is in \(name) now\(row).",
            undo: "/watchlist/\(PathSegment(coinId))/remove" + WatchlistQuery(list: id).text)
    }

    private func removedNotice(_ coinId: String, _ list: WatchlistID?) -> NoticeView {
        let name = site.services.catalog.coin(id: coinId)?.name ?? coinId
        return NoticeView(
            text: "\(name) was removed from your watchlist.",
            undo: "/watchlist/\(PathSegment(coinId))/undo" + WatchlistQuery(list: list).text)
    }

    private var coinListNotice: NoticeView? {
        site.services.catalog.missingList?.reason.map { NoticeView(text: $0, isTrouble: true) }
    }

    private func waitNotice(_ currency: String) -> NoticeView? {
        let status = site.services.prices.snapshot(in: currency).status
        let reason = status.usedUpReason ?? status.error?.message(source: PriceRefresher.source)
        return reason.map { NoticeView(text: $0, isTrouble: true) }
    }
}
