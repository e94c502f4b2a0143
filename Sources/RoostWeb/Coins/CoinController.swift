import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport

/// A coin's page: its price, chart and figures, and what a user writes to it and has of it.
struct CoinController: Sendable {
    let site: WebContext
    let alerts: CoinsFeature.Panel
    private var watchlist: WatchlistService { site.services.watchlist }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/coins/{coinId}", topics: { pageTopics($0, $1) }, page),
            guarded.member(.get, "/coins/{coinId}/live", live),
            guarded.member(.post, "/coins/{coinId}/refresh", refresh),
            guarded.member(.post, "/coins/{coinId}/note", setNote),
            guarded.member(.post, "/coins/{coinId}/holdings", saveHolding),
            guarded.member(.post, "/coins/{coinId}/holdings/{id}", saveHolding),
            guarded.member(.post, "/coins/{coinId}/holdings/{id}/remove", removeHolding),
            guarded.member(.post, "/coins/{coinId}/holdings/{id}/undo", undoHolding),
            guarded.member(.post, "/coins/{coinId}/wallets", saveWallet),
            guarded.member(.post, "/coins/{coinId}/wallets/{id}", saveWallet),
            guarded.member(.post, "/coins/{coinId}/wallets/{id}/remove", removeWallet),
            guarded.member(.post, "/coins/{coinId}/wallets/{id}/undo", undoWallet),
        ]
    }

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        site.rendered(try await view(request, user))
    }

    private func topics(_ coinId: String, _ user: User) -> [String] {
        [Topic.allPrices, Topic.watchlist(user.userId), Topic.pictures, Topic.chart(coinId)]
    }

    /// The form of an alert offers the user's conversations by name.
    private func pageTopics(_ request: Request, _ user: User) -> [String] {
        topics(request.parameters["coinId"], user)
            + [Topic.coins, Topic.alerts(user.userId), Topic.chat(user.userId)]
    }

    private func live(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coinId = request.parameters["coinId"]
        let tag = site.tag(of: topics(coinId, user), for: user)
        let (view, _) = try await liveView(of: coinId, Self.range(request), user)
        return .response(site.fragment(view, version: tag, for: request))
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (coin, range) = (try await coin(request, user), Self.range(request))
        let currency = try await watchlist.currency(of: user.userId)
        let page = Self.address(coin.id) + "?range=\(range.rawValue)"
        guard case .mustWait = site.services.charts.retry(coin.id, range, in: currency) else {
            return site.answer(request, page: page, to: user)
        }
        let error = site.services.charts.chart(of: coin.id, range: range, in: currency).error
        let notice = error.map {
            NoticeView(text: $0.message(source: PriceRefresher.source), isTrouble: true)
        }
        return site.answer(request, page: page, showing: notice, to: user)
    }

    private func setNote(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await save(request, user, fields: ["note", "category"]) { coin, form in
            let note = try CoinNote(note: form["note"] ?? "", category: form["category"] ?? "")
            try await watchlist.setNote(note, of: coin.id, for: user.userId)
        } refused: { own, state in
            own.noteForm = state
        }
    }

    private func saveHolding(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try Self.number(request)
        let fields = ["amount", "price", "currency", "boughtOn", "note"]
        return try await save(request, user, fields: fields) { coin, form in
            let holding = try NewHolding(
                coinId: coin.id, amountText: form["amount"] ?? "", priceText: form["price"],
                currency: form["currency"], boughtOn: form["boughtOn"], note: form["note"])
            if let id {
                try await watchlist.editHolding(id, to: holding, for: user.userId)
            } else {
                try await watchlist.addHolding(holding, for: user.userId)
            }
        } refused: { own, state in
            (own.holdingForm, own.edited) = (state, id)
        }
    }

    private func removeHolding(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = try await coin(request, user)
        let removed = try await watchlist.removeHolding(try Self.knownNumber(request), of: user.userId)
        return done(
            "The holding was removed.", coin, user,
            undo: "\(Self.address(coin.id))/holdings/\(removed.id)/undo")
    }

    private func undoHolding(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = try await coin(request, user)
        try await watchlist.undoRemoveHolding(try Self.knownNumber(request), of: user.userId)
        return done(nil, coin, user)
    }

    private func saveWallet(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try Self.number(request)
        return try await save(request, user, fields: ["address", "label"]) { coin, form in
            let wallet = try NewWallet(
                coinId: coin.id, address: form["address"] ?? "", label: form["label"] ?? "")
            if let id {
                try await watchlist.editWallet(id, to: wallet, for: user.userId)
            } else {
                try await watchlist.addWallet(wallet, for: user.userId)
            }
        } refused: { own, state in
            (own.walletForm, own.editedWallet) = (state, id)
        }
    }

    private func removeWallet(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = try await coin(request, user)
        let removed = try await watchlist.removeWallet(try Self.knownNumber(request), of: user.userId)
        return done(
            "The wallet was removed.", coin, user,
            undo: "\(Self.address(coin.id))/wallets/\(removed.id)/undo")
    }

    private func undoWallet(_ request: Request, _ user: User) async throws -> HandlerResult {
        let coin = try await coin(request, user)
        try await watchlist.undoRemoveWallet(try Self.knownNumber(request), of: user.userId)
        return done(nil, coin, user)
    }

    /// Saves what a form says of the coin; what is refused is shown in the form, with what was typed.
    ///
    /// - Parameters:
    ///   - fields: what is shown again
    ///   - refused: puts the form as it was typed into the page
    private func save(
        _ request: Request, _ user: User, fields: [String],
        _ work: (CoinLiveView.Coin, Form) async throws -> Void,
        refused: (inout CoinView.Own, FormState) -> Void
    ) async throws -> HandlerResult {
        let form = try request.form()
        let coin = try await coin(request, user)
        do { try await work(coin, form) } catch {
            let fault = try FormError(error, form, keeping: fields)
            let view = try await view(request, user) { refused(&$0, fault.form) }
            return fault.answer(site.html(view, status: fault.status))
        }
        return done("Saved.", coin, user)
    }

    private func done(
        _ text: String?, _ coin: CoinLiveView.Coin, _ user: User, undo: String? = nil
    ) -> HandlerResult {
        site.redirect(
            to: Self.address(coin.id), showing: text.map { NoticeView(text: $0, undo: undo) }, to: user)
    }

    private static func address(_ coinId: String) -> String { "/coins/\(PathSegment(coinId))" }

    private static func range(_ request: Request) -> ChartRange {
        request.query["range"].flatMap(ChartRange.init) ?? .week
    }

    /// Nil where the address names none; throws for one that is no number.
    private static func number(_ request: Request) throws -> Int64? {
        request.parameters["id"].isEmpty ? nil : try knownNumber(request)
    }

    private static func knownNumber(_ request: Request) throws -> Int64 {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is nothing of this number.")
        }
        return id
    }
}

/// How the page is filled.
extension CoinController {
    /// The coin that the address names; also one that CoinGecko has dropped, where the user lists or holds it.
    private func coin(_ request: Request, _ user: User) async throws -> CoinLiveView.Coin {
        try await coin(request.parameters["coinId"], user)
    }

    private func coin(_ id: String, _ user: User) async throws -> CoinLiveView.Coin {
        let services = site.services
        let logo = services.logos.logo(of: id)
        if let known = services.prices.quote(of: id)?.coin {
            return .init(id: id, name: known.name, symbol: known.shownSymbol, logo: logo)
        }
        if let known = services.catalog.coin(id: id) {
            return .init(id: id, name: known.name, symbol: known.shownSymbol, logo: logo)
        }
        // While the list of coins is on its way, any id may be one.
        let isOpen = services.catalog.count == 0 && WatchlistItem.isPossible(id)
        if !isOpen { try await watchlist.checkCoin(id, of: user.userId) }
        return .init(id: id, name: id, symbol: id)
    }

    private func liveView(
        of coinId: String, _ range: ChartRange, _ user: User
    ) async throws -> (view: CoinLiveView, currency: String) {
        let services = site.services
        let coin = try await coin(coinId, user)
        let choices = try await watchlist.choices(of: user.userId)
        let currency = choices.currency ?? services.prices.currency
        services.prices.want([coin.id], in: currency)
        services.charts.want(coin.id, range, in: currency)
        let prices = services.prices.snapshot(in: currency)
        let entry = prices.board[coin.id]
        let chart = services.charts.chart(of: coin.id, range: range, in: currency)
        let totals = try await watchlist.totals(of: user.userId, coin: coin.id, currency: currency)
        let view = CoinLiveView(
            coin, quote: entry?.quote, notes: Self.notes(coin.id, prices),
            isOld: entry.map { prices.isStale($0) || !$0.isListed } ?? false,
            freshness: FreshnessView(prices, isEmpty: false, retry: "/watchlist/refresh"),
            chart: CoinChartView(chart, path: PathSegment(coin.id).description), totals: totals,
            currency: currency, redIsUp: choices.redIsUp, now: prices.now)
        return (view, currency)
    }

    /// What is to be said of the coin besides its price.
    private static func notes(_ coinId: String, _ prices: PriceSnapshot) -> [WatchlistRow.Note] {
        guard let entry = prices.board[coinId] else {
            if prices.board.unlisted.contains(coinId) { return [.delisted] }
            let isAwaited = !prices.board.unknown.contains(coinId) && prices.status.error == nil
            return [isAwaited ? .loading : .noPrice]
        }
        let coin = entry.quote.coin
        var notes: [WatchlistRow.Note] = entry.isListed ? [] : [.delisted]
        if coin.currentPrice == nil {
            notes.append(.noPrice)
        } else if prices.isCoinOld(coin), let lastUpdated = coin.lastUpdated {
            notes.append(.asOf(lastUpdated))
        } else if prices.isOld(entry) {
            notes.append(.asOf(entry.fetchedAt))
        }
        return notes
    }

    /// - Parameter change: what differs from the page as it is opened
    private func view(
        _ request: Request, _ user: User, _ change: (inout CoinView.Own) -> Void = { _ in }
    ) async throws -> CoinView {
        let layout = try await site.layout(for: user, request, place: "/watchlist")
        let range = Self.range(request)
        let (live, currency) = try await liveView(of: request.parameters["coinId"], range, user)
        var own = try await own(live.coin.id, user)
        own.edited = request.query["holding"].flatMap { id in
            own.holdings.first { "\($0.id)" == id }?.id
        }
        own.editedWallet = request.query["wallet"].flatMap { id in
            own.wallets.first { "\($0.id)" == id }?.id
        }
        change(&own)
        return CoinView(
            layout: layout, live: live, own: own, range: range, currency: currency,
            priceTopic: site.services.prices.topic(in: currency),
            alerts: try await alerts(live.coin.id, live.coin.name, request, user, site))
    }

    private func own(_ coinId: String, _ user: User) async throws -> CoinView.Own {
        let notes = try await watchlist.notes(of: user.userId)
        var own = CoinView.Own(note: notes[coinId] ?? .none)
        own.categories = Set(notes.values.map(\.category).filter { !$0.isEmpty }).sorted()
        own.holdings = try await watchlist.holdings(of: user.userId, coin: coinId)
        own.wallets = try await watchlist.wallets(of: user.userId, coin: coinId)
        let holding = try await watchlist.lists(of: user.userId, holding: coinId)
        own.lists = try await watchlist.lists(of: user.userId).map { ($0, holding.contains($0.id)) }
        return own
    }
}

/// The pages of coins; prices and charts are the watchlist's topics.
struct CoinsFeature: Feature {
    /// A part of a coin's page that another feature makes: of the coin's id and name.
    typealias Panel =
        @Sendable (_ coinId: String, _ name: String, Request, User, WebContext) async throws -> RenderedView

    /// The part about the coin's alerts.
    let alerts: Panel

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        CoinController(site: guarded.site, alerts: alerts).routes(guarded)
    }
}
