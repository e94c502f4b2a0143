import Foundation
import HTTPServer
import RoostServices

/// The watchlist as pages and forms.
struct WatchlistController: Sendable {
    private static let path = "/watchlist"

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page(
                "/watchlist", topics: { topics($0) + [Topic.coins] },
                want: { _ in site.services.prices.want() }, page),
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
        let search = await search(for: request.query["q"] ?? "", user)
        let rows = try await rowsView(user)
        return site.rendered(try await view(request, user, rows, search))
    }

    private func rows(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: topics(user), for: user)
        return .response(site.fragment(try await rowsView(user), version: tag, for: request))
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
        do {
            try await site.services.watchlist.add(coinId, to: user.userId)
            // The whole page: what was typed and what was said against it goes.
            let notice = site.services.catalog.coin(id: coinId).map {
                NoticeView(text: "\($0.name) is in your watchlist now.")
            }
            return site.redirect(to: Self.path, showing: notice, to: user)
        } catch {
            let failure = Failure(error)
            guard error is WatchlistError || failure.field != nil else { throw error }
            let typed = form["q"] ?? coinId
            var search = await search(for: typed, user)
            search = CoinSearchView(
                query: typed, results: search.results, missingList: site.services.catalog.missingList,
                error: failure.message)
            let view = try await view(request, user, rowsView(user), search)
            return .response(site.html(view, status: failure.status))
        }
    }

    private func sort(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let sort = SortOption(rawValue: try request.form()["sort"] ?? "") else {
            throw RoostError.invalid(
                field: "sort", why: "A watchlist is sorted by mine, name, price or change.")
        }
        try await site.services.watchlist.choose(sort, for: user.userId)
        return site.answer(request, page: Self.path, to: user)
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        switch site.services.prices.retry() {
        case .started: return site.answer(request, page: Self.path, to: user)
        case .mustWait: return site.answer(request, page: Self.path, showing: waitNotice, to: user)
        }
    }

    private func refreshCoinList(_ request: Request, _ user: User) async throws -> HandlerResult {
        switch site.services.catalog.retry() {
        case .started: return site.answer(request, page: Self.path, to: user)
        case .mustWait: return site.answer(request, page: Self.path, showing: coinListNotice, to: user)
        }
    }

    private func move(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let direction = WatchlistService.Direction(rawValue: try request.form()["direction"] ?? "")
        else {
            throw RoostError.invalid(field: "direction", why: "A coin moves up or down.")
        }
        try await site.services.watchlist.move(request.parameters["coinId"], direction, for: user.userId)
        return site.answer(request, page: Self.path, to: user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coinId = request.parameters["coinId"]
        try await site.services.watchlist.remove(coinId, from: user.userId)
        return site.answer(
            request, page: Self.path, showing: removedNotice(coinId), gone: coinId, to: user)
    }

    private func undo(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await site.services.watchlist.undoRemove(request.parameters["coinId"], for: user.userId)
        return site.answer(request, page: Self.path, to: user)
    }
}

/// How the watchlist's views are filled.
extension WatchlistController {
    func topics(_ user: User) -> [String] { [Topic.prices, Topic.watchlist(user.userId)] }

    func tileView(_ user: User) async throws -> WatchlistTileView {
        let list = try await site.services.watchlist.list(of: user.userId)
        return WatchlistTileView(
            rows: WatchlistRow.rows(
                of: list, currency: site.services.currency, limit: WatchlistTileView.limit),
            count: list.entries.count,
            freshness: freshness(of: list))
    }

    private func rowsView(_ user: User) async throws -> WatchlistRowsView {
        let list = try await site.services.watchlist.list(of: user.userId)
        let last = list.entries.count - 1
        let isMyOrder = list.sort == .mine
        let rows = list.entries.enumerated().map { place, entry in
            WatchlistRow(
                entry, in: list, currency: site.services.currency, isFirst: place == 0,
                isLast: place == last, isMyOrder: isMyOrder)
        }
        return WatchlistRowsView(freshness: freshness(of: list), sort: .init(list.sort), rows: rows)
    }

    private func freshness(of list: WatchlistService.List) -> FreshnessView {
        FreshnessView(list.prices, isEmpty: list.entries.isEmpty, retry: "/watchlist/refresh")
    }

    private func view(
        _ request: Request, _ user: User, _ rows: WatchlistRowsView, _ search: CoinSearchView
    ) async throws -> WatchlistView {
        let layout = try await site.layout(for: user, request, place: "/watchlist")
        return WatchlistView(
            layout: layout, list: rows, search: search, warning: site.services.prices.warning)
    }

    private func search(for query: String, _ user: User) async -> CoinSearchView {
        let catalog = site.services.catalog
        guard !query.isEmpty else { return CoinSearchView(missingList: catalog.missingList) }
        let found = catalog.search(query)
        let listed = (try? await site.services.watchlist.coinIds(of: user.userId)) ?? []
        let results = found.coins.map { ranked in
            CoinResult(
                coinId: ranked.coin.id, name: ranked.coin.name, symbol: ranked.coin.shownSymbol,
                rank: ranked.rank,
                isListed: listed.contains(ranked.coin.id))
        }
        return CoinSearchView(
            query: query, results: results, isAsking: found.isAsking, missingList: catalog.missingList)
    }

    private func removedNotice(_ coinId: String) -> NoticeView {
        let name = site.services.catalog.coin(id: coinId)?.name ?? coinId
        return NoticeView(
            text: "\(name) was removed from your watchlist.",
            undo: "/watchlist/\(PercentEncoding.encode(coinId))/undo")
    }

    private var coinListNotice: NoticeView? {
        site.services.catalog.missingList?.reason.map { NoticeView(text: $0, isTrouble: true) }
    }

    private var waitNotice: NoticeView? {
        let status = site.services.prices.snapshot.status
        let reason = status.usedUpReason ?? status.error?.message(source: PriceRefresher.source)
        return reason.map { NoticeView(text: $0, isTrouble: true) }
    }
}

extension WatchlistRowsView.Sort {
    init(_ option: SortOption) {
        self =
            switch option {
            case .mine: .mine
            case .name: .name
            case .price: .price
            case .change: .change
            }
    }
}
